// Tests of filter_policy/options/tree_bits.h.

#include "filter_policy/options/tree_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

FilterOptions WithHits(double hits) {
  FilterOptions options;
  options.hits = hits;
  return options;
}

double RibbonRate(double bits_per_key) {
  return bits_per_key == 0
             ? 1
             : LargeFilterFpRate(*FindKind(Kind::kRibbon), bits_per_key);
}

// The bits per key of the filters of a tree of full levels.
double OfFullTree(const TreeBits& tree, double size_ratio) {
  double share = 1 - 1 / size_ratio;
  double sum = share * tree.last();
  for (int above = 1; above < 60; ++above) {
    share /= size_ratio;
    sum += share * tree.Above(above);
  }
  return sum;
}

TEST(TreeBitsTest, AskedBitsRoundAsRocksDBDoes) {
  const auto asked = [](double bits) {
    FilterOptions options;
    options.bits_per_key = bits;
    const double ribbon = RequestedBitsPerKey(options, Kind::kRibbon);
    EXPECT_EQ(RequestedBitsPerKey(options, Kind::kBloom), ribbon);
    EXPECT_EQ(RoundedBitsPerKey(bits), ribbon);
    return ribbon;
  };
  EXPECT_EQ(RequestedBitsPerKey(FilterOptions(), Kind::kRibbon), 10);
  EXPECT_EQ(asked(0), 0);
  EXPECT_EQ(asked(0.499), 0);
  EXPECT_EQ(asked(0.5), 1);
  EXPECT_EQ(asked(0.7), 1);
  EXPECT_EQ(asked(1), 1);
  EXPECT_EQ(asked(1.5), 1.5);
  EXPECT_EQ(asked(9.9996), 10);
  EXPECT_EQ(asked(100), 100);
}

TEST(TreeBitsTest, LevelsAtTenBitsPerKey) {
  const TreeBits ten({}, 10, TreeSizes::Full(10));
  EXPECT_EQ(ten.last(), 9.497);
  EXPECT_EQ(ten.Above(0), 9.497);
  EXPECT_EQ(ten.Above(1), 13.334);
  EXPECT_EQ(ten.Above(2), 16);
  EXPECT_EQ(ten.level0(), 14);
  const TreeBits four({}, 10, TreeSizes::Full(4));
  EXPECT_EQ(four.last(), 9.184);
  EXPECT_EQ(four.Above(1), 11.494);
  EXPECT_EQ(four.Above(2), 13.805);
}

TEST(TreeBitsTest, AFullTreeTakesWhatWasAsked) {
  for (const double ratio : {2.0, 4.0, 6.0, 10.0, 100.0}) {
    for (const double asked : {2.0, 4.0, 7.0, 10.0, 14.0, 16.0, 20.0}) {
      const double bits =
          OfFullTree(TreeBits({}, asked, TreeSizes::Full(ratio)), ratio);
      EXPECT_LE(bits, asked + 0.001) << asked << ", " << ratio;
      EXPECT_GE(bits, 0.97 * asked - 0.1) << asked << ", " << ratio;
    }
  }
}

TEST(TreeBitsTest, TheLastLevelHasTheRateThatWasAsked) {
  FilterOptions options;
  options.fp_rate = 0.01;
  const TreeBits tree(options, 7.018, TreeSizes::Full(10));
  EXPECT_EQ(tree.last(), 7.018);
  EXPECT_EQ(tree.Above(1), 10.856);
}

TEST(TreeBitsTest, Level0HasFourMore) {
  for (const auto& [asked, level0] : {std::pair(0.0, 0.0),
                                      {1.0, 5.0},
                                      {10.0, 14.0},
                                      {14.0, 16.0},
                                      {20.0, 20.0}}) {
    EXPECT_EQ(TreeBits({}, asked, TreeSizes::Full(10)).level0(), level0);
  }
}

TEST(TreeBitsTest, BitsStayWithinBounds) {
  for (const double ratio : {1.0, 1.001, 2.0, 10.0, 100.0}) {
    for (int thousandths = 1000; thousandths <= 100000; thousandths += 77) {
      const double asked = thousandths / 1000.0;
      const TreeBits tree({}, asked, TreeSizes::Full(ratio));
      ASSERT_GE(tree.last(), std::max(1.0, 0.899 * asked));
      ASSERT_LE(tree.last(), asked);
      for (double above = 0, less = tree.last(); above < 8; above += 0.5) {
        const double bits = tree.Above(above);
        ASSERT_GE(bits, less) << asked << ", " << above;
        ASSERT_LE(bits, std::max(asked, kMostBits));
        less = bits;
      }
    }
    const TreeBits none({}, 0, TreeSizes::Full(ratio));
    EXPECT_EQ(none.last(), 0);
    EXPECT_EQ(none.Above(1), 0);
    EXPECT_EQ(none.level0(), 0);
  }
}

TEST(TreeBitsTest, HitsTakeBitsFromTheLastLevelAlone) {
  const TreeBits none({}, 10, TreeSizes::Full(10));
  for (const double hits : {0.5, 0.9, 0.99, 1.0}) {
    const TreeBits tree(WithHits(hits), 10, TreeSizes::Full(10));
    EXPECT_LT(tree.last(), none.last());
    for (const double above : {0.0, 1.0, 2.0}) {
      EXPECT_EQ(tree.Above(above), none.Above(above));
    }
  }
  EXPECT_EQ(TreeBits(WithHits(0.5), 10, TreeSizes::Full(10)).last(), 8.462);
  EXPECT_EQ(TreeBits(WithHits(0.9), 10, TreeSizes::Full(10)).last(), 6.06);
  EXPECT_EQ(TreeBits(WithHits(0.99), 10, TreeSizes::Full(10)).last(), 2.623);
}

// A false positive of the last level costs a read in 1 - h of the lookups only.
TEST(TreeBitsTest, NoMoreReadsAreWastedAtTheStatedShare) {
  for (const double ratio : {4.0, 10.0}) {
    for (double asked = 5.5; asked <= 16; asked += 0.25) {
      const double at_none =
          RibbonRate(TreeBits({}, asked, TreeSizes::Full(ratio)).last());
      for (const double hits : {0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99}) {
        const double last =
            TreeBits(WithHits(hits), asked, TreeSizes::Full(ratio)).last();
        // With fewer the rate changes too steeply for one slope.
        if (last < 2.5) continue;
        EXPECT_LE((1 - hits) * RibbonRate(last), 1.03 * at_none)
            << asked << ", " << hits;
      }
    }
  }
}

TEST(TreeBitsTest, NoFilterWhereMostAbsentKeysWouldPass) {
  EXPECT_EQ(TreeBits(WithHits(1), 10, TreeSizes::Full(10)).last(), 0);
  EXPECT_EQ(TreeBits(WithHits(0.9999), 10, TreeSizes::Full(10)).last(), 0);
  EXPECT_EQ(TreeBits(WithHits(0.9), 4, TreeSizes::Full(10)).last(), 0);
  for (double hits = 0; hits < 1; hits += 0.001) {
    const double last =
        TreeBits(WithHits(hits), 10, TreeSizes::Full(10)).last();
    if (last == 0) continue;
    ASSERT_LE(RibbonRate(last), 0.5) << hits;
  }
}

}  // namespace
}  // namespace oneline
