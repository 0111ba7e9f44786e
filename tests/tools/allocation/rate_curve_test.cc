#include "tools/allocation/rate_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"
#include "tests/table/all_kinds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// The rate by linear interpolation.
double OnTheCurve(const std::vector<RatePoint>& curve, double bits) {
  const auto above = std::find_if(
      curve.begin(), curve.end(),
      [bits](const RatePoint& point) { return point.bits_per_key >= bits; });
  const RatePoint &a = above[-1], &b = *above;
  return a.fp_rate + (b.fp_rate - a.fp_rate) * (bits - a.bits_per_key) /
                         (b.bits_per_key - a.bits_per_key);
}

TEST(RateCurveTest, BeginsWithoutAFilterAndFalls) {
  for (const KindTraits* kind : AllKinds()) {
    const std::vector<RatePoint>& curve = RateCurve(KindOf(*kind));
    EXPECT_EQ(curve[0].bits_per_key, 0);
    EXPECT_EQ(curve[0].fp_rate, 1);
    EXPECT_EQ(curve[1].bits_per_key, 1);
    EXPECT_EQ(curve.back().bits_per_key, 100);
    for (size_t i = 1; i < curve.size(); ++i) {
      EXPECT_LT(curve[i].fp_rate, curve[i - 1].fp_rate);
    }
  }
}

// Bits are in thousandths, as policies use them: Ribbon takes over from Bloom
// between two of these, and its rate jumps there.
TEST(RateCurveTest, HasTheRatesOfTheModel) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (int i = 0; i < 40; ++i) {
      const uint64_t below = i % 2 == 0 ? 3 : 40;
      const double bits =
          1 + static_cast<double>(random() % ((below - 1) * 1000)) / 1000;
      const double rate = LargeFilterFpRate(*kind, bits);
      EXPECT_NEAR(OnTheCurve(RateCurve(KindOf(*kind)), bits), rate, 0.02 * rate)
          << kind->name << " " << bits;
    }
  }
}

}  // namespace
}  // namespace oneline
