// A crawler's queue of URLs to visit, which drops those that it has seen
// before.
//
//   oneline::ExactFrontierOptions options;
//   options.path = "urls";
//   auto frontier = *oneline::OpenExactFrontier(options);
//   frontier->WarnPast(1000000, warn);
//   frontier->Push("http://example.com/");        // true: it is new
//   while (auto url = *frontier->Pop()) Visit(*url);

#ifndef ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
#define ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace rocksdb {
class Statistics;
}

namespace oneline {

struct FrontierOptions {
  // False: Push remembers URLs and queues none.
  bool keep_queue = true;
  // Compares URLs by their normal form (normal_url.h); they are queued as they
  // came. What was saved with the other setting is refused.
  bool normalize = false;
};

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
  // frontier: is_new[i] becomes whether urls[i] was not seen before, in an
  // earlier call or in this one. On an error none is remembered.
  //
  // `write` may do something with the new URLs before they are remembered. If
  // it fails none is, and none for which it clears is_new[i]. An approximate
  // frontier has them already, and from then on refuses to save its filter.
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
  explicit UrlFrontier(const FrontierOptions& options) : options_(options) {}

  // What is compared of a URL; perhaps the new contents of `buffer`.
  std::string_view Compared(std::string_view url, std::string& buffer) const;

  const FrontierOptions options_;
  uint64_t num_queued_ = 0;
  uint64_t num_seen_ = 0;

 private:
  // The two steps of Push, the second for one new URL or more; then Pop and
  // Sync. One is called at a time.
  virtual absl::Status FindNew(const std::string_view* urls, size_t n,
                               bool* is_new) = 0;
  virtual absl::Status Remember(const std::string_view* urls, size_t n,
                                const bool* is_new, uint64_t num_new) = 0;
  virtual absl::StatusOr<std::string> TakeOldest() = 0;  // of one or more
  virtual absl::Status Save() = 0;

  mutable std::mutex mutex_;
  uint64_t expected_urls_ = 0;
  Warning warning_;  // empty after the call
};

struct ApproximateFrontierOptions : FrontierOptions {
  // The expected number of URLs, and the share of new ones that is lost once
  // that many have been seen: see ShapeForKeys.
  uint64_t capacity = 0;
  double fp_rate = 0.0001;
  // The file to which Sync saves the filter, and from which it is loaded if it
  // exists; locked by another with ".lock" after its name. Empty: none.
  std::string save_path;
};

// The URLs seen so far as a Bloom filter in memory. A new URL is mistaken for
// one seen before with the filter's false-positive rate; a URL seen before is
// never taken for new.
//
// The filter can be saved, the queue cannot: empty it first, because the next
// run takes its URLs for seen. NumSeen starts from the filter's estimate.
//
// Errors are those of BloomFilter::ForKeys and Load; InvalidArgument if the
// saved filter has another capacity, rate or normalize; Unavailable if another
// program uses the file, or no file can be made beside it.
absl::StatusOr<std::unique_ptr<UrlFrontier>> OpenApproximateFrontier(
    const ApproximateFrontierOptions& options);

struct ExactFrontierOptions : FrontierOptions {
  // The folder of the database; created if it does not exist. Only one program
  // at a time can open it.
  std::string path;
  // The memory of the database, at least 8 MiB. The program needs up to 64 MiB
  // and a quarter of this besides. Below 1.5 bytes per URL the filters do not
  // all fit and are read again and again.
  size_t memory_bytes = size_t{256} << 20;
  // RocksDB's counters of reads and filter checks; may be null.
  std::shared_ptr<rocksdb::Statistics> statistics;
};

// The URLs seen so far and the queue, in a RocksDB database with our filter
// policy: no new URL is ever lost, and by the filters nearly every new URL is
// recognized without a read from the disk.
//
// A call of Push or Pop takes effect as a whole or not at all. Once it has
// returned, its effect survives the end of the program, even by kill -9; after
// the next Sync a crash of the machine, too.
//
// InvalidArgument for too little memory or the other setting of normalize,
// FailedPrecondition if the folder holds anything else, Unimplemented if a
// later version wrote the database, Unavailable if another program has it open,
// it is damaged, or RocksDB fails otherwise.
absl::StatusOr<std::unique_ptr<UrlFrontier>> OpenExactFrontier(
    const ExactFrontierOptions& options);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_FRONTIER_H_
