// Tests of table/block/line_count.h.

#include "table/block/line_count.h"

#include "tests/testing.h"

namespace oneline {
namespace {

TEST(LinesForTest, KnownValues) {
  EXPECT_EQ(LinesFor(0, 10), 0u);
  EXPECT_EQ(LinesFor(1, 1), 1u);
  EXPECT_EQ(LinesFor(51, 10), 1u);
  EXPECT_EQ(LinesFor(52, 10), 2u);
  EXPECT_EQ(LinesFor(512, 1), 1u);
  EXPECT_EQ(LinesFor(513, 1), 2u);
  EXPECT_EQ(LinesFor(1000000, 10), 19532u);
  EXPECT_EQ(LinesFor(1000000, 9.5), 18555u);
}

// A block stays below 4 GiB, whatever it is asked to hold.
TEST(LinesForTest, HugeCountsAreCapped) {
  EXPECT_EQ(kMaxLines, 67108863u);
  EXPECT_LT(uint64_t{kMaxLines} * kLineBytes + 32, uint64_t{1} << 32);
  EXPECT_EQ(LinesFor(size_t{1} << 31, 10), 41943040u);
  EXPECT_EQ(LinesFor((size_t{1} << 35) - 512, 1), kMaxLines);
  EXPECT_EQ(LinesFor((size_t{1} << 35) - 1024, 1), kMaxLines - 1);
  EXPECT_EQ(LinesFor((size_t{1} << 35) - 511, 1), kMaxLines);
  EXPECT_EQ(LinesFor(size_t{1} << 33, 100), kMaxLines);
  EXPECT_EQ(LinesFor(std::numeric_limits<size_t>::max(), 100), kMaxLines);
}

void ExpectInverse(uint32_t lines, double bits) {
  const size_t keys = KeysFor(lines, bits);
  ASSERT_LE(LinesFor(keys, bits), lines) << bits;
  ASSERT_GT(LinesFor(keys + 1, bits), lines) << bits << " " << lines;
}

// KeysFor(m) keys get at most m lines, one more gets more: to the key, also
// where the quotients round.
TEST(KeysForTest, IsTheInverseOfLinesFor) {
  for (int tenths = 10; tenths <= 1000; ++tenths) {
    for (uint32_t lines = 0; lines < 20000; lines += 1 + lines / 64) {
      ExpectInverse(lines, tenths / 10.0);
    }
  }
  // Capped, as lines are.
  EXPECT_EQ(KeysFor(kMaxLines, 1), (size_t{1} << 35) - 512);
  EXPECT_EQ(KeysFor(std::numeric_limits<uint32_t>::max(), 1),
            KeysFor(kMaxLines, 1));
  // Whose quotient is wrong by one before it is corrected.
  ExpectInverse(16359, 98.4);
  std::mt19937_64 random = TestRandom();
  std::uniform_real_distribution<double> any_bits(1, 100);
  for (int i = 0; i < 100000; ++i) {
    // All magnitudes alike, below the limit.
    ExpectInverse(static_cast<uint32_t>(random() % kMaxLines >> random() % 26),
                  any_bits(random));
  }
}

// Besides a trailer of 32 bytes.
TEST(LinesWithinTest, KnownValues) {
  EXPECT_EQ(LinesWithin(0), 0u);
  EXPECT_EQ(LinesWithin(95), 0u);
  EXPECT_EQ(LinesWithin(96), 1u);
  EXPECT_EQ(LinesWithin(96 + 127), 2u);
  EXPECT_EQ(LinesWithin(std::numeric_limits<size_t>::max()), kMaxLines);
}

}  // namespace
}  // namespace oneline
