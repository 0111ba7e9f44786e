// Tests of filter_policy/options/bits_per_key.h.

#include "filter_policy/options/bits_per_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

TEST(BitsPerKeyTest, AskedBitsRoundAsRocksDBDoes) {
  const auto asked = [](double bits) {
    FilterOptions options;
    options.bits_per_key = bits;
    const double ribbon = AskedBitsPerKey(options, Kind::kRibbon);
    EXPECT_EQ(AskedBitsPerKey(options, Kind::kBloom), ribbon);
    EXPECT_EQ(RoundedBitsPerKey(bits), ribbon);
    return ribbon;
  };
  EXPECT_EQ(AskedBitsPerKey(FilterOptions(), Kind::kRibbon), 10);
  EXPECT_EQ(asked(0), 0);
  EXPECT_EQ(asked(0.4), 0);
  EXPECT_EQ(asked(0.499), 0);
  EXPECT_EQ(asked(0.5), 1);
  EXPECT_EQ(asked(0.7), 1);
  EXPECT_EQ(asked(1), 1);
  EXPECT_EQ(asked(1.0004), 1);
  EXPECT_EQ(asked(1.5), 1.5);
  EXPECT_EQ(asked(9.9996), 10);
  EXPECT_EQ(asked(100), 100);
}

// And no more than it needs: a hundredth of a bit less would miss the rate.
TEST(BitsPerKeyTest, EachKindGetsTheBitsForTheRate) {
  for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
    const KindTraits& row = *FindKind(kind);
    for (double rate : {0.5, 0.1, 0.01, 0.001, 1e-5, 1e-9}) {
      SCOPED_TRACE(testing::Message() << row.name << " " << rate);
      FilterOptions options;
      options.fp_rate = rate;
      const double bits = AskedBitsPerKey(options, kind);
      EXPECT_EQ(bits, std::round(bits * 1000) / 1000);
      EXPECT_LE(LargeFilterFpRate(row, bits), rate * 1.0001);
      EXPECT_GT(LargeFilterFpRate(row, bits - 0.01), rate);
    }
  }
}

// The mean factor of the keys of a full tree, most of which are in the last
// level.
TEST(BitsPerKeyTest, FiltersOfATreeTakeAsMuchMoreAtEverySizeRatio) {
  for (const double ratio : {2.0, 4.5, 10.0, 100.0}) {
    EXPECT_EQ(FactorAbove(0, ratio), 1);
    double share = 1 - 1 / ratio, sum = 0;
    for (int above = 0; above < 100; ++above, share /= ratio) {
      sum += share * FactorAbove(above, ratio);
    }
    EXPECT_NEAR(sum, 1.025, 1e-9) << ratio;
  }
}

TEST(BitsPerKeyTest, BitsByLevelEndAt16) {
  EXPECT_EQ(BitsByLevel(10, 1), 10);
  EXPECT_EQ(BitsByLevel(10, kLevel0Factor), 14);
  EXPECT_EQ(BitsByLevel(10, 100), 16);
  EXPECT_EQ(BitsByLevel(16, kLevel0Factor), 16);
  EXPECT_EQ(BitsByLevel(20, kLevel0Factor), 20);
  EXPECT_EQ(BitsByLevel(100, 100), 100);
  EXPECT_EQ(BitsByLevel(0, 100), 0);
  EXPECT_EQ(BitsByLevel(10, 1.00007), 10.001) << "in thousandths";
}

TEST(BitsPerKeyTest, NoLevelGetsFewerBitsThanWereAsked) {
  for (int thousandths = 1000; thousandths <= 100000; ++thousandths) {
    const double asked = RoundedBitsPerKey(thousandths / 1000.0);
    ASSERT_EQ(BitsByLevel(asked, 1), asked);
    for (const double factor : {1.025, kLevel0Factor}) {
      const double bits = BitsByLevel(asked, factor);
      ASSERT_GE(bits, asked);
      ASSERT_LE(bits, std::max(asked, 16.0));
    }
  }
}

}  // namespace
}  // namespace oneline
