// Tests of table/short_block/short_block.h; what the sizes give is
// tested in tests/tools/models/short_block_model_test.cc.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"
#include "table/block/line_count.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

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

// A reader takes from the length of a block what was meant by it. The bits are
// those asked for: to the nearest byte for one line, half a byte more or less
// for each of several, up to 64 bytes where there are so many that all are
// whole.
TEST(ShortBlockShapeTest, FollowsFromTheLengthAndHasTheBitsAskedFor) {
  for (double bits : {1.0, 3.3, 7.0, 10.0, 23.4, 100.0}) {
    for (size_t n = 1; n < 200000; n += 1 + n / 500) {
      const ShortBlockShape shape = ShortBlockShapeFor(n, bits);
      const size_t lines_bytes = shape.block_bytes() - 1;
      ASSERT_EQ((lines_bytes + 63) / 64, shape.num_lines) << n << " " << bits;
      ASSERT_EQ(lines_bytes % shape.num_lines, 0u);
      ASSERT_GE(shape.line_bytes, 8u);
      ASSERT_LE(shape.line_bytes, 64u);
      const double asked = static_cast<double>(n) * bits / 8;
      if (asked < 9) continue;
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

}  // namespace
}  // namespace oneline
