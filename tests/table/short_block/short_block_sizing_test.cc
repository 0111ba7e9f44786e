// Tests of table/short_block/short_block_sizing.h. Measured rates are held to
// the model in tests/table/short_block/short_block_test.cc.

#include "table/short_block/short_block_sizing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"
#include "table/block/line_count.h"
#include "table/hash/key_hash.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

const KindTraits& Ribbon() { return *FindKind(kRibbonId); }
const KindTraits& Bloom() { return *FindKind(kBloomId); }

void ExpectShape(size_t num_keys, double bits_per_key, uint32_t num_lines,
                 uint32_t line_bytes) {
  const ShortBlockShape shape = ShortBlockShapeFor(num_keys, bits_per_key);
  EXPECT_EQ(shape.num_lines, num_lines) << num_keys << " " << bits_per_key;
  EXPECT_EQ(shape.line_bytes, line_bytes) << num_keys << " " << bits_per_key;
}

TEST(ShortBlockShapeTest, KnownValues) {
  ExpectShape(1, 1, 1, 8);
  ExpectShape(1, 72, 1, 8);
  ExpectShape(1, 100, 1, 12);  // 12.5 bytes are 13
  ExpectShape(7, 10, 1, 8);
  ExpectShape(8, 10, 1, 9);
  ExpectShape(20, 10, 1, 24);
  ExpectShape(52, 10, 1, 64);
  ExpectShape(53, 10, 2, 33);  // 66.25 bytes are 66, but 65 are not even
  ExpectShape(200, 10, 4, 62);
  ExpectShape(1000000, 10, 19532, 64);
}

// A reader takes from the length of a block what was meant by it.
TEST(ShortBlockShapeTest, FollowsFromTheLength) {
  for (double bits : {1.0, 3.3, 7.0, 10.0, 23.4, 100.0}) {
    for (size_t n = 1; n < 200000; n += 1 + n / 500) {
      const ShortBlockShape shape = ShortBlockShapeFor(n, bits);
      const size_t lines_bytes = shape.block_bytes() - 1;
      ASSERT_EQ((lines_bytes + 63) / 64, shape.num_lines) << n << " " << bits;
      ASSERT_EQ(lines_bytes % shape.num_lines, 0u);
      ASSERT_GE(shape.line_bytes, 8u);
      ASSERT_LE(shape.line_bytes, 64u);
    }
  }
}

// To the nearest byte for one line, half a byte more or less for each of
// several, up to 64 bytes where there are so many that all are whole.
TEST(ShortBlockShapeTest, HasTheBitsAskedFor) {
  for (double bits : {1.0, 3.3, 7.0, 10.0, 23.4, 100.0}) {
    for (size_t n = 1; n < 200000; n += 1 + n / 500) {
      const double asked = static_cast<double>(n) * bits / 8;
      if (asked < 9) continue;
      const ShortBlockShape shape = ShortBlockShapeFor(n, bits);
      const auto bytes = static_cast<double>(shape.block_bytes());
      ASSERT_GE(bytes, asked - 0.5 * shape.num_lines - 0.5) << n << " " << bits;
      ASSERT_LE(bytes, asked + std::min(shape.num_lines, 64u) + 0.5)
          << n << " " << bits;
    }
  }
}

TEST(ShortBlockShapeTest, HugeCountsAreCapped) {
  ExpectShape(std::numeric_limits<size_t>::max(), 100, kMaxLines, 64);
}

TEST(ShortBlockContentTest, ParametersFitTheCode) {
  for (const KindTraits* kind : AllKinds()) {
    for (double bits = 1; bits <= 100; bits *= 1.07) {
      for (size_t n = 1; n < 100000; n += 1 + n / 10) {
        const ShortBlockShape shape = ShortBlockShapeFor(n, bits);
        const ShortBlockContent content = ShortBlockContentFor(*kind, n, shape);
        ASSERT_TRUE(content.kind.valid_parameter(content.parameter));
        const double there = 8.0 * static_cast<double>(shape.lines_bytes()) /
                             static_cast<double>(n);
        ASSERT_EQ(content.kind.id, EffectiveKind(*kind, there).id);
      }
    }
  }
}

// Of one line, the number of whose keys is known: the Ribbon comes near to what
// the bits can do, 2^-bits, where the header and the envelope weigh little.
TEST(ShortBlockFpRateTest, KnownValues) {
  EXPECT_NEAR(ShortBlockFpRate(Ribbon(), 20, 10), 0.001938, 0.000005);
  EXPECT_NEAR(ShortBlockFpRate(Ribbon(), 51, 10), 0.001318, 0.000005);
  EXPECT_NEAR(ShortBlockFpRate(Ribbon(), 200, 10), 0.001566, 0.000005);
  EXPECT_NEAR(ShortBlockFpRate(Bloom(), 20, 10), 0.0103, 0.0003);
  // 6 probes in 512 bits, by the usual approximation.
  EXPECT_NEAR(ShortBlockFpRate(Bloom(), 52, 10),
              std::pow(1 - std::exp(-6.0 * 52 / 512), 6), 0.0002);
}

// Many lines are like those of a filter block.
TEST(ShortBlockFpRateTest, NearsThatOfLargeFilters) {
  for (const KindTraits* kind : AllKinds()) {
    const double large = LargeFilterFpRate(*kind, 10);
    EXPECT_NEAR(ShortBlockFpRate(*kind, 20000, 10), large, 0.02 * large);
  }
}

TEST(ShortBlockFpRateTest, RibbonHasFewerThanBloom) {
  for (double bits : {4.0, 7.0, 10.0, 16.0}) {
    for (size_t n : {10, 20, 35, 50, 70, 100, 200}) {
      EXPECT_LT(ShortBlockFpRate(Ribbon(), n, bits),
                ShortBlockFpRate(Bloom(), n, bits))
          << bits << " " << n;
    }
  }
}

TEST(ShortBlockBitsPerKeyTest, ReachTheRateAndNoLessDo) {
  for (const KindTraits* kind : AllKinds()) {
    for (double rate : {0.05, 0.01, 0.001}) {
      for (size_t n : {1, 5, 20, 51, 70, 256}) {
        const double bits = ShortBlockBitsPerKeyFor(*kind, n, rate);
        EXPECT_LE(ShortBlockFpRate(*kind, n, bits), rate) << n << " " << rate;
        // A byte less, if there is one, is too little.
        const double less = bits - 8.0 / static_cast<double>(n);
        const ShortBlockShape shape = ShortBlockShapeFor(n, bits);
        if (less < 1 || shape.num_lines > 1 || shape.line_bytes == 8) continue;
        EXPECT_GT(ShortBlockFpRate(*kind, n, less), rate) << n << " " << rate;
      }
    }
    const double large = BitsPerKeyFor(*kind, 0.01);
    EXPECT_GE(ShortBlockBitsPerKeyFor(*kind, 1000000, 0.01), large);
    EXPECT_NEAR(ShortBlockBitsPerKeyFor(*kind, 1000000, 0.01), large,
                0.05 * large);
  }
}

}  // namespace
}  // namespace oneline
