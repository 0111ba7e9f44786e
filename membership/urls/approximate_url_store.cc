#include "membership/urls/approximate_url_store.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "absl/strings/str_cat.h"
#include "membership/urls/normal_url.h"

namespace oneline {
namespace {

// Random, so that nobody can construct URLs that are all taken for seen.
uint64_t RandomSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

absl::StatusOr<BloomFilter> LoadOrMake(
    const ApproximateUrlStoreOptions& options) {
  absl::StatusOr<FilterShape> asked =
      ShapeForKeys(options.capacity, options.fp_rate, RandomSeed());
  if (!asked.ok()) return asked.status();
  asked->key_form = options.normalize ? kNormalUrls : 0;
  if (options.save_path.empty()) return BloomFilter::ForShape(*asked);
  absl::StatusOr<BloomFilter> saved = BloomFilter::Load(options.save_path);
  if (absl::IsNotFound(saved.status())) return BloomFilter::ForShape(*asked);
  if (!saved.ok()) return saved.status();
  if (saved->shape().key_form > kNormalUrls) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.save_path, ": the saved filter's lines were changed in way ",
        int{saved->shape().key_form},
        " before they were added, which this version does not know"));
  }
  if (saved->shape().key_form != asked->key_form) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.save_path, ": the saved filter was made ",
                     options.normalize ? "without normalize: go on without it"
                                       : "with normalize: go on with it"));
  }
  FilterShape expected = *asked;
  expected.seed = saved->shape().seed;
  if (!(saved->shape() == expected)) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.save_path, ": the saved filter has ",
        saved->shape().num_positions, " bits and ", saved->shape().num_hashes,
        " hashes; a capacity of ", options.capacity, " at a rate of ",
        options.fp_rate, " needs ", expected.num_positions, " and ",
        expected.num_hashes, ": use the capacity and rate it was made with"));
  }
  return saved;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ApproximateUrlStore>> ApproximateUrlStore::Open(
    const ApproximateUrlStoreOptions& options) {
  std::unique_ptr<FileLock> lock;
  if (!options.save_path.empty()) {
    absl::StatusOr<std::unique_ptr<FileLock>> taken =
        FileLock::Take(options.save_path);
    if (!taken.ok()) return taken.status();
    lock = *std::move(taken);
  }
  absl::StatusOr<BloomFilter> filter = LoadOrMake(options);
  if (!filter.ok()) return filter.status();
  return std::unique_ptr<ApproximateUrlStore>(
      new ApproximateUrlStore(options, *std::move(filter), std::move(lock)));
}

ApproximateUrlStore::ApproximateUrlStore(
    const ApproximateUrlStoreOptions& options, BloomFilter filter,
    std::unique_ptr<FileLock> lock)
    : options_(options),
      lock_(std::move(lock)),
      filter_(std::move(filter)),
      // The estimate of a full filter is infinite.
      num_seen_(static_cast<uint64_t>(
          std::min(std::round(filter_.EstimatedKeys()), 0x1p63))) {}

absl::Status ApproximateUrlStore::FindNew(const std::string_view* urls,
                                          size_t n, bool* is_new) {
  for (size_t i = 0; i < n; ++i) {
    is_new[i] =
        filter_.Add(options_.normalize ? NormalUrl(urls[i], normal_) : urls[i]);
  }
  return absl::OkStatus();
}

absl::Status ApproximateUrlStore::Remember(const std::string_view* urls,
                                           size_t n, const bool* is_new) {
  for (size_t i = 0; i < n; ++i) {
    num_seen_ += is_new[i];
    if (is_new[i] && options_.keep_queue) queue_.emplace_back(urls[i]);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> ApproximateUrlStore::Pop() {
  if (queue_.empty()) return std::nullopt;
  std::optional<std::string> url = std::move(queue_.front());
  queue_.pop_front();
  return url;
}

absl::Status ApproximateUrlStore::Sync() {
  if (options_.save_path.empty()) return absl::OkStatus();
  return filter_.Save(options_.save_path);
}

}  // namespace oneline
