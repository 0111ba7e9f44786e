#include "tools/advise/column_family_model.h"

#include <algorithm>
#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"
#include "tools/models/bisection.h"

namespace oneline {
namespace {

// Bytes of a filter beyond the bits of its keys: the trailer, and half a line
// on average, as filters are rounded up to whole lines.
constexpr double kOverheadBytes = kTrailerBytes + kLineBytes / 2.0;
// A partition's entry in the index of partitions: a key and a block handle.
constexpr double kPartitionEntryBytes = 32;

FilterCost Sum(const std::vector<LevelAdvice>& levels,
               FilterCost LevelAdvice::*which) {
  FilterCost sum;
  for (const LevelAdvice& level : levels) {
    sum.bytes += (level.*which).bytes;
    sum.false_positives += (level.*which).false_positives;
  }
  return sum;
}

bool HasNoKeys(const TableSummary& table) {
  return !table.status.ok() || table.keys_to_filter() == 0;
}

// The levels with keys, and their current filters. If these are not `used`,
// they let every key pass and take no memory.
std::vector<LevelAdvice> LevelsOf(const ColumnFamilySummary& family, bool used,
                                  double hits) {
  std::vector<TableSummary> with_keys = family.tables;
  with_keys.erase(std::remove_if(with_keys.begin(), with_keys.end(), HasNoKeys),
                  with_keys.end());
  std::vector<LevelAdvice> all;
  for (const auto& [number, tables] : ByLevel(with_keys)) {
    LevelAdvice& level = all.emplace_back();
    level.level = number;
    level.tables = tables.size();
    level.runs = number == 0 ? static_cast<int>(tables.size()) : 1;
    for (const TableSummary& table : tables) {
      level.keys += table.keys_to_filter();
      if (used) level.current.bytes += static_cast<double>(table.filter_bytes);
    }
    for (const TableSummary& table : tables) {
      const double share = number == 0
                               ? 1
                               : static_cast<double>(table.keys_to_filter()) /
                                     static_cast<double>(level.keys);
      level.current.false_positives += share * (used ? table.fp_rate : 1);
    }
  }
  if (family.options.optimize_filters_for_hits && all.size() > 1) {
    all.back().filtered = false;
  }
  // Of several runs in level 0 each lookup finds its key in one at most.
  if (!all.empty() && all.back().level > 0) {
    all.back().absent = 1 - hits;
    all.back().current.false_positives *= 1 - hits;
  }
  return all;
}

}  // namespace

uint64_t ColumnFamilyAdvice::keys() const {
  uint64_t sum = 0;
  for (const LevelAdvice& level : levels) sum += level.keys;
  return sum;
}

FilterCost ColumnFamilyAdvice::current() const {
  return Sum(levels, &LevelAdvice::current);
}

FilterCost ColumnFamilyAdvice::proposed() const {
  return Sum(levels, &LevelAdvice::proposed);
}

ColumnFamilyModel ColumnFamilyModel::Create(const ColumnFamilySummary& family,
                                            const ConfiguredPolicy& policy,
                                            double hits) {
  ColumnFamilyModel model;
  model.today_.name = family.name;
  model.today_.policy = policy;
  model.today_.levels = LevelsOf(family, policy.wanted(), hits);
  if (policy.options.has_value()) model.base_options_ = *policy.options;
  model.is_leveled_ =
      family.options.compaction_style == rocksdb::kCompactionStyleLevel;
  const rocksdb::BlockBasedTableOptions* const table = family.table_options();
  for (const LevelAdvice& level : model.today_.levels) {
    double overhead = kOverheadBytes * static_cast<double>(level.tables);
    if (table != nullptr && table->partition_filters) {
      // As many partitions as at 10 bits per key, 1.25 bytes. Close enough for
      // other bits, as overhead is a small share of each partition.
      overhead += (kOverheadBytes + kPartitionEntryBytes) * 1.25 *
                  static_cast<double>(level.keys) /
                  static_cast<double>(table->metadata_block_size);
    }
    model.overhead_bytes_.push_back(overhead);
    if (!level.filtered) {
      model.unfiltered_wasted_ += level.runs * level.absent;
      continue;
    }
    model.filtered_overhead_bytes_ += overhead;
    model.filtered_.push_back(
        {static_cast<double>(level.keys) / level.runs, level.runs,
         // Filters of level 0 come from flushes.
         KindAtLevel(model.base_options_,
                     level.level == 0 ? kFlushLevel : level.level),
         level.absent});
  }
  return model;
}

double ColumnFamilyModel::BitsFor(double bytes) const {
  double keys = 0;
  for (const TreeLevel& level : filtered_) keys += level.keys * level.runs;
  const double bits =
      std::clamp(8 * (bytes - filtered_overhead_bytes_) / keys, 0.0, 100.0);
  return std::floor(bits * 1000) / 1000;
}

std::vector<double> ColumnFamilyModel::UniformBits(double bits_per_key) const {
  return std::vector<double>(filtered_.size(),
                             bits_per_key < 1 ? 0 : bits_per_key);
}

ColumnFamilyAdvice ColumnFamilyModel::WithMemory(double bytes) const {
  return is_leveled_ ? WithBits(AllocateBits(filtered_, BitsFor(bytes)))
                     : WithUniformMemory(bytes);
}

ColumnFamilyAdvice ColumnFamilyModel::WithUniformMemory(double bytes) const {
  return WithBits(UniformBits(BitsFor(bytes)));
}

ColumnFamilyAdvice ColumnFamilyModel::WithFalsePositives(
    double false_positives) const {
  const double left = std::max(false_positives - unfiltered_wasted_, 0.0);
  if (is_leveled_) {
    return WithBits(
        AllocateBits(filtered_, MinBitsForFalsePositives(filtered_, left)));
  }
  const double bits = BisectReal(0, 100, 0.0005, [&](double x) {
    return ExpectedFalsePositives(filtered_, UniformBits(x)) <= left;
  });
  return WithBits(UniformBits(std::ceil(bits * 1000) / 1000));
}

ColumnFamilyAdvice ColumnFamilyModel::WithBits(
    const std::vector<double>& bits_per_key) const {
  ColumnFamilyAdvice advice = today_;
  std::vector<double> by_number;  // from level 0 on
  size_t i = 0;
  for (size_t n = 0; n < advice.levels.size(); ++n) {
    LevelAdvice& level = advice.levels[n];
    if (!level.filtered) {
      level.proposed = {0, level.runs * level.absent};
      continue;
    }
    level.proposed.false_positives =
        ExpectedFalsePositives({filtered_[i]}, {bits_per_key[i]});
    if (bits_per_key[i] > 0) {
      level.proposed.bytes =
          static_cast<double>(level.keys) * bits_per_key[i] / 8 +
          overhead_bytes_[n];
    }
    // Levels without keys get the bits of the next level that has some.
    by_number.resize(level.level + 1, bits_per_key[i]);
    ++i;
  }
  advice.proposal = base_options_;
  advice.proposal.fp_rate.reset();
  advice.proposal.bits_per_key.reset();
  advice.proposal.bits_by_level = true;
  advice.proposal.hits = 0;  // these bits are all that there are
  const bool all_same =
      std::all_of(bits_per_key.begin(), bits_per_key.end(),
                  [&](double one) { return one == bits_per_key.front(); });
  if (all_same) {
    advice.proposal.level_bits_per_key.clear();
    advice.proposal.bits_per_key =
        bits_per_key.empty() ? 0 : bits_per_key.front();
    // Just these bits, whatever the level.
    advice.proposal.bits_by_level = false;
  } else {
    advice.proposal.level_bits_per_key = by_number;
  }
  return advice;
}

Totals TotalsOf(const std::vector<ColumnFamilyAdvice>& families) {
  Totals totals;
  for (const ColumnFamilyAdvice& family : families) {
    totals.keys += family.keys();
  }
  for (const ColumnFamilyAdvice& family : families) {
    const double share =
        static_cast<double>(family.keys()) / static_cast<double>(totals.keys);
    totals.current.bytes += family.current().bytes;
    totals.proposed.bytes += family.proposed().bytes;
    totals.current.false_positives += share * family.current().false_positives;
    totals.proposed.false_positives +=
        share * family.proposed().false_positives;
  }
  return totals;
}

}  // namespace oneline
