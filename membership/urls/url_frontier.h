// A crawler's queue of URLs to visit, which drops those that it has seen
// before: in memory, approximate_frontier.h, or on disk, exact_frontier.h.
// membership/examples/crawl.cc is a small crawler.
//
//   oneline::ExactFrontierOptions options;
//   options.path = "urls";
//   auto frontier = *oneline::ExactFrontier::Open(options);
//   frontier->WarnPast(1000000, warn);
//   frontier->Push("http://example.com/");        // true: it is new
//   while (auto url = *frontier->Pop()) Visit(*url);

#ifndef ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
#define ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// Thread-safe, except for WarnPast. A URL may be any bytes.
class UrlFrontier {
 public:
  virtual ~UrlFrontier() = default;
  UrlFrontier(const UrlFrontier&) = delete;
  UrlFrontier& operator=(const UrlFrontier&) = delete;

  // `warning` is called once, by the Push after which more URLs have been seen
  // than expected: from then on an approximate frontier loses more new URLs
  // than intended. It may call the frontier.
  using Warning = std::function<void(uint64_t num_seen)>;
  void WarnPast(uint64_t expected_urls, Warning warning);

  // Queues the URL if it is new, and returns whether it is.
  absl::StatusOr<bool> Push(std::string_view url);

  // The same for `n` URLs, which is much faster than one by one in an exact
  // frontier: is_new[i] becomes whether urls[i] was not seen before, be it in
  // an earlier call or in this one. On an error none is remembered.
  //
  // `write` may do something with the new URLs before they are remembered, such
  // as write them out, while other calls wait. If it returns an error none is
  // remembered, and none for which it clears is_new[i]. An approximate frontier
  // has them already, and from then on refuses to save its filter.
  using Write = std::function<absl::Status()>;
  absl::Status Push(const std::string_view* urls, size_t n, bool* is_new,
                    const Write& write = nullptr);

  // Removes and returns the oldest URL of the queue; none if it is empty.
  absl::StatusOr<std::optional<std::string>> Pop();

  // Syncs to the disk what the frontier keeps there. Everything pushed and
  // popped before a Sync that returned OK survives a crash of the machine.
  absl::Status Sync();

  // URLs in the queue, and all that were new.
  uint64_t Size() const;
  uint64_t NumSeen() const;

  // The probability that a new URL is mistaken for one seen before, and lost.
  virtual double FpRate() const = 0;

 protected:
  UrlFrontier() = default;

  uint64_t num_queued_ = 0;
  uint64_t num_seen_ = 0;

 private:
  // The two steps of Push, then Pop and Sync. One is called at a time.
  virtual absl::Status FindNew(const std::string_view* urls, size_t n,
                               bool* is_new) = 0;
  virtual absl::Status Remember(const std::string_view* urls, size_t n,
                                const bool* is_new) = 0;
  virtual absl::StatusOr<std::string> TakeOldest() = 0;  // of one or more
  virtual absl::Status Save() = 0;

  mutable std::mutex mutex_;
  uint64_t expected_urls_ = 0;
  Warning warning_;  // empty after the call
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
