#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <rocksdb/env.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "filter_policy/allocation/level_allocation.h"
#include "filter_policy/options/bits_per_key.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_field.h"

namespace oneline {
namespace {

using rocksdb::FilterBuildingContext;

// If RocksDB does not tell the level, or the compaction style has no levels,
// the table counts as one of the last level, whose tables live longest.
int LevelOf(const FilterBuildingContext& context) {
  constexpr int kLast = std::numeric_limits<int>::max();
  if (context.compaction_style != rocksdb::kCompactionStyleLevel &&
      context.compaction_style != rocksdb::kCompactionStyleUniversal) {
    return kLast;
  }
  if (context.reason == rocksdb::TableFileCreationReason::kFlush)
    return kFlushLevel;
  return context.level_at_creation < 0 ? kLast : context.level_at_creation;
}

double ByHand(const std::vector<double>& level_bits, int level) {
  const size_t last = level_bits.size() - 1;
  const size_t index =
      level < 0 ? last : std::min(static_cast<size_t>(level), last);
  return RoundedBitsPerKey(level_bits[index]);
}

// Whether tables are open whose filters are not.
bool FiltersAreCached(const rocksdb::BlockBasedTableOptions& options) {
  return options.cache_index_and_filter_blocks || options.partition_filters;
}

// The size of a level divided by that of the level above. RocksDB accepts any
// value of its options, NaN too, which becomes 1 here.
double SizeRatio(double multiplier, int extra) {
  return std::min(std::max(1.0, multiplier * extra), 100.0);
}

// The most levels with bits of their own; also the maximum of the option
// `levels`.
constexpr int kMaxLevels = 100;

}  // namespace

Kind KindFor(const FilterOptions& options,
             const FilterBuildingContext& context) {
  return KindAtLevel(options, LevelOf(context));
}

LevelBits::LevelBits(const Tree& tree)
    : shape_(tree.shape),
      seen_(tree.seen),
      tables_(tree.tables),
      sees_all_tables_(tree.sees_all_tables) {}

LevelBits::Tree LevelBits::tree() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return {shape_, seen_, tables_, sees_all_tables_};
}

void LevelBits::ForgetTables() {
  std::lock_guard<std::mutex> lock(mutex_);
  seen_.clear();
  tables_ = std::make_shared<LiveTables>();
  sees_all_tables_ = true;
}

void LevelBits::ObserveOptions(const rocksdb::DBOptions& db_options,
                               const rocksdb::ColumnFamilyOptions& options) {
  const auto* const table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  std::lock_guard<std::mutex> lock(mutex_);
  if (db_options.max_open_files != -1 || table == nullptr ||
      FiltersAreCached(*table)) {
    sees_all_tables_ = false;
  }
  if (options.compaction_style != rocksdb::kCompactionStyleLevel) return;
  Shape shape;
  // Assumes the number of runs that starts a compaction. With fewer there are
  // fewer false positives, and the memory for so small runs matters little.
  shape.tree.level0_runs =
      std::clamp(options.level0_file_num_compaction_trigger, 1, 100);
  // Sorted loads set it so high that it never stops writes.
  shape.max_level0_runs = std::clamp(options.level0_stop_writes_trigger,
                                     shape.tree.level0_runs, 100);
  const double base = static_cast<double>(
      std::max<uint64_t>(options.max_bytes_for_level_base, 1));
  const double flush = static_cast<double>(options.write_buffer_size) *
                       std::max(options.min_write_buffer_number_to_merge, 1);
  shape.tree.level0_run_size = std::clamp(flush / base, 1e-6, 1e6);
  shape.size_ratio = SizeRatio(options.max_bytes_for_level_multiplier, 1);
  shape.from_last_level = options.level_compaction_dynamic_level_bytes;
  if (!*shape.from_last_level) {
    shape.extra_ratios = options.max_bytes_for_level_multiplier_additional;
  }
  shape.last_level_has_filters = !options.optimize_filters_for_hits;
  shape_ = shape;
}

std::shared_ptr<const void> LevelBits::ObserveFilter(std::string_view block) {
  const std::optional<Trailer> trailer = DecodeTrailer(block);
  std::lock_guard<std::mutex> lock(mutex_);
  if (!trailer.has_value()) {
    // A filter of RocksDB's own, which says nothing of its table.
    sees_all_tables_ = false;
    return nullptr;
  }
  const Provenance& place = trailer->provenance;
  if (place.level != kUnknownLevel) {
    Learn(place.family, place.level, place.bottommost);
  }
  return sees_all_tables_ ? tables_->Add(*trailer, block.size()) : nullptr;
}

std::optional<double> LevelBits::BitsPerKey(
    const FilterOptions& options, const FilterBuildingContext& context) {
  if (context.compaction_style == rocksdb::kCompactionStyleLevel &&
      context.reason == rocksdb::TableFileCreationReason::kCompaction) {
    std::lock_guard<std::mutex> lock(mutex_);
    Learn(FamilyTag(context.column_family_name), context.level_at_creation,
          context.is_bottommost);
  }
  if (!options.level_bits_per_key.empty()) {
    return ByHand(options.level_bits_per_key, context.level_at_creation);
  }
  if (!AllocatesByLevel(options)) return std::nullopt;
  const bool is_outside_of_trees = context.level_at_creation < 0;
  if (is_outside_of_trees && options.allocation == Allocation::kAuto) {
    return std::nullopt;
  }
  const Tree known = tree();
  const bool is_leveled =
      context.compaction_style == rocksdb::kCompactionStyleLevel;
  if (is_leveled ||
      context.compaction_style == rocksdb::kCompactionStyleUniversal) {
    if (KnowsAllTables(known, options, context)) {
      return ForTheTreeAsItIs(known, options, context);
    }
  }
  // Universal compaction puts runs of any size into any level, FIFO compaction
  // puts all of them into level 0.
  if (!is_leveled) return std::nullopt;
  return ForTheShape(known, options, context);
}

// A table of level 0 shows nothing: most trees have more.
void LevelBits::Learn(uint8_t family, int level, bool is_bottommost) {
  if (level < 1) return;
  Levels& levels = seen_[family];
  if (levels.first == 0 || level < levels.first) levels.first = level;
  // A table that is not at the bottom has at least one level below it.
  levels.last = std::max(levels.last, is_bottommost ? level : level + 1);
}

bool LevelBits::KnowsAllTables(const Tree& known, const FilterOptions& options,
                               const FilterBuildingContext& context) {
  // With few bits per key or a rate some levels may have no filters, and the
  // tables of those cannot be seen.
  return known.sees_all_tables && !FiltersAreCached(context.table_options) &&
         !options.levels && !options.size_ratio && !options.fp_rate &&
         options.bits_per_key.value_or(kDefaultBitsPerKey) >=
             kFiltersForAllLevels;
}

double LevelBits::ForTheTreeAsItIs(const Tree& known,
                                   const FilterOptions& options,
                                   const FilterBuildingContext& context) {
  const uint8_t family = FamilyTag(context.column_family_name);
  const bool is_universal =
      context.compaction_style == rocksdb::kCompactionStyleUniversal;
  NewTable table;
  table.level = context.level_at_creation;
  table.merges_all_above =
      is_universal && table.level > 0 &&
      context.reason == rocksdb::TableFileCreationReason::kCompaction;
  const TreeTables tree = known.tables->Of(family);
  // A table from outside is most likely to be added to the last level.
  if (table.level < 0) table.level = tree.empty() ? 0 : tree.rbegin()->first;
  Level0Shape level0;
  level0.compaction_runs = known.shape.tree.level0_runs;
  level0.max_runs = known.shape.max_level0_runs;
  level0.run_keys = known.tables->Level0Keys(family);
  // In universal compaction the first level below may be the whole database. A
  // sixteenth of it is a guess, five bits per key more than it has itself,
  // until the first run is seen.
  constexpr double kUniversalRunSize = 1.0 / 16;
  level0.run_size =
      is_universal ? kUniversalRunSize : known.shape.tree.level0_run_size;
  const double bits = BitsForNewTable(
      tree, level0, table, options.bits_per_key.value_or(kDefaultBitsPerKey),
      options);
  if (table.merges_all_above) {
    known.tables->MergeInto(family, table.level, bits);
  }
  LogNews(context, bits);
  return bits;
}

LevelBits::Levels LevelBits::LevelsInUse(const Tree& known,
                                         const FilterOptions& options,
                                         const FilterBuildingContext& context) {
  Levels levels;
  const auto seen = known.seen.find(FamilyTag(context.column_family_name));
  const bool is_seen = seen != known.seen.end();
  if (is_seen) levels = seen->second;
  if (context.num_levels > 0) {
    levels.last = std::min(levels.last, context.num_levels - 1);
  }
  const bool from_last_level = known.shape.from_last_level.value_or(false);
  if (known.shape.from_last_level == false) levels.first = 1;
  if (from_last_level) {
    levels.last = std::max(levels.last, context.num_levels - 1);
    if (levels.first == 0) levels.first = levels.last;
  }
  levels.first = std::max(levels.first, 1);
  levels.last = std::max(levels.last, levels.first);
  if (!is_seen) {
    // Nothing is known of the tree. What is written into level 0 then gets the
    // bits of a tree of three levels: for as small a run as that in a large
    // tree more memory is nothing, and too little would cost reads.
    constexpr int kMoreLevels = 2;
    if (from_last_level) {
      levels.first = std::max(1, levels.first - kMoreLevels);
    } else {
      levels.last = std::max(levels.last, std::min(levels.first + kMoreLevels,
                                                   context.num_levels - 1));
    }
  }
  if (options.levels.has_value()) {
    if (!from_last_level) levels.last = *options.levels;
    levels.first = std::max(1, levels.last - *options.levels + 1);
  }
  levels.first = std::max(levels.first, levels.last - kMaxLevels + 1);
  return levels;
}

// Not for every table, of which there may be many.
void LevelBits::LogNews(const FilterBuildingContext& context, double bits) {
  constexpr double kNews = 0.5;
  {
    std::lock_guard<std::mutex> lock(plans_mutex_);
    // Of programs that create and drop column families all the time.
    if (logged_.size() == 1000) logged_.clear();
    const auto [logged, is_first] = logged_.try_emplace(
        {context.column_family_name, context.level_at_creation}, bits);
    if (!is_first && std::abs(bits - logged->second) < kNews) return;
    logged->second = bits;
  }
  rocksdb::Info(context.info_log,
                "oneline: tables of column family '%s' in level %d get %s bits "
                "per key from now on",
                context.column_family_name.c_str(), context.level_at_creation,
                ValueText(bits).c_str());
}

double LevelBits::ForTheShape(const Tree& known, const FilterOptions& options,
                              const FilterBuildingContext& context) {
  const Levels levels = LevelsInUse(known, options, context);
  const std::vector<double> plan = Plan(known.shape, options, levels, context);
  const int level = context.level_at_creation;
  // A table with no older data below it is the last level for its keys, in
  // whatever level it is. A table from outside (level -1) counts as one, too.
  size_t index = plan.size() - 1;
  if (level == 0) {
    index = 0;
  } else if (level > 0 && !context.is_bottommost) {
    index = std::min(
        index, static_cast<size_t>(std::max(level - levels.first, 0) + 1));
  }
  return plan[index];
}

std::vector<double> LevelBits::Plan(const Shape& observed,
                                    const FilterOptions& options,
                                    const Levels& levels,
                                    const FilterBuildingContext& context) {
  TreeShape shape = observed.tree;
  for (int level = levels.first; level < levels.last; ++level) {
    const size_t i = static_cast<size_t>(level);
    const int extra =
        i < observed.extra_ratios.size() ? observed.extra_ratios[i] : 1;
    shape.size_ratios.push_back(options.size_ratio.has_value()
                                    ? *options.size_ratio
                                    : SizeRatio(observed.size_ratio, extra));
  }
  const Key key(options.kind, options.bits_per_key, options.fp_rate,
                options.effort, options.bloom_before_level, levels.first,
                levels.last, shape.size_ratios, shape.level0_run_size,
                shape.level0_runs, observed.last_level_has_filters,
                options.last_level_cost, options.allocation);
  {
    std::lock_guard<std::mutex> lock(plans_mutex_);
    const auto known = plans_.find(key);
    if (known != plans_.end()) return known->second;
  }

  std::vector<TreeLevel> tree = LeveledTree(shape);
  tree[0].kind = KindAtLevel(options, kFlushLevel);
  for (size_t i = 1; i < tree.size(); ++i) {
    tree[i].kind = KindAtLevel(options, levels.first + static_cast<int>(i) - 1);
  }
  SetLastLevelCost(options.last_level_cost, &tree);
  // RocksDB asks for no filters in the last level then: it takes no memory.
  if (!observed.last_level_has_filters) tree.pop_back();
  double average = options.bits_per_key.value_or(kDefaultBitsPerKey);
  if (options.fp_rate.has_value()) {
    double cost = 0;
    for (const TreeLevel& level : tree) cost += level.runs * level.read_cost;
    average = MinBitsForReadCost(tree, cost * *options.fp_rate, options.effort);
  }
  const std::vector<double> plan = AllocateBits(
      tree, average, options.effort,
      options.allocation == Allocation::kAuto ? Filters::kForAllLevels
                                              : Filters::kWhereTheyPay);
  {
    std::lock_guard<std::mutex> lock(plans_mutex_);
    // Only repeated SetOptions could make this many plans.
    if (plans_.size() == 100) plans_.clear();
    if (!plans_.emplace(key, plan).second) return plan;
  }
  rocksdb::Info(context.info_log,
                "oneline: bits per key of column family '%s' in level 0, and "
                "from level %d on: %s",
                context.column_family_name.c_str(), levels.first,
                ValueText(plan).c_str());
  return plan;
}

}  // namespace oneline
