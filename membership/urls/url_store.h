// What a UrlFrontier stores: the URLs seen so far and the queue of those to
// visit. There are two stores: approximate_url_store.h in memory and
// exact_url_store.h on disk.

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

// Not thread-safe; UrlFrontier is.
class UrlStore {
 public:
  virtual ~UrlStore() = default;

  // is_new[i] becomes whether urls[i], which may be any bytes, was not seen
  // before, be it in an earlier call or in this one. New URLs are remembered
  // and, if there is a queue, queued in their order. On an error none is.
  absl::Status Push(const std::string_view* urls, size_t n, bool* is_new) {
    const absl::Status status = FindNew(urls, n, is_new);
    return status.ok() ? Remember(urls, n, is_new) : status;
  }

  // Push in two steps, for callers that must do something with new URLs before
  // the store remembers them, such as write them out. Remember takes the result
  // of FindNew, and no other call may come between the two. A store on disk
  // remembers only those that are new in what Remember is given. A store in
  // memory remembers in FindNew already: do not use it further if Remember is
  // not called.
  virtual absl::Status FindNew(const std::string_view* urls, size_t n,
                               bool* is_new) = 0;
  virtual absl::Status Remember(const std::string_view* urls, size_t n,
                                const bool* is_new) = 0;

  // Whether the store is on disk: what was remembered may survive a crash of
  // the machine even without Sync.
  virtual bool is_on_disk() const = 0;

  // Removes and returns the oldest URL of the queue; none if it is empty.
  virtual absl::StatusOr<std::optional<std::string>> Pop() = 0;

  // Syncs to the disk what the store keeps. Everything pushed and popped before
  // a Sync that returned OK survives a crash of the machine.
  virtual absl::Status Sync() = 0;

  // All URLs that were new, and those in the queue.
  virtual uint64_t NumSeen() const = 0;
  virtual uint64_t NumQueued() const = 0;

  // The probability that a new URL is mistaken for one seen before, and lost.
  virtual double FpRate() const = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_STORE_H_
