// A crawler's queue of URLs to visit, which drops those that it has seen
// before. membership/examples/crawl.cc is a small crawler.
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

// Thread-safe. A URL may be any bytes. Errors are those of the store.
class UrlFrontier {
 public:
  // Called once, by the Push after which more URLs have been seen than
  // expected. From then on an approximate store loses more new URLs than
  // intended.
  using Warning =
      std::function<void(uint64_t num_seen, uint64_t expected_urls)>;

  // `warning` may be empty.
  UrlFrontier(std::unique_ptr<UrlStore> store, uint64_t expected_urls,
              Warning warning);

  // Queues the URL if it is new, and returns whether it is.
  absl::StatusOr<bool> Push(std::string_view url);

  // The same for `n` URLs: is_new[i] becomes whether urls[i] is new. With an
  // exact store this is much faster than one by one.
  absl::Status Push(const std::string_view* urls, size_t n, bool* is_new);

  // Removes and returns the oldest URL of the queue; none if it is empty.
  absl::StatusOr<std::optional<std::string>> Pop();

  // See UrlStore.
  absl::Status Sync();

  // URLs in the queue, and all that were new.
  uint64_t Size() const;
  uint64_t NumSeen() const;

 private:
  mutable std::mutex mutex_;
  const std::unique_ptr<UrlStore> store_;
  const uint64_t expected_urls_;
  Warning warning_;  // empty after the call
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
