// The frontier that remembers URLs as a Bloom filter in memory.

#include <rocksdb/env.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "membership/filters/bloom_filter.h"
#include "membership/urls/url_frontier.h"

namespace oneline {
namespace {

// The filter's key_form if its keys are normal forms of URLs.
constexpr uint8_t kNormalUrls = 1;

using SaveLock = std::shared_ptr<rocksdb::FileLock>;

// Random, so that nobody can construct URLs that are all taken for seen.
uint64_t RandomSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

absl::StatusOr<BloomFilter> LoadOrMake(
    const ApproximateFrontierOptions& options) {
  absl::StatusOr<FilterShape> asked =
      ShapeForKeys(options.capacity, options.fp_rate, RandomSeed());
  if (!asked.ok()) return asked.status();
  asked->key_form = options.normalize ? kNormalUrls : 0;
  if (options.save_path.empty()) return BloomFilter::ForShape(*asked);
  absl::StatusOr<BloomFilter> saved = BloomFilter::Load(options.save_path);
  if (absl::IsNotFound(saved.status())) return BloomFilter::ForShape(*asked);
  if (!saved.ok()) return saved.status();
  asked->seed = saved->shape().seed;
  if (saved->shape() == *asked) return saved;
  return absl::InvalidArgumentError(absl::StrCat(
      options.save_path,
      ": was made with another capacity or rate, or other normalize: go on "
      "with those"));
}

class ApproximateFrontier final : public UrlFrontier {
 public:
  // The lock is null if the filter is not saved.
  ApproximateFrontier(const ApproximateFrontierOptions& options,
                      BloomFilter filter, SaveLock lock)
      : UrlFrontier(options),
        save_path_(options.save_path),
        lock_(std::move(lock)),
        filter_(std::move(filter)) {
    // The estimate of a full filter is infinite.
    num_seen_ = static_cast<uint64_t>(
        std::min(std::round(filter_.EstimatedKeys()), 0x1p63));
  }

  double FpRate() const override { return filter_.EstimatedFpRate(); }

 private:
  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override {
    for (size_t i = 0; i < n; ++i) {
      is_new[i] = filter_.Add(Compared(urls[i], normal_));
      num_not_remembered_ += is_new[i];
    }
    return absl::OkStatus();
  }

  absl::Status Remember(const std::string_view* urls, size_t n,
                        const bool* is_new, uint64_t num_new) override {
    num_not_remembered_ -= num_new;
    for (size_t i = 0; i < n && options_.keep_queue; ++i) {
      if (is_new[i]) queue_.emplace_back(urls[i]);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> TakeOldest() override {
    std::string url = std::move(queue_.front());
    queue_.pop_front();
    return url;
  }

  absl::Status Save() override {
    if (save_path_.empty()) return absl::OkStatus();
    if (num_not_remembered_ == 0) return filter_.Save(save_path_);
    return absl::FailedPreconditionError(absl::StrCat(
        save_path_, ": not saved: lines in the filter were not written"));
  }

  const std::string save_path_;
  const SaveLock lock_;
  BloomFilter filter_;
  // URLs that FindNew added to the filter and Remember did not get.
  uint64_t num_not_remembered_ = 0;
  std::string normal_;  // buffer
  std::deque<std::string> queue_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<UrlFrontier>> OpenApproximateFrontier(
    const ApproximateFrontierOptions& options) {
  SaveLock lock;
  if (!options.save_path.empty()) {
    rocksdb::Env* const env = rocksdb::Env::Default();
    rocksdb::FileLock* taken = nullptr;
    // Beside the file, which is replaced.
    const rocksdb::Status status =
        env->LockFile(options.save_path + ".lock", &taken);
    if (!status.ok()) return absl::UnavailableError(status.ToString());
    lock.reset(taken, [env](auto* held) { env->UnlockFile(held); });
  }
  absl::StatusOr<BloomFilter> filter = LoadOrMake(options);
  if (!filter.ok()) return filter.status();
  return std::make_unique<ApproximateFrontier>(options, *std::move(filter),
                                               std::move(lock));
}

}  // namespace oneline
