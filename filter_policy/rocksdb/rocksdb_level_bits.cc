#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "filter_policy/options/bits_per_key.h"
#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

using rocksdb::FilterBuildingContext;
using rocksdb::TableFileCreationReason;

// Replaces the value by `now` unless it is better already.
template <typename Value, typename Now, typename Better>
void Update(std::atomic<Value>& value, Now now, Better is_better) {
  Value seen = value.load(std::memory_order_relaxed);
  while (is_better(seen, static_cast<Value>(now)) &&
         !value.compare_exchange_weak(seen, static_cast<Value>(now),
                                      std::memory_order_relaxed)) {
  }
}

bool IsFlush(const FilterBuildingContext& context) {
  return context.reason == TableFileCreationReason::kFlush ||
         context.reason == TableFileCreationReason::kRecovery;
}

// If RocksDB does not tell the level, or the compaction style has no levels,
// the table counts as one of the last level, whose tables live longest.
int LevelOf(const FilterBuildingContext& context) {
  constexpr int kLast = std::numeric_limits<int>::max();
  if (context.compaction_style != rocksdb::kCompactionStyleLevel &&
      context.compaction_style != rocksdb::kCompactionStyleUniversal) {
    return kLast;
  }
  if (context.reason == TableFileCreationReason::kFlush) return kFlushLevel;
  return context.level_at_creation < 0 ? kLast : context.level_at_creation;
}

}  // namespace

Kind KindFor(const FilterOptions& options,
             const FilterBuildingContext& context) {
  return KindAtLevel(options, LevelOf(context));
}

double BitsFromList(const FilterOptions& options,
                    const FilterBuildingContext& context) {
  const std::vector<double>& bits = options.level_bits_per_key;
  const size_t last = bits.size() - 1;
  const int level = context.level_at_creation;
  return RoundedBitsPerKey(
      bits[level < 0 ? last : std::min(static_cast<size_t>(level), last)]);
}

void LevelBits::ObserveOptions(const rocksdb::ColumnFamilyOptions& options) {
  // RocksDB accepts any ratio, NaN too, which becomes 1 here. If the last level
  // has no filters, those of the level above it are the most.
  const double ratio =
      options.optimize_filters_for_hits
          ? 1
          : std::min(std::max(1.0, options.max_bytes_for_level_multiplier),
                     100.0);
  Update(size_ratio_, ratio,
         [](double seen, double now) { return seen == 0 || now < seen; });
  // A load in bulk is given 2^30: no number of flushes reaches it.
  Update(compaction_runs_,
         std::min(options.level0_file_num_compaction_trigger,
                  int{kNoCompaction} / 2),
         std::less<int>());
}

double LevelBits::BitsPerKey(double asked,
                             const FilterBuildingContext& context) {
  return BitsByLevel(asked, Factor(context));
}

double LevelBits::Factor(const FilterBuildingContext& context) {
  const bool has_levels =
      context.compaction_style == rocksdb::kCompactionStyleLevel ||
      context.compaction_style == rocksdb::kCompactionStyleUniversal;
  // A file from outside is most likely to be added to the last level.
  if (!has_levels || context.level_at_creation < 0) return 1;
  const size_t hash = std::hash<const void*>()(context.info_log) ^
                      std::hash<std::string>()(context.column_family_name);
  Tree& tree = trees_[(hash ^ hash >> 16) % trees_.size()];
  if (IsFlush(context)) {
    // RocksDB moves the tables of a load in key order from level 0 to the last
    // level as they are. Such a load shows by the flushes without a compaction:
    // more than level 0 has in between.
    const int most = 2 * compaction_runs_.load(std::memory_order_relaxed);
    return tree.flushes.fetch_add(1, std::memory_order_relaxed) < most
               ? kLevel0Factor
               : 1;
  }
  tree.flushes.store(0, std::memory_order_relaxed);
  if (context.compaction_style == rocksdb::kCompactionStyleUniversal) {
    if (context.is_bottommost) return 1;
    // A run can have half as many keys as the next older one, and the second
    // oldest more than the oldest. So the second oldest counts as the last, and
    // from there on runs count as those of a leveled tree.
    constexpr double kSizeRatio = 4;
    return FactorAbove(
        std::max(0, context.num_levels - 2 - context.level_at_creation),
        kSizeRatio);
  }
  return FactorInLevels(tree, context);
}

double LevelBits::FactorInLevels(Tree& tree,
                                 const FilterBuildingContext& context) const {
  const int level = context.level_at_creation;
  const int last = context.num_levels > 0 ? context.num_levels - 1
                                          : std::numeric_limits<int16_t>::max();
  // A table that is not at the bottom has a level below it.
  const int bottom = std::min(context.is_bottommost ? level : level + 1, last);
  Update(tree.deepest, bottom, std::less<int>());
  if (context.is_bottommost) return 1;
  if (level == 0) return kLevel0Factor;
  // Deeper than the last level is a tree with which this one shares its place.
  const int deepest = std::min(
      last,
      std::max<int>(bottom, tree.deepest.load(std::memory_order_relaxed)));
  const double above = std::max(0, deepest - level);
  const double seen = size_ratio_.load(std::memory_order_relaxed);
  constexpr double kDefaultRatio = 10;
  // With dynamic level sizes the last level is always the last of all, and
  // those above it are in proportion. Otherwise it may just have begun to fill.
  const bool is_full = deepest >= last;
  return FactorAbove(is_full ? above : std::max(0.0, above - 0.5),
                     seen == 0 ? kDefaultRatio : seen);
}

}  // namespace oneline
