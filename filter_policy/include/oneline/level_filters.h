// RocksDB's own Bloom and Ribbon filters, with more bits per key in small
// levels and fewer in the last one:
//
//   #include "oneline/level_filters.h"
//   table_options.filter_policy = oneline::NewLevelBloomFilterPolicy(10);
//
// A false positive costs a read in any level, the bits that prevent it little
// memory in a small one. So lookups of absent keys have fewer false positives
// in the same memory: 0.64 times as many where they query four filters, 0.42
// where they query five, as many where they query one.
//
// The filters are RocksDB's, and OPTIONS files name its policy: any program
// reads and writes them. To leave, set that policy again. There is nothing to
// link. Needs C++17 and RocksDB 7.0.4 or later.
//
// It works if the ticker rocksdb.bloom.filter.useful grows, and full.positive
// less full.true.positive, the false ones, more slowly than before.
//
// "undefined reference to `typeinfo for rocksdb::FilterPolicy'": this RocksDB
// was built without RTTI. Compile what includes this with -fno-rtti.

#ifndef ONELINE_LEVEL_FILTERS_H_
#define ONELINE_LEVEL_FILTERS_H_

#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace oneline {
inline namespace level_filters_v0_2 {

struct LevelRule {
  double bits_per_key;  // memory, of all filters together; 0: no filters
  // The fraction of the lookups in the last level that find their key. Its
  // filter saves these no read, so it gets fewer bits.
  double hits;
  // Of the logarithm of the false-positive rate: at 10 bits, and at most.
  double slope, steepest_slope;
  double most_bits;       // no level gets more, unless more were requested
  double level0_more;     // than requested: it can have a third of the keys
  bool last_pays = true;  // false: bits_per_key is what the last level gets
};

// Bits per key by the place in a tree; 0: no filter. The best rates of levels
// are in proportion to their keys, so each has a step more than the next one.
struct TreeBits {
  double last, level0, base, step, most;  // base: of the last without hits

  // size_ratio: of a level to the one above it. The last level pays for the
  // others with so many steps.
  TreeBits(const LevelRule& rule, double size_ratio, double steps_paid) {
    const double requested = rule.bits_per_key;
    most = requested == 0 ? 0 : std::max(requested, rule.most_bits);
    level0 = std::min(requested + rule.level0_more, most);
    step = std::min(std::log(size_ratio) / rule.slope, most - requested);
    // The last level never pays more than a tenth of its bits.
    const double paid = std::min(step * steps_paid, 0.1 * requested);
    if (steps_paid > 0) step = paid / steps_paid;
    last = base = requested - (rule.last_pays ? paid : 0);
    if (rule.hits == 0) return;
    // With fewer than 1.4 bits more than half of the absent keys match.
    last += std::log1p(-rule.hits) / rule.steepest_slope;
    if (!(last >= 1.4)) last = 0;
  }

  // If levels are full, and level 0 has 1 % of the keys, some two steps above.
  static double PaidIfFull(double size_ratio) {
    return size_ratio > 1 ? 1 / (size_ratio - 1) + 0.02 : 0;
  }

  double Above(double levels) const {
    return std::min(base + levels * step, most);
  }
};

// Bits per key by what RocksDB tells of trees. Of column families that share a
// policy the smallest size ratio holds, and static sizes if one has them.
class ObservedTree {
 public:
  // Of a column family that is opened. (CreateColumnFamily shows none.)
  void Observe(const rocksdb::ColumnFamilyOptions& family) {
    if (family.optimize_filters_for_hits) return;  // has no last level
    if (family.compaction_style == rocksdb::kCompactionStyleLevel) {
      is_static_ = (is_static_ && size_ratio_ != 0) ||
                   !family.level_compaction_dynamic_level_bytes;
      const double ratio = std::max(1.0, family.max_bytes_for_level_multiplier);
      size_ratio_ = std::min(size_ratio_ == 0 ? 100 : size_ratio_, ratio);
    }
    runs_ = std::max(runs_, family.level0_file_num_compaction_trigger);
    runs_ = std::min(runs_, 1 << 14);  // loads in bulk have 2^30
  }

  // Counts a new table, and returns whether it is of a load in key order, which
  // RocksDB moves to the last level as it is. A load shows by flushes without a
  // compaction: each compaction allows so many flushes the bits of level 0.
  bool BeginTable(const rocksdb::FilterBuildingContext& context) {
    const size_t hash = std::hash<const void*>()(context.info_log) ^
                        std::hash<std::string>()(context.column_family_name);
    int& left = flushes_left_[(hash ^ hash >> 16) % 256];
    if (IsFlush(context)) return left == 0 || left-- == 0;
    if (context.level_at_creation >= 0) left = 2 * runs_;
    return false;
  }

  // 0: no filter. is_load: as from BeginTable.
  double BitsPerKey(const LevelRule& rule,
                    const rocksdb::FilterBuildingContext& context,
                    bool is_load) const {
    const auto style = context.compaction_style;
    const bool is_universal = style == rocksdb::kCompactionStyleUniversal;
    const bool is_leveled = style == rocksdb::kCompactionStyleLevel;
    const int level = context.level_at_creation;
    // Files from outside (-1) are most likely to be added to the last level.
    if (level < 0 || is_load || !(is_leveled || is_universal)) {
      return rule.bits_per_key;
    }
    double above = std::max(1, context.num_levels - 1 - level);
    double ratio = size_ratio_ == 0 ? 10 : size_ratio_;
    double paid = 1.0 / 6;  // for the largest that other levels can be
    if (is_universal) {
      // The second oldest run can be the largest: it counts as the last, too.
      ratio = 4;
      above = (above - 1) / 3;
    } else if (is_static_) {
      // The last level may have just begun to fill.
      above = level == 1 ? 1 : 0.3;
    } else {
      paid = TreeBits::PaidIfFull(ratio);
    }
    const TreeBits bits(rule, ratio, paid);
    if (IsFlush(context)) return bits.level0;
    if (context.is_bottommost) return bits.last;
    return level == 0 ? bits.level0 : bits.Above(above);
  }

 private:
  static bool IsFlush(const rocksdb::FilterBuildingContext& context) {
    using Reason = rocksdb::TableFileCreationReason;
    return context.reason == Reason::kFlush ||
           context.reason == Reason::kRecovery;
  }

  int flushes_left_[256] = {};
  int runs_ = 4;           // of level 0 that start a compaction
  double size_ratio_ = 0;  // 0: none was seen
  bool is_static_ = !rocksdb::AdvancedColumnFamilyOptions()
                         .level_compaction_dynamic_level_bytes;
};

// Slopes are by the kinds' rates, the others by traces of growing trees.
inline LevelRule BuiltinRule(bool is_ribbon, double bits_per_key, double hits) {
  return is_ribbon ? LevelRule{bits_per_key, hits, 0.75, 0.68, 16, 2.8}
                   : LevelRule{bits_per_key, hits, 0.5, 0.475, 20, 4.3};
}

// Of a Bloom filter as good as a Ribbon: fits sizes to 18 bits within 0.5 %.
inline double BloomBits(double ribbon_bits) {
  return ribbon_bits * (1.33 + (0.0085 + 0.00048 * ribbon_bits) * ribbon_bits);
}

using Builtin = std::unique_ptr<const rocksdb::FilterPolicy>;
inline Builtin NewBuiltin(bool is_ribbon, double bits) {
  if (!is_ribbon) return Builtin(rocksdb::NewBloomFilterPolicy(bits));
  return Builtin(rocksdb::NewRibbonFilterPolicy(BloomBits(bits), -1));
}

class LevelFilterPolicy final : public rocksdb::FilterPolicy {
 public:
  LevelFilterPolicy(bool is_ribbon, double bits_per_key, double hits)
      : is_ribbon_(is_ribbon),
        rule_(BuiltinRule(is_ribbon,
                          std::min(std::max(0.0, bits_per_key), 100.0),
                          std::min(std::max(0.0, hits), 1.0))),
        requested_(NewBuiltin(is_ribbon, rule_.bits_per_key)) {}

  const char* Name() const override {
    return is_ribbon_ ? "oneline.LevelRibbon" : "oneline.LevelBloom";
  }
  std::string GetId() const override { return requested_->GetId(); }
  const char* CompatibilityName() const override {
    return requested_->CompatibilityName();
  }
  std::string GetPrintableOptions() const override {
    return "bits_per_key=" + std::to_string(rule_.bits_per_key) +
           ";hits=" + std::to_string(rule_.hits);
  }

  rocksdb::Status ValidateOptions(
      const rocksdb::DBOptions& db,
      const rocksdb::ColumnFamilyOptions& family) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    tree_.Observe(family);
    is_logged_ = false;
    return FilterPolicy::ValidateOptions(db, family);
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& contents) const override {
    return requested_->GetFilterBitsReader(contents);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (context.info_log && !std::exchange(is_logged_, true)) {
      rocksdb::Info(context.info_log, "%s: %s", Name(),
                    GetPrintableOptions().c_str());
    }
    const bool is_load = tree_.BeginTable(context);
    const double bits = tree_.BitsPerKey(rule_, context, is_load);
    if (bits < 0.5) return nullptr;
    // Kept, since builders refer to it; by hundredths of a bit.
    Builtin& builtin = by_bits_[std::lround(100 * bits)];
    if (builtin == nullptr) builtin = NewBuiltin(is_ribbon_, bits);
    return builtin->GetBuilderWithContext(context);
  }

 private:
  const bool is_ribbon_;
  const LevelRule rule_;
  const Builtin requested_;
  mutable std::mutex mutex_;
  mutable ObservedTree tree_;
  mutable std::map<long, Builtin> by_bits_;
  mutable bool is_logged_ = false;
};

// From 0 to 100, below 0.5 for no filter; 0 to 1: beyond it the nearest counts.
inline std::shared_ptr<const rocksdb::FilterPolicy> NewLevelBloomFilterPolicy(
    double bits_per_key, double hits = 0) {
  return std::make_shared<LevelFilterPolicy>(false, bits_per_key, hits);
}

inline std::shared_ptr<const rocksdb::FilterPolicy> NewLevelRibbonFilterPolicy(
    double bits_per_key, double hits = 0) {
  return std::make_shared<LevelFilterPolicy>(true, bits_per_key, hits);
}

}  // namespace level_filters_v0_2
}  // namespace oneline

#endif  // ONELINE_LEVEL_FILTERS_H_
