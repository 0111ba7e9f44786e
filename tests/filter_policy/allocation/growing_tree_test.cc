// Tests of filter_policy/allocation/growing_tree.h: the bits of single tables,
// and the memory and false positives of model trees that grow and are compacted
// at random.

#include "filter_policy/allocation/growing_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "filter_policy/allocation/level_allocation.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr double kAverage = 10;

double BitsOf(const TreeTables& tree, const NewTable& table,
              double last_level_cost = 1) {
  FilterOptions options;
  options.last_level_cost = last_level_cost;
  return BitsForNewTable(tree, Level0Shape(), table, kAverage, options);
}

TEST(GrowingTreeTest, TheFirstTablesGetTheAverage) {
  EXPECT_NEAR(BitsOf({}, {0}), kAverage, 0.001);
  EXPECT_NEAR(BitsOf({{0, {3, 3e5, 3e6}}}, {0}), kAverage, 0.001);
}

// In a tree that is full each level has what the allocation gives it.
TEST(GrowingTreeTest, AFullTreeHasTheOptimum) {
  const std::vector<double> optimum =
      AllocateBits({{25e3, 4}, {1e5, 1}, {1e6, 1}, {1e7, 1}}, kAverage, 8);
  TreeTables tree = {{0, {4, 1e5, 1e5 * optimum[0]}},
                     {4, {2, 1e5, 1e5 * optimum[1]}},
                     {5, {10, 1e6, 1e6 * optimum[2]}},
                     {6, {100, 1e7, 1e7 * optimum[3]}}};
  EXPECT_NEAR(BitsOf(tree, {0}), optimum[0], 0.05);
  EXPECT_NEAR(BitsOf(tree, {4}), optimum[1], 0.05);
  EXPECT_NEAR(BitsOf(tree, {5}), optimum[2], 0.05);
  EXPECT_NEAR(BitsOf(tree, {6}), optimum[3], 0.05);
  // Empty now, level 0 will have runs again.
  tree.erase(0);
  EXPECT_NEAR(BitsOf(tree, {0}), optimum[0], 1);
}

TEST(GrowingTreeTest, AnEmptyLevel0WillHaveRunsAsBefore) {
  const TreeTables tree = {{6, {100, 1e7, 1e8}}};
  const auto bits = [&](const TreeTables& tables, double run_keys) {
    Level0Shape level0;
    level0.run_keys = run_keys;
    return BitsForNewTable(tables, level0, {0}, kAverage, {});
  };
  EXPECT_GT(bits(tree, 1e4), bits(tree, 1e5) + 3);
  EXPECT_GT(bits(tree, 1e5), bits(tree, 0) + 3);
  TreeTables with_a_run = tree;
  with_a_run[0] = {1, 1e5, 2e6};
  EXPECT_EQ(bits(with_a_run, 1e4), bits(with_a_run, 0));
}

TEST(GrowingTreeTest, TheLastLevelIsTheLargestOrDeeper) {
  const auto optimum = [](double cost6, double cost7) {
    return AllocateBits({{25e3, 4},
                         {1e6, 1},
                         {1e7, 1, Kind::kRibbon, cost6},
                         {2e6, 1, Kind::kRibbon, cost7}},
                        kAverage, 8);
  };
  const std::vector<double> costly = optimum(20, 20);
  ASSERT_GT(costly[2], optimum(1, 1)[2] + 0.1);
  const TreeTables tree = {{0, {4, 1e5, 1e6}},
                           {5, {10, 1e6, 1e7}},
                           {6, {100, 1e7, 1e8}},
                           {7, {20, 2e6, 2e7}}};
  EXPECT_EQ(BitsOf(tree, {0}, 20), costly[0]);
  EXPECT_EQ(BitsOf(tree, {5}, 20), costly[1]);
  EXPECT_EQ(BitsOf(tree, {6}, 20), costly[2]);
  EXPECT_EQ(BitsOf(tree, {6}), optimum(1, 1)[2]);
}

TEST(GrowingTreeTest, NewTablesMakeUpForTheMemoryOfOthers) {
  const auto bits_with = [](double bits_per_key) {
    return BitsOf({{5, {10, 1e6, 1e7}}, {6, {100, 1e7, 1e7 * bits_per_key}}},
                  {6});
  };
  EXPECT_LT(bits_with(10.3), bits_with(10) - 0.5);
  EXPECT_GT(bits_with(9.7), bits_with(10) + 0.5);
  // Not without bounds, and not where other bits were asked for before.
  EXPECT_GT(bits_with(11), 7);
  EXPECT_LT(bits_with(9), 13);
  EXPECT_EQ(bits_with(20), bits_with(10));
  EXPECT_EQ(bits_with(1), bits_with(10));
}

// Without compactions, until level 0 is most of the tree.
TEST(GrowingTreeTest, FlushesTakeNoMoreThanAFewPercentTooMuch) {
  TreeTables tree = {{5, {1, 5e5, 5e6}}, {6, {10, 2e6, 2e7}}};
  EXPECT_GT(BitsOf(tree, {0}), 12.5);
  for (int i = 0; i < 30; ++i) {
    const double bits = BitsOf(tree, {0});
    EXPECT_GE(bits, kAverage) << i;
    ++tree[0].tables;
    tree[0].keys += 1e5;
    tree[0].filter_bits += 1e5 * bits;
    const double keys = 2.5e6 + tree[0].keys;
    ASSERT_LE(2.5e7 + tree[0].filter_bits, 1.031 * kAverage * keys) << i;
  }
}

TEST(GrowingTreeTest, ALevelHasAtLeastTheKeysOfTheOneAbove) {
  TreeTables tree = {{1, {10, 1e6, 1e7}}};
  const double begun = BitsOf(tree, {2});
  tree[2] = {10, 1e6, 1e7};
  tree[1].filter_bits = 1e7;
  EXPECT_NEAR(begun, BitsOf(tree, {2}), 0.1);
}

// More tables than level 0 can have are at the bottom.
TEST(GrowingTreeTest, TheOnlyLevelGetsTheAverage) {
  // Also while the runs that become it are still there.
  EXPECT_NEAR(BitsOf({{6, {4, 4e5, 4e6}}}, {6}), kAverage, 0.3);
  EXPECT_NEAR(BitsOf({{0, {4, 4e5, 4e6}}}, {6}), kAverage, 0.3);
  EXPECT_NEAR(BitsOf({{0, {1, 1e5, 1e6}}}, {6}), kAverage, 0.3);
}

TEST(GrowingTreeTest, SortedLoadsGetTheAverage) {
  TreeTables tree;
  for (int i = 0; i < 2000; ++i) {
    const double bits = BitsOf(tree, {0});
    ++tree[0].tables;
    tree[0].keys += 1e5;
    tree[0].filter_bits += 1e5 * bits;
    ASSERT_LE(tree[0].filter_bits, 1.005 * kAverage * tree[0].keys) << i;
  }
  EXPECT_GE(tree[0].filter_bits, 0.93 * kAverage * tree[0].keys);
}

TEST(GrowingTreeTest, WhatIsMergedIsNoLongerThere) {
  const TreeTables tree = {
      {0, {4, 1e5, 1e6}}, {4, {4, 4e5, 4e6}}, {6, {40, 4e6, 4e7}}};
  // Everything becomes one run, and a fifth of it will come.
  EXPECT_EQ(BitsOf(tree, {6, true}),
            AllocateBits({{0.9e6, 1}, {4.5e6, 1}}, kAverage, 8)[1]);
  EXPECT_EQ(BitsOf(tree, {5, true}),
            AllocateBits({{1e5, 1}, {5e5, 1}, {4e6, 1}}, kAverage, 8)[1]);
  // How much memory that took does not matter, nor does that of runs that stay.
  TreeTables large = tree;
  large[6].filter_bits *= 1.05;
  EXPECT_EQ(BitsOf(large, {6, true}), BitsOf(tree, {6, true}));
  EXPECT_EQ(BitsOf(large, {5, true}), BitsOf(tree, {5, true}));
}

TEST(GrowingTreeTest, EachLevelHasTheRatesOfItsKind) {
  FilterOptions options;
  options.bloom_before_level = 6;
  const TreeTables tree = {{5, {10, 1e6, 1e7}}, {6, {100, 1e7, 1e8}}};
  const double bloom =
      BitsForNewTable(tree, Level0Shape(), {5}, kAverage, options);
  const double ribbon =
      BitsForNewTable(tree, Level0Shape(), {5}, kAverage, FilterOptions());
  EXPECT_NE(bloom, ribbon);
}

// A tree of tables that knows only numbers of keys. Keys are random, so a table
// overlaps its share of the next level.
class ModelTree {
 public:
  struct Table {
    double keys, bits;
  };

  ModelTree(double size_ratio, double base_keys, double last_level_cost,
            uint64_t seed)
      : size_ratio_(size_ratio),
        base_keys_(base_keys),
        last_level_cost_(last_level_cost),
        random_(seed) {}

  // Then compacts levels that are too large. `lost`: the share of the keys of a
  // compaction that are overwritten or deleted.
  void Flush(double keys, double lost) {
    levels_[0].push_back(
        {keys, keys * BitsOf(Tables(), {0}, last_level_cost_)});
    if (levels_[0].size() < 4) return;
    Compact(0, 0, levels_[0].size(), lost);
    for (size_t level = 1; level + 1 < levels_.size(); ++level) {
      while (Keys(level) > base_keys_ * std::pow(size_ratio_, level - 1)) {
        Compact(level, random_() % levels_[level].size(), 1, lost);
      }
    }
  }

  TreeTables Tables() const {
    TreeTables tree;
    for (size_t level = 0; level < levels_.size(); ++level) {
      for (const Table& table : levels_[level]) {
        LevelTables& sum = tree[static_cast<int>(level)];
        ++sum.tables;
        sum.keys += table.keys;
        sum.filter_bits += table.bits;
      }
    }
    return tree;
  }

  double AverageBits() const {
    double keys = 0, bits = 0;
    for (const auto& [level, tables] : Tables()) {
      keys += tables.keys;
      bits += tables.filter_bits;
    }
    return bits / keys;
  }

  // Of a lookup of an absent key.
  double FalsePositives() const {
    double sum = 0;
    for (size_t level = 0; level < levels_.size(); ++level) {
      for (const Table& table : levels_[level]) {
        const double share = level == 0 ? 1 : table.keys / Keys(level);
        sum += share * ExpectedFalsePositives({{table.keys, 1}},
                                              {table.bits / table.keys}, 8);
      }
    }
    return sum;
  }

  // What the false positives of a lookup of an absent key cost, divided by the
  // cost with the best filters for this tree in the same memory.
  double BesideTheOptimum() const {
    std::vector<TreeLevel> tree;
    for (size_t level = 0; level < levels_.size(); ++level) {
      const int runs = level == 0 ? static_cast<int>(levels_[0].size()) : 1;
      tree.push_back({Keys(level) / std::max(runs, 1), runs});
    }
    SetLastLevelCost(last_level_cost_, &tree);
    double cost = 0;
    for (size_t level = 0; level < levels_.size(); ++level) {
      for (const Table& table : levels_[level]) {
        const double share = level == 0 ? 1 : table.keys / Keys(level);
        cost += share * tree[level].read_cost *
                ExpectedFalsePositives({{table.keys, 1}},
                                       {table.bits / table.keys}, 8);
      }
    }
    const std::vector<double> best = AllocateBits(tree, AverageBits(), 8);
    return cost / ExpectedReadCost(tree, best, 8);
  }

  // Its false positives, divided by those of filters with the bits per key
  // asked for.
  double BesideUniform() const {
    const std::vector<TreeLevel> runs = Runs();
    const std::vector<double> uniform(runs.size(), kAverage);
    return FalsePositives() / ExpectedFalsePositives(runs, uniform, 8);
  }

 private:
  std::vector<TreeLevel> Runs() const {
    std::vector<TreeLevel> runs;
    for (const Table& table : levels_[0]) runs.push_back({table.keys, 1});
    for (size_t level = 1; level < levels_.size(); ++level) {
      if (Keys(level) > 0) runs.push_back({Keys(level), 1});
    }
    return runs;
  }

  double Keys(size_t level) const {
    double keys = 0;
    for (const Table& table : levels_[level]) keys += table.keys;
    return keys;
  }

  // Tables of a level from `first` on into the next one.
  void Compact(size_t level, size_t first, size_t count, double lost) {
    std::vector<Table>& upper = levels_[level];
    std::vector<Table>& lower = levels_[level + 1];
    const size_t begin = first * lower.size() / upper.size();
    const size_t end =
        ((first + count) * lower.size() + upper.size() - 1) / upper.size();
    double keys = 0;
    for (size_t i = first; i < first + count; ++i) keys += upper[i].keys;
    for (size_t i = begin; i < end; ++i) keys += lower[i].keys;
    keys *= 1 - lost;
    // RocksDB removes the old tables when the new ones are complete.
    const double bits =
        BitsOf(Tables(), {static_cast<int>(level) + 1}, last_level_cost_);
    const double n = std::max(1.0, std::round(keys / (base_keys_ / 2)));
    const Table table = {keys / n, keys / n * bits};
    upper.erase(upper.begin() + first, upper.begin() + first + count);
    lower.erase(lower.begin() + begin, lower.begin() + end);
    lower.insert(lower.begin() + begin, static_cast<size_t>(n), table);
  }

  const double size_ratio_, base_keys_, last_level_cost_;
  std::mt19937_64 random_;
  std::vector<std::vector<Table>> levels_{7};
};

// From the first flush on.
TEST(GrowingTreeTest, SmallTreesAreNotWorseThanWithUniformBits) {
  auto random = TestRandom();
  double optimum = 0, uniform = 0;
  constexpr int kTrials = kSlow ? 1 : 3, kFlushes = 40;
  for (int trial = 0; trial < kTrials; ++trial) {
    ModelTree tree(4 + static_cast<double>(random() % 7), 2e5, 1, random());
    for (int flush = 0; flush < kFlushes; ++flush) {
      tree.Flush(1e5, 0.02);
      EXPECT_LE(tree.BesideUniform(), 1.45) << "flush " << flush;
      EXPECT_LE(tree.AverageBits(), 1.05 * kAverage) << "flush " << flush;
      optimum += tree.BesideTheOptimum() / (kTrials * kFlushes);
      uniform += tree.BesideUniform() / (kTrials * kFlushes);
    }
  }
  if (kTrials == 1) return;
  EXPECT_LE(optimum, 1.2);
  EXPECT_LE(uniform, 0.95);
}

// `min_memory`, `max_memory`: of what was asked for, at every moment.
// `max_mean`: of the cost beside the optimum, over all histories.
void TestRandomHistories(double last_level_cost, double min_memory,
                         double max_memory, double max_mean) {
  auto random = TestRandom();
  constexpr int kTrials = kSlow ? 1 : 5;
  double mean = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double size_ratio = 4 + static_cast<double>(random() % 7);
    const double base_keys = 1e5 * static_cast<double>(2 + random() % 4);
    const double lost = static_cast<double>(random() % 3) / 20;
    SCOPED_TRACE(testing::Message() << "size ratio " << size_ratio << ", base "
                                    << base_keys << ", lost " << lost);
    ModelTree tree(size_ratio, base_keys, last_level_cost, random());
    double sum = 0;
    int counted = 0;
    for (int flush = 0; flush < 600; ++flush) {
      // A few are small, as when a database is closed.
      tree.Flush(flush % 50 == 0 ? 1e4 : 1e5, lost);
      if (flush < 200) continue;
      ASSERT_LE(tree.AverageBits(), max_memory * kAverage) << "flush " << flush;
      ASSERT_GE(tree.AverageBits(), min_memory * kAverage) << "flush " << flush;
      if (flush % 25 != 0) continue;
      sum += tree.BesideTheOptimum();
      ++counted;
    }
    EXPECT_LE(sum / counted, 1.4);
    mean += sum / counted / kTrials;
  }
  if (kTrials == 1) return;
  EXPECT_LE(mean, max_mean);
}

TEST(GrowingTreeTest, MemoryAndFalsePositivesOfRandomHistories) {
  TestRandomHistories(1, 0.92, 1.04, 1.15);
}

TEST(GrowingTreeTest, MemoryAndReadCostOfRandomHistories) {
  // When another level becomes the last one, bits have farther to move.
  TestRandomHistories(20, 0.85, 1.08, 1.25);
}

}  // namespace
}  // namespace oneline
