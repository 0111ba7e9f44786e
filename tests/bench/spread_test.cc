// Tests of bench/measure/spread.h.

#include "bench/measure/spread.h"

#include <gtest/gtest.h>

#include <vector>

namespace oneline {
namespace {

TEST(SpreadTest, QuartilesLieBetweenValues) {
  const Spread spread = SpreadOf({4, 1, 2, 3});
  EXPECT_DOUBLE_EQ(spread.lower, 1.75);
  EXPECT_DOUBLE_EQ(spread.median, 2.5);
  EXPECT_DOUBLE_EQ(spread.upper, 3.25);
  EXPECT_DOUBLE_EQ(SpreadOfRatios({2, 9, 4}, {1, 3, 1}).median, 3);
}

// If equals differ by a half, so may others, and by twice as much.
TEST(SpreadTest, ChanceIsAsFarInBothDirections) {
  const auto is_chance = [](double median, double lower, double upper) {
    Spread ratios, equals;
    ratios.median = median;
    equals.lower = lower;
    equals.upper = upper;
    return IsChance(ratios, equals);
  };
  EXPECT_TRUE(is_chance(1.9, 0.5, 1.1));
  EXPECT_FALSE(is_chance(2.1, 0.5, 1.1));
  EXPECT_TRUE(is_chance(0.6, 0.9, 2));
  EXPECT_FALSE(is_chance(0.4, 0.9, 2));
}

TEST(SpreadTest, APercentileIsOneOfTheValues) {
  std::vector<float> values = {5, 1, 4, 2, 3};
  EXPECT_EQ(Percentile(0.5, &values), 3);
  EXPECT_EQ(Percentile(0.61, &values), 4);
  EXPECT_EQ(Percentile(0, &values), 1);
  EXPECT_EQ(Percentile(1, &values), 5);
}

}  // namespace
}  // namespace oneline
