// Tests of the multipliers of the blocked Ribbon's expected bits: no window has
// many more false positives with the committed table than with independent
// bits. False positives of solved lines:
// tests/table/block/rate_of_model_test.cc.

#include "tools/models/expected_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "table/ribbon_line/expected_bits_table.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

ExpectedBitsMultipliers Committed() {
  ExpectedBitsMultipliers committed;
  std::copy(std::begin(kExpectedBitsLow), std::end(kExpectedBitsLow),
            committed.low);
  std::copy(std::begin(kExpectedBitsHigh), std::end(kExpectedBitsHigh),
            committed.high);
  return committed;
}

TEST(ExpectedBitsTest, NoWindowHasManyMoreFalsePositives) {
  EXPECT_LT(WorstInflation(Committed()), 1.02);
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
