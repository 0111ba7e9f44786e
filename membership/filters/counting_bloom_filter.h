// The counting Bloom filter: a counter in place of each bit, so that keys can
// be removed (Fan, Cao, Almeida, Broder, "Summary Cache", 2000).
//
// A counter that reaches its highest value is full and stays so for ever. So
// removing keys that were added never causes a false negative. No such filter
// can detect the removal of a false positive, a key that was never added but
// passes.

#ifndef ONELINE_MEMBERSHIP_FILTERS_COUNTING_BLOOM_FILTER_H_
#define ONELINE_MEMBERSHIP_FILTERS_COUNTING_BLOOM_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "membership/filters/key_hashers.h"
#include "membership/filters/zeroed_bytes.h"

namespace oneline {

// Not thread-safe while one thread adds or removes.
class CountingBloomFilter {
 public:
  // `counter_bits` is 4, 8 or 16: the filter takes that many times the memory
  // of a Bloom filter of the same shape, and has the same false positives.
  // Errors are those of BloomFilter.
  static absl::StatusOr<CountingBloomFilter> ForKeys(uint64_t num_keys,
                                                     double fp_rate,
                                                     int counter_bits = 4,
                                                     uint64_t seed = 0);
  static absl::StatusOr<CountingBloomFilter> ForShape(const FilterShape &shape,
                                                      int counter_bits = 4);

  // A key added several times stays until it was removed as often.
  void Add(std::string_view key);

  // Undoes one Add of this key. If the key is certainly not there, returns
  // false and changes nothing. REQUIRES: the key was added more often than
  // removed, or MayContain is false for it.
  bool Remove(std::string_view key);

  // False if the key is certainly not there.
  bool MayContain(std::string_view key) const;

  const FilterShape &shape() const { return shape_; }
  size_t num_bytes() const { return counters_.size() - kPadding; }
  // How many counters are full.
  uint64_t num_full() const { return num_full_; }

 private:
  CountingBloomFilter(const FilterShape &shape, int counter_bits,
                      ZeroedBytes counters)
      : shape_(shape),
        counter_bits_(counter_bits),
        counters_(std::move(counters)) {}

  // Counters are read and written as parts of two bytes.
  static constexpr size_t kPadding = 1;

  uint32_t MaxCount() const { return (uint32_t{1} << counter_bits_) - 1; }
  uint32_t Get(uint64_t i) const;
  void Set(uint64_t i, uint32_t count);

  FilterShape shape_;
  int counter_bits_;
  ZeroedBytes counters_;
  uint64_t num_full_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_COUNTING_BLOOM_FILTER_H_
