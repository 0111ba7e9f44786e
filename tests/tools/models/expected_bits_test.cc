// Tests of the multipliers of the blocked Ribbon's expected bits: no window has
// many more false positives with the committed table than with independent
// bits, and the measure of that in tools/models/expected_bits.h is right. False
// positives of solved lines: tests/table/ribbon/blocked_ribbon_test.cc.

#include "tools/models/expected_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "table/ribbon_line/expected_bits_table.h"
#include "table/ribbon_line/ribbon_line.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

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

// The sum of squares of all values' probabilities, over random keys and by
// ExpectedBit. There are up to 2^12 values: with so many keys the statistical
// error is below 0.1 %.
TEST(ExpectedBitsTest, InflationIsThatOfExpectedBits) {
  std::mt19937_64 random = TestRandom();
  constexpr int kKeys = kSlow ? 100000 : 4000000;
  for (uint32_t rows : {42u, 50u, 61u, 64u, 70u}) {
    for (uint32_t start : {0u, rows > kWindowRows ? rows - kWindowRows : 0u}) {
      const bool partial = start < PartialRows(rows);
      const uint32_t bits = FullColumns(rows) + (partial ? 1 : 0);
      std::vector<uint32_t> counts(size_t{1} << bits);
      for (int i = 0; i < kKeys; ++i) {
        const uint64_t key_bits = random();
        uint32_t value = 0;
        for (uint32_t column = 0; column < bits; ++column) {
          value =
              value << 1 | ExpectedBit(key_bits, 511 - column * rows - start);
        }
        ++counts[value];
      }
      // Pairs of different keys of the same value.
      double pairs = 0;
      for (uint32_t count : counts) pairs += 1.0 * count * (count - 1.0);
      const double measured =
          pairs / kKeys / (kKeys - 1.0) * static_cast<double>(counts.size());
      EXPECT_NEAR(Inflation(Committed(), rows, start), measured,
                  kSlow ? 0.05 : 0.004)
          << rows << " rows, window from " << start;
    }
  }
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
