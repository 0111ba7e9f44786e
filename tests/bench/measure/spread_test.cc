// Tests of bench/measure/spread.h.

#include "bench/measure/spread.h"

#include <gtest/gtest.h>

#include <vector>

namespace oneline {
namespace {

TEST(SpreadTest, QuartilesOfFive) {
  const Spread spread = SpreadOf({5, 1, 4, 2, 3});
  EXPECT_EQ(spread.lower, 2);
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.upper, 4);
}

TEST(SpreadTest, QuartilesAreInterpolated) {
  const Spread spread = SpreadOf({10, 0});
  EXPECT_EQ(spread.lower, 2.5);
  EXPECT_EQ(spread.median, 5);
  EXPECT_EQ(spread.upper, 7.5);
  EXPECT_EQ(SpreadOf({7}).median, 7);
  EXPECT_EQ(SpreadOf({7}).upper, 7);
}

// A round that was slow for both does not change the ratio.
TEST(SpreadTest, RatiosAreOfTheSameRound) {
  const Spread spread = SpreadOfRatios({2, 4, 200}, {1, 2, 100});
  EXPECT_EQ(spread.lower, 2);
  EXPECT_EQ(spread.median, 2);
  EXPECT_EQ(spread.upper, 2);
}

TEST(SpreadTest, PercentileIsAValueThatOccurred) {
  std::vector<float> values;
  for (int i = 100; i >= 1; --i) values.push_back(static_cast<float>(i));
  EXPECT_EQ(Percentile(0.5, &values), 50);
  EXPECT_EQ(Percentile(0.99, &values), 99);
  EXPECT_EQ(Percentile(1, &values), 100);
  EXPECT_EQ(Percentile(0, &values), 1);
  values = {3};
  EXPECT_EQ(Percentile(0.99, &values), 3);
}

}  // namespace
}  // namespace oneline
