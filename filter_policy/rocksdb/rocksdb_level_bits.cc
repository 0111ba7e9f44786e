#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/requested_bits.h"

namespace oneline {
namespace {

using rocksdb::FilterBuildingContext;

// The number for the table's level in level_bits_per_key; the last one if the
// level is not known. REQUIRES: the list is not empty.
double BitsFromList(const FilterOptions& options,
                    const FilterBuildingContext& context) {
  const std::vector<double>& bits = options.level_bits_per_key;
  const size_t last = bits.size() - 1;
  const int level = context.level_at_creation;
  return bits[level < 0 ? last : std::min(static_cast<size_t>(level), last)];
}

// If RocksDB does not tell the level, or the compaction style has no levels,
// the table counts as one of the last level, whose tables live longest.
int LevelOf(const FilterBuildingContext& context) {
  constexpr int kLast = std::numeric_limits<int>::max();
  if (context.compaction_style != rocksdb::kCompactionStyleLevel &&
      context.compaction_style != rocksdb::kCompactionStyleUniversal) {
    return kLast;
  }
  if (context.reason == rocksdb::TableFileCreationReason::kFlush) {
    return -1;  // as bloom_before_level counts levels
  }
  return context.level_at_creation < 0 ? kLast : context.level_at_creation;
}

}  // namespace

LevelRule RuleFor(const FilterOptions& options, double requested) {
  if (IsRocksDBs(options.kind)) {
    return BuiltinRule(options.kind == Kind::kRocksDBRibbon, requested,
                       options.hits);
  }
  // The slopes are the Ribbon's: 0.64 at 6 bits per key, 0.50 at 16, steepest
  // between 3 and 8.
  return {requested,
          options.hits,
          0.6,
          0.67,
          kMostBits,
          4,
          /*last_pays=*/!options.fp_rate.has_value()};
}

Kind KindFor(const FilterOptions& options,
             const FilterBuildingContext& context) {
  if (LevelOf(context) >= options.bloom_before_level) return options.kind;
  return IsRocksDBs(options.kind) ? Kind::kRocksDBBloom : Kind::kBloom;
}

void LevelBits::ObserveOptions(const rocksdb::ColumnFamilyOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tree_.Observe(options);
}

std::optional<NewFilter> LevelBits::BeginTable(
    const FilterOptions& options, const FilterBuildingContext& context) {
  bool is_load = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_load = tree_.BeginTable(context);
  }
  const double bits = BitsPerKey(options, context, is_load);
  if (bits == 0) return std::nullopt;
  return NewFilter{KindFor(options, context), bits};
}

double LevelBits::BitsPerKey(const FilterOptions& options,
                             const FilterBuildingContext& context,
                             bool is_load) const {
  if (!options.level_bits_per_key.empty()) {
    return RoundedBitsPerKey(BitsFromList(options, context));
  }
  const double requested =
      RequestedBitsPerKey(options, KindFor(options, context));
  if (!options.bits_by_level) return requested;
  const std::lock_guard<std::mutex> lock(mutex_);
  return RoundedBitsPerKey(
      tree_.BitsPerKey(RuleFor(options, requested), context, is_load));
}

const LevelBits* LevelBitsOf(const rocksdb::FilterPolicy& policy) {
  return policy.GetOptions<LevelBits>(kLevelBitsName);
}

}  // namespace oneline
