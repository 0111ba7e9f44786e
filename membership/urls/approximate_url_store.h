// URLs seen, as a Bloom filter in memory: 2.4 bytes for each at 0.01 %, however
// long they are. It takes a new URL for one seen before with the filter's
// false-positive rate, and never the other way round.
//
// The filter can be saved; the queue lives as long as the program. Those who
// save the filter visit what waits first: the next run takes it for seen.

#ifndef ONELINE_MEMBERSHIP_URLS_APPROXIMATE_URL_STORE_H_
#define ONELINE_MEMBERSHIP_URLS_APPROXIMATE_URL_STORE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "membership/filters/bloom_filter.h"
#include "membership/urls/url_store.h"

namespace oneline {

// The filter's key_form if URLs come there in their normal form.
inline constexpr uint8_t kNormalUrls = 1;

struct ApproximateUrlStoreOptions {
  // The URLs to expect and the rate at which new ones may be lost by then: see
  // ShapeForKeys.
  uint64_t capacity = 0;
  double fp_rate = 0.0001;
  // Where Sync saves the filter, and where it comes from if the file is there.
  // Empty: nowhere.
  std::string save_path;
  // URLs are compared by their normal form (normal_url.h); queued as they came.
  // A saved filter tells, and is refused if it was made otherwise.
  bool normalize = false;
  bool keep_queue = true;
};

class ApproximateUrlStore final : public UrlStore {
 public:
  // Errors: those of BloomFilter::ForKeys and Load, and InvalidArgument if the
  // saved filter is for another capacity or rate.
  static absl::StatusOr<std::unique_ptr<ApproximateUrlStore>> Open(
      const ApproximateUrlStoreOptions& options);

  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override;
  absl::Status Remember(const std::string_view* urls, size_t n,
                        const bool* is_new) override;
  absl::StatusOr<std::optional<std::string>> Pop() override;
  absl::Status Sync() override;
  // After a start from a saved filter, counted from the filter's estimate.
  uint64_t NumSeen() const override { return num_seen_; }
  uint64_t NumQueued() const override { return queue_.size(); }
  double FpRate() const override { return filter_.EstimatedFpRate(); }

  const BloomFilter& filter() const { return filter_; }

 private:
  ApproximateUrlStore(const ApproximateUrlStoreOptions& options,
                      BloomFilter filter);

  const ApproximateUrlStoreOptions options_;
  BloomFilter filter_;
  uint64_t num_seen_;
  std::string normal_;  // room for one
  std::deque<std::string> queue_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_APPROXIMATE_URL_STORE_H_
