// RocksDB's own Bloom and Ribbon filters, with more bits per key in small
// levels and fewer in the last one:
//
//   #include "oneline/level_filters.h"
//   table_options.filter_policy = oneline::NewLevelBloomFilterPolicy(10);
//
// A false positive costs a read in any level, but the bits that prevent it cost
// little memory in a small one. So lookups of absent keys have fewer false
// positives in the same memory: 0.64 times as many where they query four
// filters, 0.42 where they query five, as many where they query one.
//
// The filters are RocksDB's, and OPTIONS files name its policy: any program
// reads and writes them. To leave, set that policy again. Nothing is to be
// linked. Needs C++17 and RocksDB 7.0.4 or later.
//
// It works if the ticker rocksdb.bloom.filter.useful grows, and the false
// positives, rocksdb.bloom.filter.full.positive less ...full.true.positive,
// grow more slowly than before.
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

namespace oneline {
inline namespace level_filters_v0_2 {

// How bits are spread over levels.
struct LevelRule {
  double bits_per_key;  // memory, of all filters together; 0: no filters
  // The fraction of the lookups coming to the last level that find their key
  // there: the filter saves them no read, so that level gets fewer bits.
  double hits;
  // By how much the logarithm of the false-positive rate falls with each bit,
  // at 10 bits per key and where it is steepest.
  double slope, steepest_slope;
  double most_bits;       // no level gets more, unless more were requested
  double level0_more;     // than requested: it can have a third of the keys
  bool last_pays = true;  // false: bits_per_key is what the last level gets
};

// The bits per key of tables by their place in a tree; 0: no filter. Where
// levels differ by their number of keys, the best rates are in proportion to
// it, so each level has a step more than the one below it.
class TreeBits {
 public:
  // size_ratio: of a level to the one above it; steps_paid: how many steps the
  // last level pays for the others.
  TreeBits(const LevelRule& rule, double size_ratio, double steps_paid) {
    const double requested = rule.bits_per_key;
    most_ = requested == 0 ? 0 : std::max(requested, rule.most_bits);
    level0_ = std::min(requested + rule.level0_more, most_);
    step_ = std::min(std::log(size_ratio) / rule.slope, most_ - requested);
    // The last level never pays more than a tenth of its bits.
    const double paid = std::min(step_ * steps_paid, 0.1 * requested);
    if (steps_paid > 0) step_ = paid / steps_paid;
    last_ = base_ = requested - (rule.last_pays ? paid : 0);
    if (rule.hits == 0) return;
    // No more than its share of absent keys allows; and with fewer than 1.4
    // bits more than half of them match.
    last_ += std::log1p(-rule.hits) / rule.steepest_slope;
    if (!(last_ >= 1.4)) last_ = 0;
  }

  // Of a tree of full levels: a share (1 - 1/r) r^-i of the keys is i levels
  // above the last, and level 0 has 1 % or so, some two steps above.
  static double PaidIfFull(double size_ratio) {
    return size_ratio > 1 ? 1 / (size_ratio - 1) + 0.02 : 0;
  }

  double last() const { return last_; }
  double level0() const { return level0_; }
  // So many levels above the last one; 0: the last one without hits.
  double Above(double levels) const {
    return std::min(base_ + levels * step_, most_);
  }

 private:
  double most_, level0_, step_, base_, last_;
};

// The bits per key of tables by what RocksDB tells of their trees. Of column
// families that share a policy the smallest size ratio holds, and static sizes
// if one has them.
class ObservedTree {
 public:
  using Context = rocksdb::FilterBuildingContext;

  // Of a column family that is opened. (CreateColumnFamily shows none.)
  void Observe(const rocksdb::ColumnFamilyOptions& options) {
    if (options.optimize_filters_for_hits) return;  // has no last level
    if (options.compaction_style == rocksdb::kCompactionStyleLevel) {
      is_static_ = (is_static_ && size_ratio_ != 0) ||
                   !options.level_compaction_dynamic_level_bytes;
      size_ratio_ = std::min(size_ratio_ == 0 ? 100 : size_ratio_,
                             std::max(1.0,  // of NaN as well
                                      options.max_bytes_for_level_multiplier));
    }
    runs_ =
        std::min(1 << 14,  // a load in bulk has 2^30
                 std::max(runs_, options.level0_file_num_compaction_trigger));
  }

  // Counts a table that is about to be written, and returns whether it is of a
  // load in key order, which RocksDB moves to the last level as it is. Such a
  // load shows by its flushes without a compaction: each compaction allows so
  // many flushes the bits of level 0, by a hash of database and family.
  bool BeginTable(const Context& context) {
    const size_t hash = std::hash<const void*>()(context.info_log) ^
                        std::hash<std::string>()(context.column_family_name);
    int& left = flushes_left_[(hash ^ hash >> 16) % 256];
    if (IsFlush(context)) return left == 0 || left-- == 0;
    if (context.level_at_creation >= 0) left = 2 * runs_;
    return false;
  }

  // 0: no filter. is_load: as from BeginTable.
  double BitsPerKey(const LevelRule& rule, const Context& context,
                    bool is_load) const {
    const bool is_universal =
        context.compaction_style == rocksdb::kCompactionStyleUniversal;
    const bool is_leveled =
        context.compaction_style == rocksdb::kCompactionStyleLevel;
    const int level = context.level_at_creation;
    // Files from outside (-1) are most likely to be added to the last level.
    if (level < 0 || is_load || !(is_leveled || is_universal)) {
      return rule.bits_per_key;
    }
    double above = std::max(1, context.num_levels - 1 - level);
    double ratio = size_ratio_ == 0 ? 10 : size_ratio_;
    // Where RocksDB does not tell how large the last level is, it pays so much
    // that filters take what was requested where the others are largest.
    double paid = 1.0 / 6;
    if (is_universal) {
      // A run can have half as many keys as the next older one, the second
      // oldest more than the oldest: it counts as the last as well.
      ratio = 4;
      above = (above - 1) / 3;
    } else if (is_static_) {
      // The last level may have just begun to fill, and the one above it be as
      // large: part of a step, by traces of growing trees.
      above = level == 1 ? 1 : 0.3;
    } else {
      paid = TreeBits::PaidIfFull(ratio);
    }
    const TreeBits bits(rule, ratio, paid);
    if (IsFlush(context)) return bits.level0();
    if (context.is_bottommost) return bits.last();
    return level == 0 ? bits.level0() : bits.Above(above);
  }

 private:
  static bool IsFlush(const Context& context) {
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

// One of RocksDB's policies for each number of bits.
class LevelFilterPolicy final : public rocksdb::FilterPolicy {
 public:
  using Builtin = std::unique_ptr<const rocksdb::FilterPolicy>;

  LevelFilterPolicy(const char* name, const LevelRule& rule,
                    const rocksdb::FilterPolicy* (*new_builtin)(double bits))
      : name_(name), rule_(rule), new_builtin_(new_builtin) {
    rule_.bits_per_key = std::min(std::max(0.0, rule.bits_per_key), 100.0);
    rule_.hits = std::min(std::max(0.0, rule.hits), 1.0);
    requested_.reset(new_builtin_(rule_.bits_per_key));
  }

  const char* Name() const override { return name_; }
  // What OPTIONS files name.
  std::string GetId() const override { return requested_->GetId(); }
  const char* CompatibilityName() const override {
    return requested_->CompatibilityName();
  }
  std::string GetPrintableOptions() const override {
    return "bits_per_key=" + std::to_string(rule_.bits_per_key) +
           ";hits=" + std::to_string(rule_.hits);
  }

  rocksdb::Status ValidateOptions(
      const rocksdb::DBOptions& db_options,
      const rocksdb::ColumnFamilyOptions& cf_options) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    tree_.Observe(cf_options);
    is_logged_ = false;
    return rocksdb::FilterPolicy::ValidateOptions(db_options, cf_options);
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& contents) const override {
    return requested_->GetFilterBitsReader(contents);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (context.info_log != nullptr && !is_logged_) {
      is_logged_ = true;
      rocksdb::Info(context.info_log, "%s: %s", name_,
                    GetPrintableOptions().c_str());
    }
    const bool is_load = tree_.BeginTable(context);
    const double bits = tree_.BitsPerKey(rule_, context, is_load);
    if (bits < 0.5) return nullptr;
    // Kept, since builders refer to it; by hundredths of a bit.
    Builtin& builtin = by_bits_[std::lround(100 * bits)];
    if (builtin == nullptr) builtin.reset(new_builtin_(bits));
    return builtin->GetBuilderWithContext(context);
  }

 private:
  const char* const name_;
  LevelRule rule_;
  const rocksdb::FilterPolicy* (*const new_builtin_)(double bits);
  Builtin requested_;
  mutable std::mutex mutex_;
  mutable ObservedTree tree_;
  mutable std::map<long, Builtin> by_bits_;
  mutable bool is_logged_ = false;
};

// Bits per key and hits as in LevelRule: 0 to 100, less than 0.5 for no filter;
// 0 to 1. What is out of range counts as the nearest. Slopes are by the rates
// of both kinds, the other numbers by traces of growing trees.
inline std::shared_ptr<const rocksdb::FilterPolicy> NewLevelBloomFilterPolicy(
    double bits_per_key, double hits = 0) {
  return std::make_shared<LevelFilterPolicy>(
      "oneline.LevelBloom", LevelRule{bits_per_key, hits, 0.5, 0.475, 20, 4.3},
      [](double bits) -> const rocksdb::FilterPolicy* {
        return rocksdb::NewBloomFilterPolicy(bits);
      });
}

inline std::shared_ptr<const rocksdb::FilterPolicy> NewLevelRibbonFilterPolicy(
    double bits_per_key, double hits = 0) {
  return std::make_shared<LevelFilterPolicy>(
      "oneline.LevelRibbon", LevelRule{bits_per_key, hits, 0.75, 0.68, 16, 2.8},
      [](double bits) -> const rocksdb::FilterPolicy* {
        // RocksDB takes the bits of a Bloom filter as good as it: a fit to the
        // sizes of filters of 300,000 keys, within 0.5 % to 18 bits.
        return rocksdb::NewRibbonFilterPolicy(
            bits * (1.33 + 0.0085 * bits + 0.00048 * bits * bits), -1);
      });
}

}  // namespace level_filters_v0_2
}  // namespace oneline

#endif  // ONELINE_LEVEL_FILTERS_H_
