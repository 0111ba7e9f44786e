#include "membership/filters/bloom_filter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "membership/filters/classic_model.h"

namespace oneline {
namespace {

// C++17 has no atomic operations for plain memory. Relaxed is enough: a thread
// learns from another that a key was added through something that orders
// memory.
uint8_t AtomicLoad(const uint8_t* byte) {
  return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

uint8_t Mask(uint64_t position) {
  return static_cast<uint8_t>(1u << (position % 8));
}

// Returns whether the bit was clear.
bool SetBit(uint8_t* bits, uint64_t position) {
  uint8_t* const byte = bits + position / 8;
  const uint8_t mask = Mask(position);
  // In a filter in use the bit is often set already. Reading it first leaves
  // the cache line shared among the processors.
  if ((AtomicLoad(byte) & mask) != 0) return false;
  return (__atomic_fetch_or(byte, mask, __ATOMIC_RELAXED) & mask) == 0;
}

}  // namespace

absl::StatusOr<BloomFilter> BloomFilter::ForKeys(uint64_t num_keys,
                                                 double fp_rate,
                                                 uint64_t seed) {
  const auto shape = ShapeForKeys(num_keys, fp_rate, seed);
  return shape.ok() ? ForShape(*shape) : shape.status();
}

absl::StatusOr<BloomFilter> BloomFilter::ForShape(const FilterShape& shape) {
  const absl::Status checked = CheckShape(shape);
  if (!checked.ok()) return checked;
  absl::StatusOr<ZeroedBytes> bits =
      ZeroedBytes::Allocate((shape.num_positions + 7) / 8);
  if (!bits.ok()) return bits.status();
  return BloomFilter(shape, *std::move(bits));
}

absl::StatusOr<BloomFilter> BloomFilter::ForBytes(size_t num_bytes,
                                                  int num_hashes,
                                                  uint64_t seed) {
  if (num_bytes > kMaxPositions / 8) {
    return absl::InvalidArgumentError(
        absl::StrCat("a filter can have at most 2^45 bytes, not ", num_bytes));
  }
  FilterShape shape;
  shape.num_positions = 8 * uint64_t{num_bytes};
  shape.num_hashes = num_hashes;
  shape.seed = seed;
  return ForShape(shape);
}

bool BloomFilter::Add(std::string_view key) {
  uint64_t positions[kMaxHashes];
  KeyPositions(shape_, key, positions);
  const int k = shape_.num_hashes;
  // An atomic write waits for its cache line, and the next write waits for it.
  // Prefetching all lines lets the misses overlap.
  for (int i = 0; i < k; ++i) {
    __builtin_prefetch(bits_.data() + positions[i] / 8, /*rw=*/1);
  }
  uint64_t newly_set = 0;
  for (int i = 0; i < k; ++i) newly_set += SetBit(bits_.data(), positions[i]);
  if (newly_set == 0) return false;
  __atomic_fetch_add(&bits_set_, newly_set, __ATOMIC_RELAXED);
  return true;
}

bool BloomFilter::MayContain(std::string_view key) const {
  uint64_t positions[kMaxHashes];
  KeyPositions(shape_, key, positions);
  for (int i = 0; i < shape_.num_hashes; ++i) {
    const uint8_t byte = AtomicLoad(bits_.data() + positions[i] / 8);
    if ((byte & Mask(positions[i])) == 0) return false;
  }
  return true;
}

uint64_t BloomFilter::CountBits() const {
  uint64_t count = 0;
  for (size_t at = 0; at < bits_.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bits_.data() + at,
                std::min(sizeof(word), bits_.size() - at));
    count += static_cast<uint64_t>(__builtin_popcountll(word));
  }
  return count;
}

uint64_t BloomFilter::bits_set() const {
  return __atomic_load_n(&bits_set_, __ATOMIC_RELAXED);
}

double BloomFilter::FillRatio() const {
  return static_cast<double>(bits_set()) /
         static_cast<double>(shape_.num_positions);
}

double BloomFilter::EstimatedKeys() const {
  return ClassicBloomKeys(shape_.num_positions, shape_.num_hashes, bits_set());
}

double BloomFilter::EstimatedFpRate() const {
  return std::pow(FillRatio(), shape_.num_hashes);
}

}  // namespace oneline
