// The classic Bloom filter: m bits, of which each key sets k. It has no false
// negatives; with n keys its false-positive rate is (1 - e^(-kn/m))^k
// (classic_model.h).
//
//   bit i of the filter = bit (i % 8) of byte i / 8
//
// membership/README.md specifies the file of a saved filter.

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
#include "membership/filters/zeroed_bytes.h"

namespace oneline {

// Many threads may call Add, MayContain and the figures below at once, without
// locks: a key is found by every thread that learnt, through anything that
// synchronizes threads, that its Add has returned. No other thread may use the
// filter during the other calls.
class BloomFilter {
 public:
  // For `num_keys` keys at this false-positive rate: see ShapeForKeys. With
  // more keys the rate grows.
  static absl::StatusOr<BloomFilter> ForKeys(uint64_t num_keys, double fp_rate,
                                             uint64_t seed = 0);

  // From m, k and the hasher.
  static absl::StatusOr<BloomFilter> ForShape(const FilterShape& shape);

  // From the size in bytes, as in ClickHouse.
  static absl::StatusOr<BloomFilter> ForBytes(size_t num_bytes, int num_hashes,
                                              uint64_t seed);

  // Loads a saved filter. NotFound or the system's error if the file can't be
  // read, DataLoss if it was truncated or changed, Unimplemented if a later
  // version wrote it, ResourceExhausted without the memory.
  static absl::StatusOr<BloomFilter> Load(const std::string& path);

  // Adds a key. True if it was certainly not there before, because it set a
  // bit. When threads add the same new key at once, at least one gets true.
  bool Add(std::string_view key);

  // False if the key was certainly not added.
  bool MayContain(std::string_view key) const;

  // Replaces the file as a whole or not at all, and returns when it is on the
  // disk. A crash may leave a file NAME.tmp.PID. A file that is replaced keeps
  // its permissions, and a symbolic link stays one.
  absl::Status Save(const std::string& name) const;

  const FilterShape& shape() const { return shape_; }
  size_t num_bytes() const { return bits_.size(); }

  // X, the number of bits set. Each Add counts those that it set, so none of
  // these figures reads the bits.
  uint64_t bits_set() const;
  // X / m, 0 to 1; about 0.5 when a filter made by ForKeys has its keys.
  double FillRatio() const;
  // The number of different keys added, estimated from X: see
  // ClassicBloomKeys. Infinite once all bits are set.
  double EstimatedKeys() const;
  // The current false-positive rate: (X / m)^k.
  double EstimatedFpRate() const;

 private:
  BloomFilter(const FilterShape& shape, ZeroedBytes bits)
      : shape_(shape), bits_(std::move(bits)) {}

  uint64_t CountBits() const;

  FilterShape shape_;
  ZeroedBytes bits_;
  // Add changes it atomically. Not std::atomic, so that filters can be moved.
  uint64_t bits_set_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_BLOOM_FILTER_H_
