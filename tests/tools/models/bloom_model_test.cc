// Tests of tools/models/bloom_model.h. Measured rates are held to the model in
// rate_of_model_test.cc.

#include "tools/models/bloom_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace oneline {
namespace {

// However many keys share a line, the answer comes at once.
TEST(BlockedBloomFpRateTest, FullLinesPassEverything) {
  for (int k : {1, 6, 24}) {
    for (double bits : {1e-300, 1e-9, 1e-3, 0.02}) {
      EXPECT_NEAR(BlockedBloomFpRate(bits, k), 1, 1e-10) << bits << " " << k;
    }
    EXPECT_NEAR(BlockedBloomFpRate(0.05, 1), -std::expm1(-20), 1e-10);
  }
}

}  // namespace
}  // namespace oneline
