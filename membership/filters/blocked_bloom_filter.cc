#include "membership/filters/blocked_bloom_filter.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"
#include "table/block/line_count.h"
#include "table/bloom/blocked_bloom.h"
#include "table/hash/key_hash.h"
#include "table/simd/instruction_sets.h"

namespace oneline {

absl::StatusOr<BlockedBloomFilter> BlockedBloomFilter::ForKeys(
    uint64_t num_keys, double fp_rate, uint64_t seed) {
  if (!(fp_rate >= 1e-9 && fp_rate <= 0.5)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the false-positive rate of a blocked filter must be 1e-9 to 0.5, "
        "not ",
        fp_rate));
  }
  return ForBitsPerKey(num_keys, BitsPerKeyFor(*FindKind("bloom"), fp_rate),
                       seed);
}

absl::StatusOr<BlockedBloomFilter> BlockedBloomFilter::ForBitsPerKey(
    uint64_t num_keys, double bits_per_key, uint64_t seed) {
  if (num_keys == 0) {
    return absl::InvalidArgumentError(
        "a filter needs room for at least 1 key, not 0");
  }
  if (!(bits_per_key >= 1 && bits_per_key <= 100)) {
    return absl::InvalidArgumentError(
        absl::StrCat("bits per key must be 1 to 100, not ", bits_per_key));
  }
  if (num_keys > KeysFor(kMaxLines, bits_per_key)) {
    return absl::InvalidArgumentError(
        absl::StrCat(num_keys, " keys at ", bits_per_key,
                     " bits per key need more than 4 GiB, the most that a "
                     "blocked filter can have"));
  }
  const uint32_t num_lines = LinesFor(num_keys, bits_per_key);
  absl::StatusOr<ZeroedBytes> lines =
      ZeroedBytes::Allocate(size_t{num_lines} * kLineBytes);
  if (!lines.ok()) return lines.status();
  return BlockedBloomFilter(
      *std::move(lines),
      blocked_bloom::kLines.choose_parameter(bits_per_key, num_keys, num_lines),
      seed);
}

BlockedBloomFilter::BlockedBloomFilter(ZeroedBytes lines, uint8_t num_probes,
                                       uint64_t seed)
    : lines_(std::move(lines)),
      context_(blocked_bloom::kLines.context(num_probes, kLineBytes)),
      seed_(seed),
      kernel_(
          KernelFor(*blocked_bloom::kLines.kernels, ChosenInstructionSet())) {}

uint32_t BlockedBloomFilter::NumLines() const {
  return static_cast<uint32_t>(lines_.size() / kLineBytes);
}

bool BlockedBloomFilter::Add(std::string_view key) {
  const uint64_t hash = KeyHash(key, seed_);
  uint8_t* const line =
      lines_.data() + kLineBytes * LineIndex(hash, NumLines());
  bool is_new = false;
  blocked_bloom::ForEachProbe(hash, num_probes(), [&](uint32_t bit) {
    const auto mask = static_cast<uint8_t>(1u << (bit % 8));
    is_new |= (line[bit / 8] & mask) == 0;
    line[bit / 8] |= mask;
    return true;
  });
  return is_new;
}

bool BlockedBloomFilter::MayContain(std::string_view key) const {
  const FilterLines lines = {lines_.data(), NumLines(), seed_, context_};
  return kernel_.key(lines, key.data(), key.size());
}

}  // namespace oneline
