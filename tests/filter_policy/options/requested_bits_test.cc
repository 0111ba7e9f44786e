// Tests of filter_policy/options/requested_bits.h.

#include "filter_policy/options/requested_bits.h"

#include <gtest/gtest.h>

#include <utility>

namespace oneline {
namespace {

TEST(RequestedBitsTest, RoundAsRocksDBDoes) {
  EXPECT_EQ(RequestedBitsPerKey(FilterOptions(), Kind::kRibbon), 10);
  for (const auto& [bits, rounded] : {std::pair(0.0, 0.0),
                                      {0.499, 0.0},
                                      {0.5, 1.0},
                                      {0.7, 1.0},
                                      {1.0, 1.0},
                                      {1.5, 1.5},
                                      {9.9996, 10.0},
                                      {100.0, 100.0}}) {
    FilterOptions options;
    options.bits_per_key = bits;
    EXPECT_EQ(RequestedBitsPerKey(options, Kind::kRibbon), rounded) << bits;
    EXPECT_EQ(RequestedBitsPerKey(options, Kind::kBloom), rounded) << bits;
    EXPECT_EQ(RoundedBitsPerKey(bits), rounded) << bits;
  }
}

}  // namespace
}  // namespace oneline
