// The classic Bloom filter: m bits, of which each key sets k. It never denies a
// key that was added, and takes an absent one for present with probability
// (1 - e^(-kn/m))^k after n keys (classic_model.h).
//
//   bit i of the filter = bit (i % 8) of byte i / 8
//
// A saved filter, all numbers little-endian (docs/membership.md specifies it):
//
//   0          magic       8: 89 6f 6e 65 42 46 0d 0a
//   8          version     1, now 1
//   9          hasher      1, see key_hashers.h
//   10         num_hashes  1
//   11         key_form    1, see key_hashers.h
//   12         zero        4
//   16         seed        8
//   24         num_bits    8
//   32         bits_set    8, how many of them are
//   40         checksum    8, XXH3-64 of the 40 bytes before, seed 0
//   48         bits        ceil(num_bits / 8), bits past num_bits are 0
//   end - 8    checksum    8, XXH3-64 of the bits, its seed the one before

#ifndef ONELINE_MEMBERSHIP_FILTERS_BLOOM_FILTER_H_
#define ONELINE_MEMBERSHIP_FILTERS_BLOOM_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "membership/filters/key_hashers.h"
#include "membership/storage/zeroed_bytes.h"

namespace oneline {

// Add, MayContain and the figures may be called by many threads at once: none
// waits for another, and a key whose Add has returned is found by every thread
// that knows of that. The other calls want the filter for themselves.
class BloomFilter {
 public:
  // For so many keys at this false-positive rate: see ShapeForKeys. With more
  // keys the rate grows.
  static absl::StatusOr<BloomFilter> ForKeys(uint64_t num_keys, double fp_rate,
                                             uint64_t seed = 0);

  // From m, k and the hasher.
  static absl::StatusOr<BloomFilter> ForShape(const FilterShape& shape);

  // From its size in bytes, as ClickHouse has it.
  static absl::StatusOr<BloomFilter> ForBytes(size_t num_bytes, int num_hashes,
                                              uint64_t seed);

  // A filter that was saved. NotFound and the like if the file can't be read,
  // DataLoss if it was cut or changed, Unimplemented if a later version wrote
  // it, ResourceExhausted if there is no memory for it.
  static absl::StatusOr<BloomFilter> Load(const std::string& path);

  // True if the key certainly was not there: it has set a bit. Of threads that
  // add the same new key at once, at least one is told so.
  bool Add(std::string_view key);

  // False if the key certainly was not added.
  bool MayContain(std::string_view key) const;

  // Adds all that `other` holds. InvalidArgument unless their shapes are equal.
  absl::Status Union(const BloomFilter& other);

  // The file is replaced whole or not at all (atomic_file.h).
  absl::Status Save(const std::string& path) const;

  const FilterShape& shape() const { return shape_; }
  size_t num_bytes() const { return bits_.size(); }

  // The number of bits set, X. Each Add counts those it set, so none of the
  // figures below looks at the bits.
  uint64_t bits_set() const;
  // X / m, 0 to 1; 0.5 when a filter made by ForKeys holds its keys.
  double FillRatio() const;
  // The number of different keys that were added, as far as X tells it: see
  // ClassicBloomKeys. Infinite once all bits are set.
  double EstimatedKeys() const;
  // The probability that an absent key passes now: (X / m)^k.
  double EstimatedFpRate() const;

 private:
  BloomFilter(const FilterShape& shape, ZeroedBytes bits)
      : shape_(shape), bits_(std::move(bits)) {}

  uint64_t CountBits() const;

  FilterShape shape_;
  ZeroedBytes bits_;
  // Atomic when keys are added; a plain number, so that filters can be moved.
  uint64_t bits_set_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_BLOOM_FILTER_H_
