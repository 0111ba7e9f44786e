// The bits per key of a RocksDB table by its place in the tree, as far as
// RocksDB tells of it: the level, whether older data lies below, the style of
// compaction, and the size ratio. options/tree_bits.h has the bits; here is how
// many levels above the last one a table is:
//
//   leveled    bottommost                       the last level
//              dynamic sizes                    by the level's number
//              static sizes                     as far as is known
//   universal  bottommost run                   the last level
//              others                           by the level's number
//   both       level 0                          by itself
//              level 0 of a load in key order   what was requested
//   others     files from outside, FIFO         what was requested

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "filter_policy/options/tree_bits.h"
#include "oneline/filter_options.h"
#include "oneline/version.h"

namespace oneline {

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
  // Takes what matters of the options of a column family that is opened. Of
  // those that share a policy it takes the smallest size ratio, static sizes if
  // any has them, and the most runs that start a compaction. Families with
  // optimize_filters_for_hits change nothing for others. (CreateColumnFamily
  // shows none: RocksDB's defaults are assumed then.)
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
  // Which of a tree's bits a table gets.
  enum class Place { kRequested, kLevel0, kLastLevel, kAbove };
  static Place PlaceOf(const FilterOptions& options,
                       const rocksdb::FilterBuildingContext& context,
                       bool is_load);
  // These REQUIRE that the mutex is locked.
  // Counts a table. Returns whether it is one of a load in key order.
  bool CountTable(const rocksdb::FilterBuildingContext& context);
  // 0 for no filter.
  double BitsPerKey(const FilterOptions& options, Kind kind, Place place,
                    const rocksdb::FilterBuildingContext& context) const;
  TreeSizes SizesOf(const rocksdb::FilterBuildingContext& context) const;
  // How many levels above the last one a table is that is neither bottommost
  // nor in level 0.
  double LevelsAbove(const rocksdb::FilterBuildingContext& context) const;

  // RocksDB moves the tables of a load in key order from level 0 to the last
  // level as they are, and tells the policy nothing of it. Such a load shows by
  // its flushes without a compaction: more than level 0 has in between, and all
  // since the database was opened. So each compaction allows so many flushes
  // the bits of level 0; by a hash of logger and column family. (Two with the
  // same hash share a count: a wrong one gives a flush the bits that were
  // requested, or a load those of level 0.)
  std::array<uint16_t, 256> level0_flushes_left_ = {};
  int compaction_runs_ = 4;  // of level 0
  double size_ratio_ = 0;    // 0: none was seen
  // Whether any has static sizes; RocksDB's default until one was seen. (Whole
  // ColumnFamilyOptions would have a block cache.)
  bool is_static_ = !rocksdb::AdvancedColumnFamilyOptions()
                         .level_compaction_dynamic_level_bytes;
  mutable std::mutex mutex_;
};

// Those of our policy; null for a policy of others.
const LevelBits* LevelBitsOf(const rocksdb::FilterPolicy& policy);

// RocksDB finds them by this name; it has the version as kOptionsName has.
inline constexpr char kLevelBitsName[] = "oneline.levels." ONELINE_VERSION;

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
