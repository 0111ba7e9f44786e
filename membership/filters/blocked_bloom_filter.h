// A Bloom filter for speed: the lines of table/bloom/blocked_bloom.h, filled
// key by key. Adding or looking up a key touches one cache line. It has more
// false positives than the classic filter (membership/README.md).

#ifndef ONELINE_MEMBERSHIP_FILTERS_BLOCKED_BLOOM_FILTER_H_
#define ONELINE_MEMBERSHIP_FILTERS_BLOCKED_BLOOM_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "membership/filters/zeroed_bytes.h"
#include "table/simd/lookups.h"

namespace oneline {

// Not thread-safe while one thread adds.
class BlockedBloomFilter {
 public:
  // For `num_keys` keys (1 or more) at this false-positive rate, 1e-9 to 0.5,
  // in at most 4 GiB. InvalidArgument outside of these bounds,
  // ResourceExhausted if the system does not give the memory.
  static absl::StatusOr<BlockedBloomFilter> ForKeys(uint64_t num_keys,
                                                    double fp_rate,
                                                    uint64_t seed = 0);

  // The same for given memory: 1 to 100 bits per key.
  static absl::StatusOr<BlockedBloomFilter> ForBitsPerKey(uint64_t num_keys,
                                                          double bits_per_key,
                                                          uint64_t seed = 0);

  // Adds a key. True if it was certainly not there before.
  bool Add(std::string_view key);

  // False if the key was certainly not added.
  bool MayContain(std::string_view key) const;

  int num_probes() const { return context_.parameter; }
  size_t num_bytes() const { return lines_.size(); }

 private:
  BlockedBloomFilter(ZeroedBytes lines, uint8_t num_probes, uint64_t seed);

  uint32_t NumLines() const;

  ZeroedBytes lines_;
  LineContext context_;  // its parameter is the number of probes
  uint64_t seed_;
  ProbeKernel kernel_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_BLOCKED_BLOOM_FILTER_H_
