// The bits per key of a RocksDB table where its level decides: by hand, or by
// allocation over the column family's tree.
//
// The tree is described by what RocksDB lets a filter policy know. DB::Open
// shows the options of each column family, not its name: the ratio of sizes
// from level to level, what a run of level 0 is, whether levels are counted
// from the last one. Each table shows its level and whether older data lies
// below it: the levels in use. A wrong guess costs false positives or memory,
// never a key.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "filter_policy/allocation/leveled_tree.h"
#include "oneline/filter_options.h"

namespace oneline {

// The kind of filter that a table gets: FilterOptions::kind and
// bloom_before_level.
Kind KindFor(const FilterOptions& options,
             const rocksdb::FilterBuildingContext& context);

// Thread-safe.
class LevelBits {
 public:
  // DB::Open has a column family with these options. Who shares a policy among
  // column families of different shapes has the shape of the last one for all.
  // (Those of other styles than level compaction have none.)
  void Told(const rocksdb::ColumnFamilyOptions& options);

  // Bits per key, 0 for no filter, as builders take them; nothing if the level
  // makes no difference. Called for every table, since it learns from each. A
  // new tree takes some tens of milliseconds, one that it knows no time.
  // REQUIRES: valid options.
  std::optional<double> BitsPerKey(
      const FilterOptions& options,
      const rocksdb::FilterBuildingContext& context);

 private:
  // What DB::Open told.
  struct Shape {
    TreeShape tree;  // but for size_ratios
    double size_ratio = 10;
    std::vector<int> extra_ratios;  // max_bytes_for_level_multiplier_additional
    std::optional<bool> from_last_level;  // ..._dynamic_level_bytes
    bool last_level_has_filters = true;   // not optimize_filters_for_hits
  };
  // Levels below level 0, as tables of a column family showed them.
  struct Levels {
    int first = 0;  // 0: none seen
    int last = 0;
  };
  // All that the bits of a tree's levels depend on.
  using Key =
      std::tuple<Kind, std::optional<double>, std::optional<double>, int, int,
                 int, int, std::vector<double>, double, int, bool>;

  void Learn(const rocksdb::FilterBuildingContext& context);
  Levels LevelsInUse(const FilterOptions& options,
                     const rocksdb::FilterBuildingContext& context) const;
  double Allocated(const FilterOptions& options,
                   const rocksdb::FilterBuildingContext& context);
  const std::vector<double>& Plan(
      const FilterOptions& options, const Levels& levels,
      const rocksdb::FilterBuildingContext& context);

  std::mutex mutex_;
  Shape shape_;
  std::map<std::string, Levels> seen_;  // by column family
  std::map<Key, std::vector<double>> plans_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
