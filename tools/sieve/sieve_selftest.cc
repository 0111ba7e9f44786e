// `oneline sieve selftest`: fills a filter of any size and measures it.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "absl/strings/str_format.h"
#include "membership/filters/bloom_filter.h"
#include "membership/filters/classic_model.h"
#include "table/hash/little_endian.h"
#include "tools/command/command.h"
#include "tools/sieve/sieve.h"
#include "tools/text/byte_size.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

// More lookups would not make the result more exact: at a rate of 0.01 %, ten
// thousand of these pass.
constexpr uint64_t kMaxLookups = 100000000;
constexpr uint64_t kKeysPerProgress = 10000;

struct Visited {
  uint64_t count;  // of the visits that returned true
  double nanos;    // of each
};

// Calls `visit(key)` for the keys number first .. last - 1. Key i is the number
// i in 8 bytes: after hashing it is as good as any other key.
template <typename Visit>
Visited VisitKeys(const char* stage, uint64_t first, uint64_t last,
                  Progress& progress, Visit visit) {
  progress.Begin(stage, last - first);
  const auto start = std::chrono::steady_clock::now();
  std::array<uint8_t, 8> bytes;
  const std::string_view key(reinterpret_cast<const char*>(bytes.data()),
                             bytes.size());
  uint64_t count = 0;
  for (uint64_t i = first; i < last; ++i) {
    PutLittleEndian(i, bytes.data());
    count += visit(key);
    if (i % kKeysPerProgress == kKeysPerProgress - 1) {
      progress.Advance(kKeysPerProgress);
    }
  }
  const std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - start;
  return {count, time.count() / static_cast<double>(last - first)};
}

}  // namespace

absl::StatusOr<int> SieveSelfTest(uint64_t num_keys, double fp_rate) {
  absl::StatusOr<BloomFilter> filter = BloomFilter::ForKeys(num_keys, fp_rate);
  if (!filter.ok()) return filter.status();
  const FilterShape& shape = filter->shape();
  const auto keys = static_cast<double>(num_keys);
  const double bits_per_key = static_cast<double>(shape.num_positions) / keys;
  absl::PrintF(
      "keys           %d\n"
      "filter         %d bytes (%s), %.2f bits per key, %d hashes\n"
      "lower bound    %.0f bytes (%s): keys * log2(1 / rate)\n",
      num_keys, filter->num_bytes(),
      BytesText(static_cast<double>(filter->num_bytes())), bits_per_key,
      shape.num_hashes, std::ceil(keys * InformationBound(fp_rate) / 8),
      BytesText(keys * InformationBound(fp_rate) / 8));

  Progress progress(stderr);
  const Visited added =
      VisitKeys("adding", 0, num_keys, progress,
                [&](std::string_view key) { return filter->Add(key); });
  const auto may_contain = [&](std::string_view key) {
    return filter->MayContain(key);
  };
  const uint64_t lookups = std::min(num_keys, kMaxLookups);
  const Visited present =
      VisitKeys("looking up keys that are there", num_keys - lookups, num_keys,
                progress, may_contain);
  const Visited absent = VisitKeys("looking up keys that are not", num_keys,
                                   num_keys + lookups, progress, may_contain);
  progress.End();

  const double predicted = ClassicBloomFpRate(bits_per_key, shape.num_hashes);
  const double measured =
      static_cast<double>(absent.count) / static_cast<double>(lookups);
  absl::PrintF(
      "time           %.0f ns to add a key, %.0f ns to find one, %.0f ns to "
      "find that one is absent\n"
      "bits set       %.2f %%\n"
      "estimated keys %.0f\n"
      "error rate     %.6f %% measured, %.6f %% predicted\n"
      "keys lost      %d\n",
      added.nanos, present.nanos, absent.nanos, 100 * filter->FillRatio(),
      filter->EstimatedKeys(), 100 * measured, 100 * predicted,
      lookups - present.count);
  // Chance: six standard deviations of the lookups, and 2 % for the number of
  // bits set.
  const double chance =
      6 * std::sqrt(predicted / static_cast<double>(lookups)) +
      (0.02 + 6 / std::sqrt(keys)) * predicted;
  return present.count == lookups && std::abs(measured - predicted) <= chance
             ? kExitFine
             : kExitFound;
}

}  // namespace oneline
