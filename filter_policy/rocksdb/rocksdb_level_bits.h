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
//              level 0 of a load in key order   what was asked for
//   others     files from outside, FIFO         what was asked for

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <array>
#include <cstdint>
#include <mutex>

#include "filter_policy/options/tree_bits.h"
#include "oneline/filter_options.h"

namespace oneline {

// The kind of filter that a table gets, by FilterOptions::kind and
// bloom_before_level.
Kind KindFor(const FilterOptions& options,
             const rocksdb::FilterBuildingContext& context);

// The number for the table's level in level_bits_per_key, as builders take it;
// the last one if the level is not known. REQUIRES: the list is not empty.
double BitsFromList(const FilterOptions& options,
                    const rocksdb::FilterBuildingContext& context);

// Thread-safe.
class LevelBits {
 public:
  // Takes what matters of the options of a column family that is opened. Of
  // those that share a policy it takes the smallest size ratio, static sizes if
  // any has them, and the most runs that start a compaction. Families with
  // optimize_filters_for_hits change nothing for others. (CreateColumnFamily
  // shows none: RocksDB's defaults are assumed then.)
  void ObserveOptions(const rocksdb::ColumnFamilyOptions& options);

  // The bits per key of a new table with bits_by_level, where `asked` are as
  // from AskedBitsPerKey. Must be called for every table, since it counts
  // flushes and compactions.
  double BitsPerKey(const FilterOptions& options, double asked,
                    const rocksdb::FilterBuildingContext& context);

 private:
  // These REQUIRE that the mutex is locked.
  uint16_t& Level0FlushesLeft(const rocksdb::FilterBuildingContext& context);
  TreeSizes SizesOf(const rocksdb::FilterBuildingContext& context) const;
  // How many levels above the last one a table is that is neither bottommost
  // nor in level 0.
  double LevelsAbove(const rocksdb::FilterBuildingContext& context) const;

  // RocksDB moves the tables of a load in key order from level 0 to the last
  // level as they are, and tells the policy nothing of it. Such a load shows by
  // its flushes without a compaction: more than level 0 has in between, and all
  // since the database was opened. So each compaction allows so many flushes
  // the bits of level 0; by a hash of logger and column family. (Two with the
  // same hash share a count: a wrong one gives a flush the bits that were asked
  // for, or a load those of level 0.)
  std::array<uint16_t, 256> level0_flushes_left_ = {};
  int compaction_runs_ = 4;  // of level 0
  double size_ratio_ = 0;    // 0: none was seen
  // Whether any has static sizes; RocksDB's default until one was seen. (Whole
  // ColumnFamilyOptions would have a block cache.)
  bool is_static_ = !rocksdb::AdvancedColumnFamilyOptions()
                         .level_compaction_dynamic_level_bytes;
  std::mutex mutex_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
