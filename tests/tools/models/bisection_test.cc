#include "tools/models/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace oneline {
namespace {

// At `high` it need not hold.
TEST(BisectTest, FindsTheSmallestIntegerThatHolds) {
  for (int low = 0; low < 10; ++low) {
    for (int high = low; high < 20; ++high) {
      for (int first = low; first <= high; ++first) {
        EXPECT_EQ(Bisect(low, high, [=](int x) { return x >= first; }), first);
      }
    }
  }
}

// Callers rely on it where the condition has no meaning at the upper bound.
TEST(BisectTest, DoesNotTryHigh) {
  for (const bool holds : {false, true}) {
    int calls = 0, highest = -1;
    Bisect(0, 1000, [&](int x) {
      ++calls;
      highest = std::max(highest, x);
      return holds;
    });
    EXPECT_GT(calls, 8);
    EXPECT_EQ(highest, holds ? 500 : 999);
  }
}

TEST(BisectThousandthsTest, FindsTheSmallestThousandthThatHolds) {
  for (const double first : {1.0, 1.001, 9.999, 33.333, 100.0}) {
    EXPECT_EQ(BisectThousandths(1, 100, [=](double x) { return x >= first; }),
              first);
  }
}

TEST(BisectRealTest, IsAtMostTheToleranceTooLarge) {
  const auto holds = [](double x) { return x * x >= 2; };
  for (const double tolerance : {1.0, 1e-3, 1e-12}) {
    const double x = BisectReal(0, 100, tolerance, holds);
    EXPECT_TRUE(holds(x)) << tolerance;
    EXPECT_LE(x - std::sqrt(2.0), tolerance);
  }
}

}  // namespace
}  // namespace oneline
