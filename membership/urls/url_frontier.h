// A crawler's to-visit queue, which drops URLs that it has seen before.
//
//   oneline::ExactUrlStoreOptions options;
//   options.path = "urls";
//   auto store = oneline::ExactUrlStore::Open(options);
//   oneline::UrlFrontier frontier(*std::move(store), 1000000, warn);
//   frontier.Push("http://example.com/");        // true: it is new
//   while (auto url = *frontier.Pop()) Visit(*url);

#ifndef ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
#define ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "membership/urls/url_store.h"

namespace oneline {

// Thread-safe. Any bytes are a URL; errors are those of the store.
class UrlFrontier {
 public:
  // Called once, by the Push with which more URLs have been seen than expected:
  // an approximate store loses more and more of them from there on.
  using Warning =
      std::function<void(uint64_t num_seen, uint64_t expected_urls)>;

  // `warning` may be empty.
  UrlFrontier(std::unique_ptr<UrlStore> store, uint64_t expected_urls,
              Warning warning);

  // Whether the URL is new; then it is queued.
  absl::StatusOr<bool> Push(std::string_view url);

  // The same for `n` URLs, much faster than one by one with an exact store.
  absl::Status Push(const std::string_view* urls, size_t n, bool* is_new);

  // The URL that waited longest, no longer queued; none if the queue is empty.
  absl::StatusOr<std::optional<std::string>> Pop();

  // See UrlStore.
  absl::Status Sync();

  // URLs that wait, and those that were new.
  uint64_t Size() const;
  uint64_t NumSeen() const;

 private:
  mutable std::mutex mutex_;
  const std::unique_ptr<UrlStore> store_;
  const uint64_t expected_urls_;
  Warning warning_;  // empty once it was called
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
