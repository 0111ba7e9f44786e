// What a frontier of URLs keeps: those seen so far, and the queue of those to
// visit. There are two: approximate_url_store.h in memory, exact_url_store.h on
// disk.

#ifndef ONELINE_MEMBERSHIP_URLS_URL_STORE_H_
#define ONELINE_MEMBERSHIP_URLS_URL_STORE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// Not thread-safe: UrlFrontier is.
class UrlStore {
 public:
  virtual ~UrlStore() = default;

  // is_new[i] becomes whether urls[i], any bytes, was not seen before, neither
  // in this call; those are remembered and, if there is a queue, queued in this
  // order. On an error none of them is.
  absl::Status Push(const std::string_view* urls, size_t n, bool* is_new) {
    const absl::Status status = FindNew(urls, n, is_new);
    return status.ok() ? Remember(urls, n, is_new) : status;
  }

  // Push in two steps, for those who have to do something with new URLs before
  // it is too late to call them new: Remember takes what FindNew has found, and
  // nothing else is called between the two. A store in memory remembers at
  // once, so without the second step it is of no more use.
  virtual absl::Status FindNew(const std::string_view* urls, size_t n,
                               bool* is_new) = 0;
  virtual absl::Status Remember(const std::string_view* urls, size_t n,
                                const bool* is_new) = 0;

  // Takes the URL that waited longest from the queue; none if it is empty.
  virtual absl::StatusOr<std::optional<std::string>> Pop() = 0;

  // Brings to the disk what the store is meant to keep. Once it returns OK, all
  // that was pushed and popped before survives a crash.
  virtual absl::Status Sync() = 0;

  // URLs that were new, and those that wait.
  virtual uint64_t NumSeen() const = 0;
  virtual uint64_t NumQueued() const = 0;

  // The probability that a new URL is taken for one seen before, and lost.
  virtual double FpRate() const = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_STORE_H_
