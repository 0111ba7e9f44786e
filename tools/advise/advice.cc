#include "tools/advise/advice.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "table/block/filter_block.h"
#include "table/simd/probe.h"

namespace oneline {
namespace {

// What a filter takes beyond its keys' bits: its trailer, and half a line, as
// lines are rounded up.
constexpr double kOverheadBytes = kTrailerBytes + kLineBytes / 2.0;
// And what a partition's entry in their index takes: a key and a handle.
constexpr double kPartitionEntryBytes = 32;

// Filters of level 0 come from flushes, which count as level -1.
Kind KindOf(const FilterOptions& options, int level) {
  const int counted = level == 0 ? -1 : level;
  return counted < options.bloom_before_level ? Kind::kBloom : options.kind;
}

uint64_t KeysOf(const TableSummary& table) {
  return table.filter_keys > 0 ? table.filter_keys : table.keys;
}

FiltersOfLevel Sum(const std::vector<LevelAdvice>& levels,
                   FiltersOfLevel LevelAdvice::*which) {
  FiltersOfLevel sum;
  for (const LevelAdvice& level : levels) {
    sum.bytes += (level.*which).bytes;
    sum.false_positives += (level.*which).false_positives;
  }
  return sum;
}

double InThousandths(double bits) { return std::floor(bits * 1000) / 1000; }

// The least x of [least, most] for which `enough(x)`, to a thousandth; `most`
// if there is none.
template <typename Enough>
double LeastBits(double least, double most, const Enough& enough) {
  while (most - least > 0.0005) {
    const double middle = (least + most) / 2;
    (enough(middle) ? most : least) = middle;
  }
  return most;
}

// The levels with keys, and their filters as they are. Filters that no program
// asks let every key pass, and are not in memory.
std::vector<LevelAdvice> LevelsOf(const ColumnFamilySummary& family,
                                  bool used) {
  std::map<int, LevelAdvice> levels;
  for (const TableSummary& table : family.tables) {
    if (KeysOf(table) == 0) continue;
    LevelAdvice& level = levels[table.file.level];
    level.level = table.file.level;
    ++level.tables;
    level.keys += KeysOf(table);
    if (used) level.now.bytes += static_cast<double>(table.filter_bytes);
  }
  for (const TableSummary& table : family.tables) {
    if (KeysOf(table) == 0) continue;
    LevelAdvice& level = levels[table.file.level];
    level.runs = level.level == 0 ? static_cast<int>(level.tables) : 1;
    const double share = level.level == 0 ? 1
                                          : static_cast<double>(KeysOf(table)) /
                                                static_cast<double>(level.keys);
    level.now.false_positives += share * (used ? table.fp_rate : 1);
  }
  std::vector<LevelAdvice> all;
  for (const auto& [number, level] : levels) all.push_back(level);
  if (family.options.optimize_filters_for_hits && all.size() > 1) {
    all.back().filtered = false;
  }
  return all;
}

}  // namespace

uint64_t FamilyAdvice::keys() const {
  uint64_t sum = 0;
  for (const LevelAdvice& level : levels) sum += level.keys;
  return sum;
}

FiltersOfLevel FamilyAdvice::now() const {
  return Sum(levels, &LevelAdvice::now);
}

FiltersOfLevel FamilyAdvice::then() const {
  return Sum(levels, &LevelAdvice::then);
}

absl::StatusOr<FamilyTree> FamilyTree::Of(const ColumnFamilySummary& family,
                                          const ConfiguredPolicy& policy) {
  for (const TableSummary& table : family.tables) {
    if (!table.status.ok()) return table.status;
  }
  FamilyTree tree;
  tree.now_.name = family.name;
  tree.now_.policy = policy;
  tree.now_.levels = LevelsOf(family, policy.wanted());
  if (policy.options.has_value()) tree.base_ = *policy.options;
  tree.by_level_ =
      family.options.compaction_style == rocksdb::kCompactionStyleLevel;
  const rocksdb::BlockBasedTableOptions* const table = family.table_options();
  for (const LevelAdvice& level : tree.now_.levels) {
    double overhead = kOverheadBytes * static_cast<double>(level.tables);
    if (table != nullptr && table->partition_filters) {
      // For ten bits per key: more partitions are the smaller part of more.
      overhead += (kOverheadBytes + kPartitionEntryBytes) * 1.25 *
                  static_cast<double>(level.keys) /
                  static_cast<double>(table->metadata_block_size);
    }
    tree.overhead_.push_back(overhead);
    if (!level.filtered) continue;
    tree.overhead_bytes_ += overhead;
    tree.tree_.push_back({static_cast<double>(level.keys) / level.runs,
                          level.runs, KindOf(tree.base_, level.level)});
  }
  return tree;
}

double FamilyTree::UnfilteredReads() const {
  double reads = 0;
  for (const LevelAdvice& level : now_.levels) {
    if (!level.filtered) reads += level.runs;
  }
  return reads;
}

double FamilyTree::BitsFor(double bytes) const {
  double keys = 0;
  for (const TreeLevel& level : tree_) keys += level.keys * level.runs;
  return InThousandths(
      std::clamp(8 * (bytes - overhead_bytes_) / keys, 0.0, 100.0));
}

std::vector<double> FamilyTree::UniformBits(double bits_per_key) const {
  return std::vector<double>(tree_.size(), bits_per_key < 1 ? 0 : bits_per_key);
}

FamilyAdvice FamilyTree::WithMemory(double bytes) const {
  if (!by_level_) return WithUniformMemory(bytes);
  return WithBits(AllocateBits(tree_, BitsFor(bytes), base_.effort));
}

FamilyAdvice FamilyTree::WithUniformMemory(double bytes) const {
  return WithBits(UniformBits(BitsFor(bytes)));
}

FamilyAdvice FamilyTree::WithFalsePositives(double false_positives) const {
  const double left = std::max(false_positives - UnfilteredReads(), 0.0);
  if (by_level_) {
    const double average = LeastBitsPerKey(tree_, left, base_.effort);
    return WithBits(AllocateBits(tree_, average, base_.effort));
  }
  const double bits = LeastBits(0, 100, [&](double x) {
    return ExpectedFalsePositives(tree_, UniformBits(x), base_.effort) <= left;
  });
  return WithBits(UniformBits(std::ceil(bits * 1000) / 1000));
}

FamilyAdvice FamilyTree::WithBits(const std::vector<double>& bits) const {
  FamilyAdvice advice = now_;
  std::vector<double> by_number;  // from level 0 on
  size_t i = 0;
  for (size_t n = 0; n < advice.levels.size(); ++n) {
    LevelAdvice& level = advice.levels[n];
    if (!level.filtered) {
      level.then = {0, static_cast<double>(level.runs)};
      continue;
    }
    level.then.false_positives =
        ExpectedFalsePositives({tree_[i]}, {bits[i]}, base_.effort);
    if (bits[i] > 0) {
      level.then.bytes =
          static_cast<double>(level.keys) * bits[i] / 8 + overhead_[n];
    }
    // Levels without keys get as many as the next one that has some.
    by_number.resize(level.level + 1, bits[i]);
    ++i;
  }
  advice.proposal = base_;
  advice.proposal.fp_rate.reset();
  advice.proposal.bits_per_key.reset();
  advice.proposal.allocation = Allocation::kUniform;
  advice.proposal.size_ratio.reset();
  advice.proposal.levels.reset();
  const bool all_same = std::all_of(bits.begin(), bits.end(), [&](double one) {
    return one == bits.front();
  });
  if (all_same) {
    advice.proposal.level_bits_per_key.clear();
    advice.proposal.bits_per_key = bits.empty() ? 0 : bits.front();
  } else {
    advice.proposal.level_bits_per_key = by_number;
  }
  return advice;
}

Totals TotalsOf(const std::vector<FamilyAdvice>& families) {
  Totals totals;
  for (const FamilyAdvice& family : families) totals.keys += family.keys();
  for (const FamilyAdvice& family : families) {
    const double share =
        static_cast<double>(family.keys()) / static_cast<double>(totals.keys);
    totals.now.bytes += family.now().bytes;
    totals.then.bytes += family.then().bytes;
    totals.now.false_positives += share * family.now().false_positives;
    totals.then.false_positives += share * family.then().false_positives;
  }
  return totals;
}

}  // namespace oneline
