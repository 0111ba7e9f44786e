// Tests of filter_policy/options/tree_bits.h: the bits that options ask for.

#include <gtest/gtest.h>

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

TEST(BitsPerKeyTest, EachKindGetsTheBitsForTheRate) {
  FilterOptions options;
  options.fp_rate = 0.01;
  for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
    EXPECT_EQ(AskedBitsPerKey(options, kind),
              BitsPerKeyFor(*FindKind(kind), 0.01));
  }
}

}  // namespace
}  // namespace oneline
