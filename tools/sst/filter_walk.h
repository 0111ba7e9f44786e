// Looks the keys of a table up in its filter, in the order of the table, and
// finds the partition of each.
//
// Partitions follow each other as their keys do, but don't tell where they
// begin. So a key that the partition at hand does not let pass must be of the
// next one. A key that is missing there as well is missing for certain. One
// that is missing in its own partition and passes the next by chance leads into
// that too early; but the keys after it are of the partition that was left, and
// but for a part as small as the false-positive rate each of them is then found
// missing. What can go unseen is one such key at the very end of a partition.
//
// Where a filter has prefixes only, there may be partitions whose keys have
// none, and which have at most the last prefix of the one before: those are
// passed over.

#ifndef ONELINE_TOOLS_SST_FILTER_WALK_H_
#define ONELINE_TOOLS_SST_FILTER_WALK_H_

#include <rocksdb/filter_policy.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tools/sst/filtered_keys.h"

namespace oneline {

// How RocksDB reads a block, by our policy. Borrows the block. Thread-safe.
class FilterReader {
 public:
  explicit FilterReader(std::string_view block);
  bool MayMatch(std::string_view key) const;

 private:
  std::unique_ptr<rocksdb::FilterBitsReader> reader_;
};

class FilterWalk {
 public:
  // Borrows both. REQUIRES: there is a block.
  FilterWalk(const std::vector<std::string>& blocks, const FilteredKeys& keys);

  // Whether all that the filter should have of a key is in it: in the partition
  // at hand, or in one after it, which then is at hand.
  bool MayMatch(const FilteredKeys::Entries& entries);

  // The number of the partition at hand.
  size_t partition() const { return partition_; }

 private:
  bool MatchesAll(size_t partition, const FilteredKeys::Entries& entries) const;

  const bool passes_over_;  // partitions without a key
  std::vector<FilterReader> readers_;
  size_t partition_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_WALK_H_
