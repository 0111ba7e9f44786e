// Tests of filter_policy/options/tree_bits.h: the bits that options ask for.

#include <gtest/gtest.h>

#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/tree_bits.h"
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

}  // namespace
}  // namespace oneline
