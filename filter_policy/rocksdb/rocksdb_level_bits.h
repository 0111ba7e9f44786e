// The bits per key of a RocksDB table where they depend on its level: with
// level_bits_per_key, or with allocation=monkey over the column family's tree.
//
// A filter policy learns the shape of the tree from two sources. DB::Open shows
// the options of each column family, but not its name: the size ratio between
// levels, the number and size of the runs of level 0, and whether levels are
// counted from the last one. Each new table shows its level and whether older
// data lies below it, and so which levels are in use. A wrong guess costs false
// positives or memory, never a key.

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

// The kind of filter that a table gets, by FilterOptions::kind and
// bloom_before_level.
Kind KindFor(const FilterOptions& options,
             const rocksdb::FilterBuildingContext& context);

// Thread-safe.
class LevelBits {
 public:
  // What is known of the tree, opaque to others: the successor of a policy gets
  // it from its predecessor.
  struct Tree;

  LevelBits() = default;
  explicit LevelBits(const Tree& tree);
  Tree tree() const;

  // Takes the tree's shape from the options of a column family that is opened.
  // If several share a policy, the shape of the last one holds for all. Options
  // of other styles than level compaction are ignored: they have no shape.
  void ObserveOptions(const rocksdb::ColumnFamilyOptions& options);

  // The table's bits per key, as builders take them, 0 for no filter; nullopt
  // if the level makes no difference. Must be called for every table, since it
  // learns from each. The first table of a new shape takes some tens of
  // milliseconds, others no time. REQUIRES: valid options.
  std::optional<double> BitsPerKey(
      const FilterOptions& options,
      const rocksdb::FilterBuildingContext& context);

  // Forgets what tables have shown. The shape stays.
  void ForgetLevels();

 private:
  // What ObserveOptions saw.
  struct Shape {
    TreeShape tree;  // without size_ratios
    double size_ratio = 10;
    std::vector<int> extra_ratios;  // max_bytes_for_level_multiplier_additional
    std::optional<bool> from_last_level;  // ..._dynamic_level_bytes
    bool last_level_has_filters = true;   // !optimize_filters_for_hits
  };
  // The levels in use below level 0, by the tables of a column family.
  struct Levels {
    int first = 0;  // 0: none seen
    int last = 0;
  };
  // Everything that the bits of a tree's levels depend on.
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

  mutable std::mutex mutex_;
  Shape shape_;
  std::map<std::string, Levels> seen_;  // by column family
  std::map<Key, std::vector<double>> plans_;
};

struct LevelBits::Tree {
  Shape shape;
  std::map<std::string, Levels> seen;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
