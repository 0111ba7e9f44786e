// The filter of a new RocksDB table by the options of the policy and by the
// table's place in its tree, as oneline/level_filters.h has it.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <mutex>
#include <optional>

#include "oneline/filter_options.h"
#include "oneline/level_filters.h"
#include "oneline/version.h"

namespace oneline {

// No level gets more bits per key than these, unless more were requested. A
// rate of one in 20,000 is small beside those of the levels below; and RocksDB
// from 10.9 on reckons with 2 bytes for each key of an open partition where it
// keeps files below their target size.
inline constexpr double kMostBits = 16;

// How a kind spreads bits. `requested`: as from RequestedBitsPerKey.
LevelRule RuleFor(const FilterOptions& options, double requested);

// The filter of a new table.
struct NewFilter {
  Kind kind = Kind::kRibbon;
  double bits_per_key = 0;  // 1 or more, as RoundedBitsPerKey rounds them
};

// The kind of filter that a table gets, by FilterOptions::kind and
// bloom_before_level.
Kind KindFor(const FilterOptions& options,
             const rocksdb::FilterBuildingContext& context);

// What matters of the options of the column families that share a policy, and
// how many tables it has written. Thread-safe.
class LevelBits {
 public:
  // As ObservedTree::Observe.
  void ObserveOptions(const rocksdb::ColumnFamilyOptions& options);

  // The filter of a table that is about to be written; nothing for no filter.
  // Counts flushes and compactions.
  std::optional<NewFilter> BeginTable(
      const FilterOptions& options,
      const rocksdb::FilterBuildingContext& context);

  // The bits per key that BeginTable would give, 0 for no filter; `is_load`: if
  // it were one of a load in key order. Counts nothing.
  double BitsPerKey(const FilterOptions& options,
                    const rocksdb::FilterBuildingContext& context,
                    bool is_load) const;

 private:
  mutable std::mutex mutex_;
  ObservedTree tree_;
};

// Those of our policy; null for a policy of others.
const LevelBits* LevelBitsOf(const rocksdb::FilterPolicy& policy);

// RocksDB finds them by this name; it has the version as kOptionsName has.
inline constexpr char kLevelBitsName[] = "oneline.levels." ONELINE_VERSION;

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
