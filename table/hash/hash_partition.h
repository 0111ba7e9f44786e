// Brings the hashes of neighbouring lines together, in place: one level of an
// American flag sort (McIlroy, Bostic, McIlroy, "Engineering Radix Sort",
// 1993).
//
//   | lines first_line .. end_line           |  a range of the list
//   | part 0 | part 1 |   ...   | part n - 1 |  the same, permuted
//
// Every part but the last has the same number of lines, a power of 2.

#ifndef ONELINE_TABLE_HASH_HASH_PARTITION_H_
#define ONELINE_TABLE_HASH_HASH_PARTITION_H_

#include <cstddef>
#include <cstdint>

#include "table/hash/hash_list.h"

namespace oneline {

// The hashes [begin, end) of a list, which are those of the lines
// [first_line, end_line).
struct HashRange {
  size_t begin;
  size_t end;
  uint32_t first_line;
  uint32_t end_line;

  size_t num_hashes() const { return end - begin; }
  uint32_t num_lines() const { return end_line - first_line; }
};

class HashPartition {
 public:
  static constexpr uint32_t kMaxParts = 256;

  // Permutes the hashes of `range` among as many parts as wanted, or somewhat
  // fewer. `num_lines` is that of the filter. REQUIRES: 2 <= wanted_parts;
  // range.num_lines() >= 2.
  HashPartition(HashList& hashes, uint32_t num_lines, const HashRange& range,
                size_t wanted_parts);

  uint32_t num_parts() const { return num_parts_; }
  HashRange part(uint32_t i) const;

 private:
  uint32_t PartOf(uint64_t hash) const;
  void Count();
  bool MoveOnce();

  HashList& hashes_;
  const uint32_t num_lines_;
  const HashRange range_;
  int shift_ = 0;  // 2^shift_ lines in a part
  uint32_t num_parts_;
  size_t next_[kMaxParts];  // hashes before it are in place
  size_t ends_[kMaxParts];
};

}  // namespace oneline

#endif  // ONELINE_TABLE_HASH_HASH_PARTITION_H_
