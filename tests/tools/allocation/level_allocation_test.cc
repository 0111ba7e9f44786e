// Tests of tools/allocation/level_allocation.h: no other allocation with the
// same memory has fewer false positives.

#include "tools/allocation/level_allocation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "table/block/kind_choice.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

using Tree = std::vector<TreeLevel>;
using Bits = std::vector<double>;

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

Tree TenfoldTree(int levels) {
  return LeveledTree({4, 0.25, Bits(levels - 2, 10.0)}, 1e7);
}

void ExpectValid(const Tree& tree, double average, const Bits& bits) {
  ASSERT_EQ(bits.size(), tree.size());
  for (const double b : bits) {
    EXPECT_TRUE(b == 0 || (b >= 1 && b <= 100)) << b;
    EXPECT_EQ(b, std::round(b * 1000) / 1000);
  }
  EXPECT_LE(AverageBits(tree, bits), average + 1e-7);
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
    const double sum = ExpectedFalsePositives(tree, bits);
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
          EXPECT_GE(ExpectedFalsePositives(tree, changed), sum * 0.985)
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
    const double sum = ExpectedFalsePositives(tree, bits);
    for (size_t i = 0; i < tree.size(); ++i) {
      const double keys = tree[i].keys * tree[i].runs;
      if (keys == 0) continue;
      Bits changed = bits;
      changed[i] = std::min(100.0, bits[i] + left / keys);
      if (changed[i] < 1) changed[i] = 0;
      EXPECT_GT(ExpectedFalsePositives(tree, changed), sum * 0.998)
          << "level " << i;
    }
  }
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

TEST(LevelAllocationTest, MinBitsForFalsePositivesIsTheInverse) {
  const Tree tree = TenfoldTree(5);
  for (const double average : {0.4, 5.0, 12.0}) {
    const double sum =
        ExpectedFalsePositives(tree, AllocateBits(tree, average));
    const double min = MinBitsForFalsePositives(tree, sum);
    EXPECT_NEAR(min, average, 0.01 + 0.002 * average);
    EXPECT_LE(ExpectedFalsePositives(tree, AllocateBits(tree, min)), sum);
  }
  EXPECT_EQ(ExpectedFalsePositives(tree, Bits(5)), 8);  // one for each run
  EXPECT_EQ(MinBitsForFalsePositives(tree, 8), 0);
  EXPECT_EQ(MinBitsForFalsePositives(tree, 0), 100);
}

// For which an exact search would take many minutes.
TEST(LevelAllocationTest, ManyLevelsOfTheSameSize) {
  const Tree tree(24, TreeLevel{1e6});
  const Bits bits = AllocateBits(tree, 2);
  ExpectValid(tree, 2, bits);
  EXPECT_LE(ExpectedFalsePositives(tree, bits),
            ExpectedFalsePositives(tree, Bits(tree.size(), 2)));
}

TEST(LeveledTreeTest, LevelsGrowByTheirRatiosAndShareTheKeys) {
  const Tree tree = LeveledTree({4, 0.25, {10, 8}}, 1e13);
  EXPECT_DOUBLE_EQ(Keys(tree), 1e13);
  ASSERT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree[0].runs, 4);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(tree[i].runs, 1);
  EXPECT_DOUBLE_EQ(tree[1].keys, 4 * tree[0].keys);
  EXPECT_DOUBLE_EQ(tree[2].keys, 10 * tree[1].keys);
  EXPECT_DOUBLE_EQ(tree[3].keys, 8 * tree[2].keys);
}

}  // namespace
}  // namespace oneline
