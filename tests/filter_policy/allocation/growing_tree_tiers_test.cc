// Tests of filter_policy/allocation/growing_tree.h with universal compaction:
// the memory and false positives of model trees, whose runs are merged as
// RocksDB merges them by default.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "filter_policy/allocation/growing_tree.h"
#include "filter_policy/allocation/level_allocation.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr double kAverage = 10;

double BitsOf(const TreeTables& tree, const NewTable& table) {
  return BitsForNewTable(tree, Level0Shape(), table, kAverage, {});
}

// Knows only numbers of keys. All keys are random, so a lookup meets all runs.
class ModelTiers {
 public:
  // `lost`: the share of the keys of a merge that are overwritten or deleted.
  ModelTiers(double table_keys, double lost)
      : table_keys_(table_keys), lost_(lost) {}

  // Then merges as long as there are too many runs.
  void Flush(double keys) {
    runs_.insert(runs_.begin(), {0, 1, keys, keys * BitsOf(Tables(), {0})});
    while (runs_.size() >= kRunsThatStartAMerge && Merge()) {
    }
  }

  double AverageBits() const {
    double keys = 0, bits = 0;
    for (const Run& run : runs_) {
      keys += run.keys;
      bits += run.bits;
    }
    return bits / keys;
  }

  // The false positives of a lookup of an absent key, divided by those with the
  // best filters for this tree in the same memory.
  double BesideTheOptimum() const {
    std::vector<TreeLevel> tree;
    std::vector<double> bits;
    for (const Run& run : runs_) {
      tree.push_back({run.keys, 1});
      bits.push_back(run.bits / run.keys);
    }
    const int effort = FilterOptions().effort;
    const std::vector<double> best = AllocateBits(tree, AverageBits(), effort);
    return ExpectedFalsePositives(tree, bits, effort) /
           ExpectedFalsePositives(tree, best, effort);
  }

 private:
  struct Run {
    int level, tables;
    double keys, bits;
  };
  static constexpr size_t kRunsThatStartAMerge = 4;
  static constexpr int kLastLevel = 6;

  TreeTables Tables() const {
    TreeTables tree;
    for (const Run& run : runs_) {
      LevelTables& sum = tree[run.level];
      sum.tables += run.tables;
      sum.keys += run.keys;
      sum.filter_bits += run.bits;
    }
    return tree;
  }

  // The whole tree if the runs above the last are twice as large as this, or
  // else runs beside each other of which none is larger than all before it, or
  // else the newest ones. Returns false if there is nothing to do.
  bool Merge() {
    double above = 0;
    for (size_t i = 0; i + 1 < runs_.size(); ++i) above += runs_[i].keys;
    if (above >= 2 * runs_.back().keys) {
      MergeRuns(0, runs_.size());
      return true;
    }
    for (size_t begin = 0; begin + 1 < runs_.size(); ++begin) {
      double keys = runs_[begin].keys;
      size_t end = begin + 1;
      while (end < runs_.size() && runs_[end].keys <= 1.01 * keys) {
        keys += runs_[end++].keys;
      }
      if (end == begin + 1) continue;
      MergeRuns(begin, end);
      return true;
    }
    if (runs_.size() == kRunsThatStartAMerge) return false;
    MergeRuns(0, 2);
    return true;
  }

  void MergeRuns(size_t begin, size_t end) {
    Run merged = {kLastLevel, 1, 0, 0};
    if (end < runs_.size()) merged.level = std::max(0, runs_[end].level - 1);
    for (size_t i = begin; i < end; ++i) merged.keys += runs_[i].keys;
    merged.keys *= 1 - lost_;
    merged.bits =
        merged.keys * BitsOf(Tables(), {merged.level, merged.level > 0});
    if (merged.level > 0) {
      const double tables = std::ceil(merged.keys / table_keys_);
      merged.tables = static_cast<int>(tables);
    }
    const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(begin);
    runs_.erase(first + 1, first + static_cast<std::ptrdiff_t>(end - begin));
    *first = merged;
  }

  const double table_keys_, lost_;
  std::vector<Run> runs_;  // the newest first
};

// From the first flush on.
TEST(GrowingTreeTiersTest, MemoryAndFalsePositivesOfRandomHistories) {
  auto random = TestRandom();
  double mean = 0;
  int counted = 0;
  for (const double table_keys : {2e5, 3e7}) {
    for (const int flushes : {20, 100, 300}) {
      ModelTiers tiers(table_keys, static_cast<double>(random() % 3) / 20);
      for (int flush = 1; flush <= flushes; ++flush) {
        // A few are small, as when a database is closed.
        const double keys = 9e4 + static_cast<double>(random() % 20000);
        tiers.Flush(flush % 50 == 0 ? 1e4 : keys);
        const double beside = tiers.BesideTheOptimum();
        ASSERT_LE(beside, 1.7) << "flush " << flush << " of " << flushes;
        ASSERT_LE(tiers.AverageBits(), 1.045 * kAverage) << "flush " << flush;
        ASSERT_GE(tiers.AverageBits(), 0.94 * kAverage) << "flush " << flush;
        mean += beside;
        ++counted;
      }
    }
  }
  EXPECT_LE(mean / counted, 1.04);
}

}  // namespace
}  // namespace oneline
