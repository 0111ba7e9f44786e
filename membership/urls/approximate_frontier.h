// The URLs seen so far as a Bloom filter in memory: it takes 2.4 bytes per URL
// for a rate of 0.01 %, however long they are. A new URL is mistaken for one
// seen before with the filter's false-positive rate; a URL seen before is never
// taken for new.
//
// The filter can be saved, the queue cannot. Empty the queue before the filter
// is saved for the last time, because the next run takes its URLs for seen.

#ifndef ONELINE_MEMBERSHIP_URLS_APPROXIMATE_FRONTIER_H_
#define ONELINE_MEMBERSHIP_URLS_APPROXIMATE_FRONTIER_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "membership/filters/bloom_filter.h"
#include "membership/storage/file_lock.h"
#include "membership/urls/url_frontier.h"

namespace oneline {

// The filter's key_form if its keys are normal forms of URLs.
inline constexpr uint8_t kNormalUrls = 1;

struct ApproximateFrontierOptions {
  // The expected number of URLs, and the share of new ones that is lost once
  // that many have been seen: see ShapeForKeys.
  uint64_t capacity = 0;
  double fp_rate = 0.0001;
  // The file to which Sync saves the filter, and from which Open loads it if it
  // exists. Only one program at a time can open it. Empty: the filter is not
  // saved.
  std::string save_path;
  // Compares URLs by their normal form (normal_url.h); they are queued as they
  // came. Open refuses a saved filter that was made with the other setting.
  bool normalize = false;
  // False: Push remembers URLs and queues none.
  bool keep_queue = true;
};

class ApproximateFrontier final : public UrlFrontier {
 public:
  // Errors are those of BloomFilter::ForKeys and Load and of FileLock::Take,
  // and InvalidArgument if the saved filter has another capacity, rate or
  // normalize. With a saved filter NumSeen starts from the filter's estimate.
  static absl::StatusOr<std::unique_ptr<ApproximateFrontier>> Open(
      const ApproximateFrontierOptions& options);

  double FpRate() const override { return filter_.EstimatedFpRate(); }

 private:
  ApproximateFrontier(const ApproximateFrontierOptions& options,
                      BloomFilter filter, std::unique_ptr<FileLock> lock);

  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override;
  absl::Status Remember(const std::string_view* urls, size_t n,
                        const bool* is_new) override;
  absl::StatusOr<std::string> TakeOldest() override;
  absl::Status Save() override;

  const ApproximateFrontierOptions options_;
  const std::unique_ptr<FileLock> lock_;  // null if the filter is not saved
  BloomFilter filter_;
  // URLs that FindNew added to the filter and Remember did not get.
  uint64_t num_not_remembered_ = 0;
  std::string normal_;  // NormalUrl's buffer
  std::deque<std::string> queue_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_APPROXIMATE_FRONTIER_H_
