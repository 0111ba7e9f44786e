#include "membership/filters/counting_bloom_filter.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "table/hash/little_endian.h"

namespace oneline {
namespace {

// Writes the different positions of a key, which counts once at each of them.
// Returns how many there are.
int DifferentPositions(const FilterShape &shape, std::string_view key,
                       uint64_t *positions) {
  KeyPositions(shape, key, positions);
  uint64_t *const end = positions + shape.num_hashes;
  std::sort(positions, end);
  return static_cast<int>(std::unique(positions, end) - positions);
}

}  // namespace

absl::StatusOr<CountingBloomFilter> CountingBloomFilter::ForKeys(
    uint64_t num_keys, double fp_rate, int counter_bits, uint64_t seed) {
  const auto shape = ShapeForKeys(num_keys, fp_rate, seed);
  return shape.ok() ? ForShape(*shape, counter_bits) : shape.status();
}

absl::StatusOr<CountingBloomFilter> CountingBloomFilter::ForShape(
    const FilterShape &shape, int counter_bits) {
  const absl::Status checked = CheckShape(shape);
  if (!checked.ok()) return checked;
  if (counter_bits != 4 && counter_bits != 8 && counter_bits != 16) {
    return absl::InvalidArgumentError(
        absl::StrCat("counters must have 4, 8 or 16 bits, not ", counter_bits));
  }
  absl::StatusOr<ZeroedBytes> counters = ZeroedBytes::Allocate(
      (shape.num_positions * static_cast<uint64_t>(counter_bits) + 7) / 8 +
      kPadding);
  if (!counters.ok()) return counters.status();
  return CountingBloomFilter(shape, counter_bits, *std::move(counters));
}

uint32_t CountingBloomFilter::Get(uint64_t i) const {
  const uint64_t bit = i * static_cast<uint64_t>(counter_bits_);
  const uint8_t *const bytes = counters_.data() + bit / 8;
  return GetLittleEndian<uint16_t>(bytes) >> bit % 8 & MaxCount();
}

void CountingBloomFilter::Set(uint64_t i, uint32_t count) {
  const uint64_t bit = i * static_cast<uint64_t>(counter_bits_);
  uint8_t *const bytes = counters_.data() + bit / 8;
  const uint32_t others =
      GetLittleEndian<uint16_t>(bytes) & ~(MaxCount() << bit % 8);
  PutLittleEndian(static_cast<uint16_t>(others | count << bit % 8), bytes);
}

void CountingBloomFilter::Add(std::string_view key) {
  uint64_t positions[kMaxHashes];
  const int n = DifferentPositions(shape_, key, positions);
  for (int i = 0; i < n; ++i) {
    const uint32_t count = Get(positions[i]);
    if (count == MaxCount()) continue;
    Set(positions[i], count + 1);
    if (count + 1 == MaxCount()) ++num_full_;
  }
}

bool CountingBloomFilter::Remove(std::string_view key) {
  uint64_t positions[kMaxHashes];
  const int n = DifferentPositions(shape_, key, positions);
  for (int i = 0; i < n; ++i) {
    if (Get(positions[i]) == 0) return false;
  }
  for (int i = 0; i < n; ++i) {
    const uint32_t count = Get(positions[i]);
    if (count != MaxCount()) Set(positions[i], count - 1);
  }
  return true;
}

bool CountingBloomFilter::MayContain(std::string_view key) const {
  uint64_t positions[kMaxHashes];
  KeyPositions(shape_, key, positions);
  for (int i = 0; i < shape_.num_hashes; ++i) {
    if (Get(positions[i]) == 0) return false;
  }
  return true;
}

}  // namespace oneline
