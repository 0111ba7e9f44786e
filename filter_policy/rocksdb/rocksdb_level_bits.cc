#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

using rocksdb::FilterBuildingContext;
using rocksdb::TableFileCreationReason;

// Where RocksDB does not tell how large the last level is, it pays so much that
// filters take what was requested where the others are largest. This and
// kStaticAbove are by traces of growing trees (docs/internals/allocation.md).
constexpr double kPaidByUnknown = 1.0 / 6;

// RocksDB does not tell how many levels of static sizes have tables, and the
// last of them may have just begun to fill: then the one above it is as large,
// and half of its tables are not bottommost. So such tables get a part of a
// step only, those of level 1 a whole one.
constexpr double kStaticAbove = 0.3;

// Of universal compaction. A run can have half as many keys as the next older
// one, and the second oldest more than the oldest: so the second oldest counts
// as the last, and each run from there on as a third of a level of this ratio.
constexpr double kUniversalRatio = 4;
constexpr double kUniversalAbove = 1.0 / 3;

bool HasLevels(const FilterBuildingContext& context) {
  return context.compaction_style == rocksdb::kCompactionStyleLevel ||
         context.compaction_style == rocksdb::kCompactionStyleUniversal;
}

bool IsFlush(const FilterBuildingContext& context) {
  return context.reason == TableFileCreationReason::kFlush ||
         context.reason == TableFileCreationReason::kRecovery;
}

// The number for the table's level in level_bits_per_key, as builders take it;
// the last one if the level is not known. REQUIRES: the list is not empty.
double BitsFromList(const FilterOptions& options,
                    const FilterBuildingContext& context) {
  const std::vector<double>& bits = options.level_bits_per_key;
  const size_t last = bits.size() - 1;
  const int level = context.level_at_creation;
  return RoundedBitsPerKey(
      bits[level < 0 ? last : std::min(static_cast<size_t>(level), last)]);
}

// If RocksDB does not tell the level, or the compaction style has no levels,
// the table counts as one of the last level, whose tables live longest.
int LevelOf(const FilterBuildingContext& context) {
  constexpr int kLast = std::numeric_limits<int>::max();
  if (!HasLevels(context)) return kLast;
  if (context.reason == TableFileCreationReason::kFlush) return kFlushLevel;
  return context.level_at_creation < 0 ? kLast : context.level_at_creation;
}

}  // namespace

Kind KindFor(const FilterOptions& options,
             const FilterBuildingContext& context) {
  return KindAtLevel(options, LevelOf(context));
}

void LevelBits::ObserveOptions(const rocksdb::ColumnFamilyOptions& options) {
  // Without filters in the last level, what others share does not matter.
  if (options.optimize_filters_for_hits) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (options.compaction_style == rocksdb::kCompactionStyleLevel) {
    is_static_ = (is_static_ && size_ratio_ != 0) ||
                 !options.level_compaction_dynamic_level_bytes;
    // RocksDB accepts any ratio, NaN too, which becomes 1 here.
    const double ratio =
        std::min(std::max(1.0, options.max_bytes_for_level_multiplier), 100.0);
    size_ratio_ = size_ratio_ == 0 ? ratio : std::min(size_ratio_, ratio);
  }
  // A load in bulk is given 2^30.
  compaction_runs_ =
      std::max(compaction_runs_,
               std::min(options.level0_file_num_compaction_trigger, 1 << 14));
}

bool LevelBits::CountTable(const FilterBuildingContext& context) {
  if (!HasLevels(context) || context.level_at_creation < 0) return false;
  const size_t hash = std::hash<const void*>()(context.info_log) ^
                      std::hash<std::string>()(context.column_family_name);
  uint16_t& left =
      level0_flushes_left_[(hash ^ hash >> 16) % level0_flushes_left_.size()];
  if (!IsFlush(context)) {
    left = static_cast<uint16_t>(2 * compaction_runs_);
    return false;
  }
  if (left == 0) return true;
  --left;
  return false;
}

LevelBits::Place LevelBits::PlaceOf(const FilterOptions& options,
                                    const FilterBuildingContext& context,
                                    bool is_load) {
  // A file from outside is most likely to be added to the last level.
  if (!options.bits_by_level || !HasLevels(context) || is_load ||
      context.level_at_creation < 0) {
    return Place::kRequested;
  }
  if (IsFlush(context)) return Place::kLevel0;
  if (context.is_bottommost) return Place::kLastLevel;
  return context.level_at_creation == 0 ? Place::kLevel0 : Place::kAbove;
}

double LevelBits::BitsPerKey(const FilterOptions& options, Kind kind,
                             Place place,
                             const FilterBuildingContext& context) const {
  if (!options.level_bits_per_key.empty()) {
    return BitsFromList(options, context);
  }
  const double requested = RequestedBitsPerKey(options, kind);
  const TreeBits tree(options, requested, SizesOf(context));
  switch (place) {
    case Place::kRequested:
      return requested;
    case Place::kLevel0:
      return tree.level0();
    case Place::kLastLevel:
      return tree.last();
    case Place::kAbove:
      return tree.Above(LevelsAbove(context));
  }
  return requested;
}

std::optional<NewFilter> LevelBits::BeginTable(
    const FilterOptions& options, const FilterBuildingContext& context) {
  const Kind kind = KindFor(options, context);
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool is_load = CountTable(context);
  const double bits =
      BitsPerKey(options, kind, PlaceOf(options, context, is_load), context);
  if (bits == 0) return std::nullopt;
  return NewFilter{kind, bits};
}

double LevelBits::BitsPerKey(const FilterOptions& options,
                             const FilterBuildingContext& context,
                             bool is_load) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return BitsPerKey(options, KindFor(options, context),
                    PlaceOf(options, context, is_load), context);
}

TreeSizes LevelBits::SizesOf(const FilterBuildingContext& context) const {
  if (context.compaction_style == rocksdb::kCompactionStyleUniversal) {
    return {kUniversalRatio, kPaidByUnknown};
  }
  const double ratio = size_ratio_ == 0 ? TreeSizes().size_ratio : size_ratio_;
  return is_static_ ? TreeSizes{ratio, kPaidByUnknown} : TreeSizes::Full(ratio);
}

double LevelBits::LevelsAbove(const FilterBuildingContext& context) const {
  const int level = context.level_at_creation;
  const int to_last = std::max(1, context.num_levels - 1 - level);
  if (context.compaction_style == rocksdb::kCompactionStyleUniversal) {
    return kUniversalAbove * (to_last - 1);
  }
  if (!is_static_) return to_last;
  return level == 1 ? 1 : kStaticAbove;
}

const LevelBits* LevelBitsOf(const rocksdb::FilterPolicy& policy) {
  return policy.GetOptions<LevelBits>(kLevelBitsName);
}

}  // namespace oneline
