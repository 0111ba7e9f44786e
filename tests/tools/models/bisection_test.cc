#include "tools/models/bisection.h"

#include "tests/testing.h"

namespace oneline {
namespace {

// At `high` the condition need not hold, and may have no meaning.
TEST(BisectTest, FindsTheSmallestThatHoldsAndDoesNotTryHigh) {
  for (int low = 0; low < 10; ++low) {
    for (int high = low; high < 20; ++high) {
      for (int first = low; first <= high; ++first) {
        EXPECT_EQ(Bisect(low, high,
                         [=](int x) {
                           EXPECT_LT(x, high);
                           return x >= first;
                         }),
                  first);
      }
    }
  }
}

}  // namespace
}  // namespace oneline
