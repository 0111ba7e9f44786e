// The bits per key of a RocksDB table where they depend on its level: with
// level_bits_per_key, or with `allocation` over the column family's tree.
//
// A filter policy learns of the tree from three sources. DB::Open shows the
// options of each column family, but not its name: the size ratio between
// levels, the number and size of the runs of level 0, and whether levels are
// counted from the last one. Each new table shows its level and whether older
// data lies below it. And each filter that is read says the same of the table
// that it was written for, and how many keys that has: if RocksDB opens all
// tables with the database, the whole tree is known from then on. A wrong guess
// costs false positives or memory, never a key.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "filter_policy/allocation/leveled_tree.h"
#include "filter_policy/rocksdb/rocksdb_live_tables.h"
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
  // of other styles than level compaction have no shape.
  void ObserveOptions(const rocksdb::DBOptions& db_options,
                      const rocksdb::ColumnFamilyOptions& options);

  // Takes note of a filter that is read. The table counts until the token is
  // destroyed, which may be after everything else. The token may be null.
  std::shared_ptr<const void> ObserveFilter(std::string_view block);

  // The table's bits per key, as builders take them, 0 for no filter; nullopt
  // if the level makes no difference. Must be called for every table, since it
  // learns from each. The first table takes some tens of milliseconds, others
  // one at most. REQUIRES: valid options.
  std::optional<double> BitsPerKey(
      const FilterOptions& options,
      const rocksdb::FilterBuildingContext& context);

  // Forgets what tables have shown. The shape stays.
  void ForgetTables();

 private:
  // What ObserveOptions saw.
  struct Shape {
    TreeShape tree;  // without size_ratios
    int max_level0_runs = 36;
    double size_ratio = 10;
    std::vector<int> extra_ratios;  // max_bytes_for_level_multiplier_additional
    std::optional<bool> from_last_level;  // ..._dynamic_level_bytes
    bool last_level_has_filters = true;   // !optimize_filters_for_hits
  };
  // The levels below level 0 that have tables, by those of a column family.
  struct Levels {
    int first = 0;  // 0: none seen
    int last = 0;
  };
  // Everything that the bits of a tree's levels depend on.
  using Key = std::tuple<Kind, std::optional<double>, std::optional<double>,
                         int, int, int, int, std::vector<double>, double, int,
                         bool, double, Allocation>;

  void Learn(uint8_t family, int level, bool is_bottommost);
  static bool KnowsAllTables(const Tree& known, const FilterOptions& options,
                             const rocksdb::FilterBuildingContext& context);
  double ForTheTreeAsItIs(const Tree& known, const FilterOptions& options,
                          const rocksdb::FilterBuildingContext& context);
  static Levels LevelsInUse(const Tree& known, const FilterOptions& options,
                            const rocksdb::FilterBuildingContext& context);
  void LogNews(const rocksdb::FilterBuildingContext& context, double bits);
  double ForTheShape(const Tree& known, const FilterOptions& options,
                     const rocksdb::FilterBuildingContext& context);
  std::vector<double> Plan(const Shape& observed, const FilterOptions& options,
                           const Levels& levels,
                           const rocksdb::FilterBuildingContext& context);

  // Filters that are read wait for it, so it is not held while bits are
  // computed or logged.
  mutable std::mutex mutex_;
  Shape shape_;
  std::map<uint8_t, Levels> seen_;  // by FamilyTag
  // The tables of the trees, unless some cannot be seen.
  std::shared_ptr<LiveTables> tables_ = std::make_shared<LiveTables>();
  bool sees_all_tables_ = true;

  std::mutex plans_mutex_;  // of what follows
  std::map<Key, std::vector<double>> plans_;
  // What the LOG says of a level of a column family.
  std::map<std::pair<std::string, int>, double> logged_;
};

struct LevelBits::Tree {
  Shape shape;
  std::map<uint8_t, Levels> seen;
  std::shared_ptr<LiveTables> tables = std::make_shared<LiveTables>();
  bool sees_all_tables = true;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LEVEL_BITS_H_
