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
// prefix. The walk skips such a partition.

#ifndef ONELINE_TOOLS_SST_FILTER_WALK_H_
#define ONELINE_TOOLS_SST_FILTER_WALK_H_

#include <rocksdb/filter_policy.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tools/sst/filtered_keys.h"
#include "tools/sst/sst_reader.h"

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

  // The number of the current partition.
  size_t partition() const { return partition_; }

 private:
  const bool may_skip_;  // partitions whose keys have no prefix
  std::vector<std::unique_ptr<rocksdb::FilterBitsReader>> readers_;
  size_t partition_ = 0;
};

// Receives the entries read since the previous call, and all of the table.
using EntryProgress = std::function<void(uint64_t read, uint64_t all)>;

// One key of a table. The views are valid during the visit only.
struct DistinctKey {
  std::string_view key;
  // What the filter must contain for this key, and whether all of it passes.
  FilteredKeys::Entries entries;
  bool passes = false;
  // The partition that it passes, or, for a key that does not pass, the one
  // that the key before it passed. 0 for a filter without partitions.
  size_t partition = 0;
  // The key has a prefix, and the last key before it that had one had the same.
  bool repeats_prefix = false;
};

// Calls `visit` once for each distinct key of the table, deleted ones included,
// in the table's order, until it returns false. Calls `progress` every 16,384
// entries and at the end. REQUIRES: the table has a filter block. Errors: those
// of SstReader::ForEachEntry; a key that does not pass is no error.
absl::Status ForEachDistinctKey(
    SstReader& table, const FilteredKeys& keys, const EntryProgress& progress,
    const std::function<bool(const DistinctKey&)>& visit);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_WALK_H_
