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
#include <rocksdb/slice_transform.h>
#include <rocksdb/table_properties.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

namespace oneline {

// Reads one block as RocksDB does with our policy. Refers to the block, which
// must outlive it. Thread-safe.
std::unique_ptr<rocksdb::FilterBitsReader> NewFilterReader(
    std::string_view block);

class FilterWalk {
 public:
  // What the table put into its filter is in its properties. Refers to the
  // blocks, which must outlive it. REQUIRES: there is a block.
  FilterWalk(const rocksdb::TableProperties& properties,
             const std::vector<std::string>& blocks);

  // Whether whole keys are in the filter, perhaps beside prefixes.
  bool has_whole_keys() const { return whole_keys_; }

  // Not empty if prefixes are in the filter but cannot be computed, because
  // this program does not have their extractor: its name.
  const std::string& unknown_extractor() const { return unknown_extractor_; }

  // The prefix of a key that is in the filter, if it has one.
  std::optional<std::string_view> PrefixOf(std::string_view key) const;

  // Whether the key and its prefix, as far as they are in the filter, pass the
  // current partition or a later one, which then becomes the current one. Keys
  // must come in the table's order.
  bool MayMatch(std::string_view key);

  // The number of the current partition.
  size_t partition() const { return partition_; }

 private:
  const bool whole_keys_;
  std::shared_ptr<const rocksdb::SliceTransform> prefixes_;
  std::string unknown_extractor_;
  std::vector<std::unique_ptr<rocksdb::FilterBitsReader>> readers_;
  size_t partition_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_WALK_H_
