#include "membership/urls/approximate_frontier.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "membership/urls/normal_url.h"

namespace oneline {
namespace {

// Random, so that nobody can construct URLs that are all taken for seen.
uint64_t RandomSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

absl::Status CheckSaved(const FilterShape& saved, FilterShape asked,
                        const ApproximateFrontierOptions& options) {
  asked.seed = saved.seed;
  if (saved == asked) return absl::OkStatus();
  std::string why;
  if (saved.key_form > kNormalUrls) {
    why = absl::StrCat("lines were changed in way ", int{saved.key_form},
                       " before they were added, which this version does not "
                       "know");
  } else if (saved.key_form != asked.key_form) {
    why = options.normalize ? "lines were added without normalize: go on "
                              "without it"
                            : "lines were added with normalize: go on with it";
  } else {
    why = absl::StrCat(saved.num_positions, " bits and ", saved.num_hashes,
                       " hashes are not those of a capacity of ",
                       options.capacity, " at a rate of ", options.fp_rate,
                       ": use the capacity and rate it was made with");
  }
  return absl::InvalidArgumentError(
      absl::StrCat(options.save_path, ": the saved filter's ", why));
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
  const absl::Status same = CheckSaved(saved->shape(), *asked, options);
  if (!same.ok()) return same;
  return saved;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ApproximateFrontier>> ApproximateFrontier::Open(
    const ApproximateFrontierOptions& options) {
  std::unique_ptr<FileLock> lock;
  if (!options.save_path.empty()) {
    auto taken = FileLock::Take(options.save_path);
    if (!taken.ok()) return taken.status();
    lock = *std::move(taken);
  }
  absl::StatusOr<BloomFilter> filter = LoadOrMake(options);
  if (!filter.ok()) return filter.status();
  return std::unique_ptr<ApproximateFrontier>(
      new ApproximateFrontier(options, *std::move(filter), std::move(lock)));
}

ApproximateFrontier::ApproximateFrontier(
    const ApproximateFrontierOptions& options, BloomFilter filter,
    std::unique_ptr<FileLock> lock)
    : options_(options), lock_(std::move(lock)), filter_(std::move(filter)) {
  // The estimate of a full filter is infinite.
  num_seen_ = static_cast<uint64_t>(
      std::min(std::round(filter_.EstimatedKeys()), 0x1p63));
}

absl::Status ApproximateFrontier::FindNew(const std::string_view* urls,
                                          size_t n, bool* is_new) {
  for (size_t i = 0; i < n; ++i) {
    is_new[i] =
        filter_.Add(options_.normalize ? NormalUrl(urls[i], normal_) : urls[i]);
    num_not_remembered_ += is_new[i];
  }
  return absl::OkStatus();
}

absl::Status ApproximateFrontier::Remember(const std::string_view* urls,
                                           size_t n, const bool* is_new) {
  for (size_t i = 0; i < n; ++i) {
    if (!is_new[i]) continue;
    --num_not_remembered_;
    ++num_seen_;
    if (!options_.keep_queue) continue;
    queue_.emplace_back(urls[i]);
    ++num_queued_;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ApproximateFrontier::TakeOldest() {
  std::string url = std::move(queue_.front());
  queue_.pop_front();
  return url;
}

absl::Status ApproximateFrontier::Save() {
  if (options_.save_path.empty()) return absl::OkStatus();
  if (num_not_remembered_ == 0) return filter_.Save(options_.save_path);
  return absl::FailedPreconditionError(absl::StrCat(
      options_.save_path, ": not saved: lines in the filter were not written"));
}

}  // namespace oneline
