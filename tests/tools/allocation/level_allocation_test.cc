// Tests of tools/allocation/level_allocation.h: no other allocation with the
// same memory has fewer false positives.

#include "tools/allocation/level_allocation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

using Tree = std::vector<TreeLevel>;
using Bits = std::vector<double>;

// By the model itself, not by the curve that AllocateBits uses.
double Rate(Kind kind, double bits) {
  static std::map<std::pair<Kind, double>, double> known;
  const auto [it, is_new] = known.try_emplace({kind, bits}, 1);
  if (is_new && bits > 0) {
    it->second = LargeFilterFpRate(*FindKind(kind), bits);
  }
  return it->second;
}

// The false positives of a lookup, as ExpectedFalsePositives, but fast.
double Sum(const Tree& tree, const Bits& bits) {
  double sum = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    if (tree[i].keys == 0) continue;
    sum += tree[i].runs * Rate(tree[i].kind, bits[i]);
  }
  return sum;
}

double Keys(const Tree& tree) {
  double keys = 0;
  for (const TreeLevel& level : tree) keys += level.keys * level.runs;
  return keys;
}

// The memory of all filters, in bits for each key of the tree; 0 if it has
// none.
double AverageBits(const Tree& tree, const Bits& bits) {
  double sum = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    sum += tree[i].keys * tree[i].runs * bits[i];
  }
  return Keys(tree) == 0 ? 0 : sum / Keys(tree);
}

Tree TenfoldTree(int levels, double keys = 1e7) {
  return LeveledTree({4, 0.25, Bits(levels - 2, 10.0)}, keys);
}

Bits Uniform(const Tree& tree, double bits) { return Bits(tree.size(), bits); }

void ExpectValid(const Tree& tree, double average, const Bits& bits) {
  ASSERT_EQ(bits.size(), tree.size());
  for (const double b : bits) {
    EXPECT_TRUE(b == 0 || (b >= 1 && b <= 100)) << b;
    EXPECT_EQ(b, std::round(b * 1000) / 1000);
  }
  EXPECT_LE(AverageBits(tree, bits), average + 1e-7);
}

// The fewest false positives of all allocations on a grid. The last level takes
// the memory that is left.
double MinByBruteForce(const Tree& tree, double average) {
  Bits grid = {0, 1.71, 1.72};
  for (double b = 1; b <= 30; b += b < 4 ? 0.125 : 1) grid.push_back(b);
  double min = 1e9;
  Bits bits(tree.size());
  const std::function<void(size_t, double)> choose = [&](size_t i,
                                                         double memory) {
    const double keys = tree[i].keys * tree[i].runs;
    if (i + 1 == tree.size()) {
      bits[i] = std::min(100.0, std::floor(memory / keys * 20) / 20);
      if (bits[i] < 1) bits[i] = 0;
      min = std::min(min, Sum(tree, bits));
      return;
    }
    for (const double b : grid) {
      if (b * keys > memory) continue;
      bits[i] = b;
      choose(i + 1, memory - b * keys);
    }
  };
  choose(0, average * Keys(tree));
  return min;
}

TEST(LevelAllocationTest, NoAllocationOnAGridIsBetter) {
  const Tree trees[] = {
      {{1}, {10}},
      {{1, 4}, {4}, {40}},
      {{100}, {101, 4}, {102}},  // memory for the smallest filter of one run
      {{3, 2}, {3}, {3}},        // runs of equal size
      {{1, 4, Kind::kBloom}, {4}, {40}},
      {{50}, {1, 4}, {7, 1, Kind::kBloom}},  // not in order of size
  };
  for (const Tree& tree : trees) {
    for (const double average : {0.1, 0.26, 0.9, 1.3, 2.5, 10.0}) {
      SCOPED_TRACE(testing::Message()
                   << "tree of " << tree[0].keys << ", " << tree[1].keys
                   << "..., average " << average);
      const Bits bits = AllocateBits(tree, average);
      ExpectValid(tree, average, bits);
      EXPECT_LE(Sum(tree, bits), MinByBruteForce(tree, average) * 1.005);
    }
  }
}

Tree RandomTree(std::mt19937_64* random) {
  Tree tree(1 + (*random)() % 7);
  for (TreeLevel& level : tree) {
    level.keys = std::exp2(static_cast<double>((*random)() % 1000) / 40);
    level.runs = (*random)() % 4 == 0 ? static_cast<int>((*random)() % 9) : 1;
    level.kind = (*random)() % 3 == 0 ? Kind::kBloom : Kind::kRibbon;
  }
  return tree;
}

// Moves memory from one level to another. That may gain a little: Ribbon's rate
// falls in steps at about 3 bits per key, and the curve does not have all of
// them.
TEST(LevelAllocationTest, NoExchangeBetweenTwoLevelsIsBetter) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < 6; ++round) {
    const Tree tree = round == 0 ? TenfoldTree(6) : RandomTree(&random);
    const double average = 1 + static_cast<double>(random() % 150) / 10;
    const Bits bits = AllocateBits(tree, average);
    const double sum = Sum(tree, bits);
    for (size_t from = 0; from < tree.size(); ++from) {
      for (size_t to = 0; to < tree.size(); ++to) {
        const double from_keys = tree[from].keys * tree[from].runs;
        const double to_keys = tree[to].keys * tree[to].runs;
        if (from == to || from_keys == 0 || to_keys == 0) continue;
        for (const double given : {0.25, 1.0, bits[from]}) {
          Bits changed = bits;
          changed[from] -= given;
          changed[to] += given * from_keys / to_keys;
          if (changed[from] < 0 || changed[to] > 100) continue;
          if (changed[from] < 1) changed[from] = 0;
          if (changed[to] < 1) changed[to] = 0;
          EXPECT_GE(Sum(tree, changed), sum * 0.985)
              << "round " << round << ", average " << average << ", from level "
              << from << " to " << to << ": " << given;
        }
      }
    }
  }
}

TEST(LevelAllocationTest, TheMemoryIsKeptAndUsed) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < 100; ++round) {
    const Tree tree = RandomTree(&random);
    const double average =
        std::exp2(static_cast<double>(random() % 1200) / 100 - 5);
    SCOPED_TRACE(testing::Message() << "round " << round << ", " << average);
    const Bits bits = AllocateBits(tree, average);
    ExpectValid(tree, average, bits);
    // What is left is of no use: it is below a thousandth of a bit per key, too
    // small for a filter of a run that has none, or gains nearly nothing.
    const double left = (average - AverageBits(tree, bits)) * Keys(tree);
    if (left <= 0.0011 * Keys(tree)) continue;
    const double sum = Sum(tree, bits);
    for (size_t i = 0; i < tree.size(); ++i) {
      const double keys = tree[i].keys * tree[i].runs;
      if (keys == 0) continue;
      Bits changed = bits;
      changed[i] = std::min(100.0, bits[i] + left / keys);
      if (changed[i] < 1) changed[i] = 0;
      EXPECT_GT(Sum(tree, changed), sum * 0.998) << "level " << i;
    }
  }
}

// Uniform filters give nine runs a rate of 0.157 %.
TEST(LevelAllocationTest, EachRunAddsItsRate) {
  const Tree tree = TenfoldTree(6);
  const double uniform = ExpectedFalsePositives(tree, Uniform(tree, 10));
  EXPECT_NEAR(uniform, 9 * 0.00157, 0.0001);
  EXPECT_EQ(ExpectedFalsePositives(tree, Uniform(tree, 0)), 9);
  const Bits bits = AllocateBits(tree, 10);
  EXPECT_LT(ExpectedFalsePositives(tree, bits), uniform / 6);
}

TEST(LevelAllocationTest, OneLevelGetsTheAverage) {
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    for (const double average : {1.0, 1.234, 1.5, kMinRibbonBitsPerKey, 2.3,
                                 5.0, 9.9, 10.0, 10.3, 99.999, 100.0}) {
      for (const int runs : {1, 7}) {
        EXPECT_EQ(AllocateBits({{1000, runs, kind}}, average), Bits{average});
      }
    }
    EXPECT_EQ(AllocateBits({{1000, 1, kind}}, 0.999), Bits{0});
    EXPECT_EQ(AllocateBits({{1000, 1, kind}}, 0), Bits{0});
    EXPECT_EQ(AllocateBits({{1000, 1, kind}}, 100.001), Bits{100});
    EXPECT_EQ(AllocateBits({{1000, 1, kind}}, 1e9), Bits{100});
  }
}

TEST(LevelAllocationTest, LevelsWithoutKeysGetNothing) {
  EXPECT_EQ(AllocateBits({}, 10), Bits{});
  EXPECT_EQ(AllocateBits({{0}}, 10), Bits{0});
  EXPECT_EQ(AllocateBits({{0}, {5, 0}}, 10), (Bits{0, 0}));
  EXPECT_EQ(AllocateBits({{0}, {5}, {7, 0}}, 10), (Bits{0, 10, 0}));
  EXPECT_EQ(ExpectedFalsePositives({{0}, {5, 0}}, {0, 0}), 0);
}

// Only the ratios of the numbers of keys matter.
TEST(LevelAllocationTest, AnyNumberOfKeys) {
  const Bits expected = AllocateBits(TenfoldTree(7, 1e7), 10);
  for (const double keys : {1e-3, 1.0, 1e13, 1e100}) {
    const Bits bits = AllocateBits(TenfoldTree(7, keys), 10);
    for (size_t i = 0; i < bits.size(); ++i) {
      EXPECT_NEAR(bits[i], expected[i], 0.06) << keys;
    }
  }
}

TEST(LevelAllocationTest, MinBitsForFalsePositivesIsTheInverse) {
  const Tree tree = TenfoldTree(5);
  for (const double average : {0.4, 5.0, 12.0}) {
    const double sum =
        ExpectedFalsePositives(tree, AllocateBits(tree, average));
    const double min = MinBitsForFalsePositives(tree, sum);
    EXPECT_NEAR(min, average, 0.01 + 0.002 * average);
    EXPECT_LE(ExpectedFalsePositives(tree, AllocateBits(tree, min)), sum);
  }
  EXPECT_EQ(MinBitsForFalsePositives(tree, 8), 0);
  EXPECT_EQ(MinBitsForFalsePositives(tree, 0), 100);
}

// For which an exact search would take many minutes.
TEST(LevelAllocationTest, ManyLevelsOfTheSameSize) {
  const Tree tree(24, TreeLevel{1e6});
  const Bits bits = AllocateBits(tree, 2);
  ExpectValid(tree, 2, bits);
  EXPECT_LE(ExpectedFalsePositives(tree, bits),
            ExpectedFalsePositives(tree, Uniform(tree, 2)));
}

TEST(LeveledTreeTest, LevelsGrowByTheirRatios) {
  const std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 8}});
  ASSERT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree[0].runs, 4);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(tree[i].runs, 1);
  EXPECT_DOUBLE_EQ(tree[1].keys, 4 * tree[0].keys);
  EXPECT_DOUBLE_EQ(tree[2].keys, 10 * tree[1].keys);
  EXPECT_DOUBLE_EQ(tree[3].keys, 8 * tree[2].keys);
}

TEST(LeveledTreeTest, LevelsShareTheKeys) {
  for (const double keys : {0.0, 1.0, 1e13}) {
    double sum = 0;
    for (const TreeLevel& level : LeveledTree({3, 0.5, {4, 4, 4}}, keys)) {
      sum += level.keys * level.runs;
    }
    EXPECT_DOUBLE_EQ(sum, keys);
  }
  // One level below level 0.
  EXPECT_DOUBLE_EQ(LeveledTree({2, 0.5, {}}, 100).back().keys, 50);
}

}  // namespace
}  // namespace oneline
