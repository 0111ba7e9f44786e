// The bits per key of a RocksDB table by its place in the tree.
//
// A lookup of an absent key asks a filter of each sorted run, and a false
// positive of a small run costs as much as one of a large run. So the last
// level, which has nearly all keys, gets the bits that were asked for, and
// smaller levels get more (FactorAbove, kLevel0Factor):
//
//   leveled    last level            1 times the bits asked for
//              i levels above it     1 + i * 0.025 * (size ratio - 1) times
//              level 0               1.4 times
//   universal  bottommost run        1 times
//              i levels above it     1 + (i - 1) * 0.075 times
//              level 0               1.4 times
//   others     1 times
//
// No table gets fewer bits than were asked for. docs/internals/allocation.md
// has the measurements behind the numbers.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <array>
#include <atomic>
#include <cstdint>

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

// Thread-safe, without a lock. What it remembers are guesses: where they are
// wrong, filters take a little more memory or have a few more false positives,
// but never more of these than with the bits asked for.
class LevelBits {
 public:
  // Takes what matters of the options of a column family that is opened. Of
  // those that share a policy it takes the smallest size ratio, and the most
  // runs that start a compaction. (CreateColumnFamily shows none: RocksDB's
  // defaults of 10 and 4 are assumed then.)
  void ObserveOptions(const rocksdb::ColumnFamilyOptions& options);

  // The bits per key of a new table for which `asked`, 0 or 1 to 100, were
  // asked. Must be called for every table, since it learns from each.
  double BitsPerKey(double asked,
                    const rocksdb::FilterBuildingContext& context);

 private:
  // What the tables of a column family have shown since the database was
  // opened.
  struct Tree {
    // Flushes since a compaction wrote a table. (That it begins anew after some
    // ten thousand does not matter.)
    std::atomic<uint16_t> flushes{kNoCompaction};
    // The deepest level that has tables.
    std::atomic<uint16_t> deepest{0};
  };
  static constexpr uint16_t kNoCompaction = 1 << 15;

  double Factor(const rocksdb::FilterBuildingContext& context);
  double FactorInLevels(Tree& tree,
                        const rocksdb::FilterBuildingContext& context) const;

  // By a hash of database and column family. Two with the same share a tree.
  std::array<Tree, 256> trees_;
  std::atomic<double> size_ratio_{0};    // 0: none was seen
  std::atomic<int> compaction_runs_{4};  // of level 0
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
