// Looks the keys of a table up in its filter, in the table's order, and finds
// the partition of each key.
//
// Partitions have the order of their keys but do not say where they begin. So a
// key that does not pass the current partition must belong to the next one; if
// it does not pass that either, it is missing.
//
// A missing key that passes the next partition by chance moves the walk there
// too early. The keys that follow still belong to the partition before, so they
// are reported missing, except for a share as small as the false-positive rate.
// Only a missing key that is the last of its partition can go unnoticed.
//
// If a filter has prefixes only, the keys of some partitions may have no
// prefix. Such a partition has at most the last prefix of the partition before
// it; the walk skips it.

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

// Reads one block as RocksDB does with our policy. Refers to the block, which
// must outlive it. Thread-safe.
std::unique_ptr<rocksdb::FilterBitsReader> NewFilterReader(
    std::string_view block);

class FilterWalk {
 public:
  // Refers to both arguments, which must outlive it. REQUIRES: `blocks` is not
  // empty.
  FilterWalk(const std::vector<std::string>& blocks, const FilteredKeys& keys);

  // Whether all entries of a key pass the current partition or a later one,
  // which then becomes the current one. Keys must come in the table's order.
  bool MayMatch(const FilteredKeys::Entries& entries);

  // The same of n keys, whose cache misses overlap: at most kMaxBatch, and one
  // if there is more than one block.
  static constexpr size_t kMaxBatch = 16;
  void MayMatch(const FilteredKeys::Entries* entries, size_t n, bool* passes);

  // The number of the current partition.
  size_t partition() const { return partition_; }

 private:
  const bool may_skip_;  // partitions whose keys have no prefix
  std::vector<std::unique_ptr<rocksdb::FilterBitsReader>> readers_;
  size_t partition_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_WALK_H_
