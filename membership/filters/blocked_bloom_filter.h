// A Bloom filter for speed: the lines of table/bloom/blocked_bloom.h, filled
// key by key. Adding and looking up each touch one cache line, where the
// classic filter touches k (2, on average, to find that a key is absent).
//
// The price is in false positives, because some lines get more keys than
// others: at 10 bits per key 18 % more than the classic filter, at 20 bits per
// key 2.9 times as many (docs/membership.md).

#ifndef ONELINE_MEMBERSHIP_FILTERS_BLOCKED_BLOOM_FILTER_H_
#define ONELINE_MEMBERSHIP_FILTERS_BLOCKED_BLOOM_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "membership/storage/zeroed_bytes.h"
#include "table/simd/probe.h"

namespace oneline {

// Not thread-safe while one thread adds.
class BlockedBloomFilter {
 public:
  // For `num_keys` keys (1 or more) at this false-positive rate, 1e-9 to 0.5,
  // in at most 4 GiB. InvalidArgument if that can't be, ResourceExhausted if
  // there is no such memory.
  static absl::StatusOr<BlockedBloomFilter> ForKeys(uint64_t num_keys,
                                                    double fp_rate,
                                                    uint64_t seed = 0);

  // The same by memory: 1 to 100 bits for each key.
  static absl::StatusOr<BlockedBloomFilter> ForBitsPerKey(uint64_t num_keys,
                                                          double bits_per_key,
                                                          uint64_t seed = 0);

  // True if the key certainly was not there.
  bool Add(std::string_view key);

  // False if the key certainly was not added.
  bool MayContain(std::string_view key) const;

  // The same for `n` keys, whose cache misses overlap.
  void MayContain(const std::string_view* keys, size_t n,
                  bool* may_contain) const;

  int num_probes() const { return num_probes_; }
  size_t num_bytes() const { return lines_.size(); }

 private:
  BlockedBloomFilter(ZeroedBytes lines, uint8_t num_probes, uint64_t seed);

  uint32_t NumLines() const;

  ZeroedBytes lines_;
  uint8_t num_probes_;
  uint64_t seed_;
  ProbeKernel kernel_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_BLOCKED_BLOOM_FILTER_H_
