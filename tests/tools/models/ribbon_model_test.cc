// Tests of the model of the blocked Ribbon in tools/models/ribbon_model.h.
// Measured rates are held to it in rate_of_model_test.cc.

#include "tools/models/ribbon_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "table/block/line_count.h"
#include "table/ribbon/blocked_ribbon.h"

namespace oneline {
namespace {

// With the parameter that a large filter has.
double Rate(double bits_per_key, int effort) {
  constexpr uint32_t kLines = 1 << 20;
  const uint8_t parameter = blocked_ribbon::ChooseParameter(
      bits_per_key, KeysFor(kLines, bits_per_key), kLines);
  return BlockedRibbonFpRate(bits_per_key, parameter, effort);
}

TEST(BlockedRibbonFpRateTest, KnownValues) {
  EXPECT_NEAR(Rate(5, 8), 0.036250, 5e-6);
  EXPECT_NEAR(Rate(10, 1), 0.0018085, 5e-7);
  EXPECT_NEAR(Rate(10, 4), 0.0016121, 5e-7);
  EXPECT_NEAR(Rate(10, 8), 0.0015689, 5e-7);
}

// From the model with nothing left out of its sums: what is skipped where it is
// too small to be seen must not be seen.
TEST(RibbonLineFpRateTest, KnownValues) {
  struct Line {
    uint32_t num_keys, line_bits;
    uint8_t parameter;
    int effort;
    double fp_rate;
  };
  for (const Line& line : {
           Line{30, 512, 20, 4, 1.172918073500081e-05},
           Line{51, 512, 40, 8, 0.001167079099296427},
           Line{60, 512, 60, 1, 0.003546491037568791},
           Line{110, 512, 100, 2, 0.0461907217511953},
           Line{200, 512, 192, 4, 0.1889595057215268},
           Line{250, 512, 192, 8, 0.2507517427810581},
           Line{8, 64, 4, 4, 0.01374780913506518},
           Line{20, 200, 16, 4, 0.001700774653065839},
       }) {
    const double rate = RibbonLineFpRate(line.num_keys, line.line_bits,
                                         line.parameter, line.effort);
    EXPECT_NEAR(rate / line.fp_rate, 1, 1e-13)
        << line.num_keys << " keys in " << line.line_bits << " bits";
  }
}

// Lines that hold more keys than there can be rows for answer "maybe", and a
// line has at most 32 columns.
TEST(BlockedRibbonFpRateTest, HasBothLimits) {
  EXPECT_NEAR(BlockedRibbonFpRate(0.01, 192, 4), 1, 1e-6);
  EXPECT_NEAR(BlockedRibbonFpRate(1, 192, 4), 1, 1e-6);
  EXPECT_GE(Rate(100, 4), std::exp2(-32) * 0.9);
}

}  // namespace
}  // namespace oneline
