// Tests of table/ribbon/ribbon_line.h: the definitions of a line's parts, each
// by what it is for. Whether they are those of docs/format.md, the tests of the
// kernels tell.

#include "table/ribbon/ribbon_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/table/random_lines.h"
#include "tests/test_seed.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

TEST(RibbonLineTest, NumbersOfTheFormat) {
  EXPECT_EQ(kHeaderBits, 11u);
  EXPECT_EQ(kUnsolved, 63u);
  EXPECT_EQ(kMaxBase, 192u);
  EXPECT_EQ(kMaxRows, 254u);
  EXPECT_EQ(kMaxColumns, 32u);
  EXPECT_EQ(kMaxSeeds, 8u);
  EXPECT_EQ(kReaches, 4u);
}

TEST(RibbonLineTest, HeadersAreDecodedAsTheyWereEncoded) {
  for (uint32_t bits = 0; bits < 2048; ++bits) {
    // What is above the header belongs to the rows.
    const uint8_t line[] = {static_cast<uint8_t>(bits),
                            static_cast<uint8_t>(bits >> 8 | 0xf8)};
    const Header header = DecodeHeader(line);
    EXPECT_EQ(header.reach, bits % 4);
    EXPECT_EQ(header.rows_over_base, bits / 4 % 64);
    EXPECT_EQ(header.seed, bits / 256);
    EXPECT_EQ(EncodeHeader(header), bits);
  }
}

// Full columns, the partial column and the header are the line.
TEST(RibbonLineTest, ColumnsFillTheLine) {
  for (uint32_t line_bits = 64; line_bits <= 512; line_bits += 8) {
    for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
      const uint32_t full = FullColumns(rows, line_bits);
      const uint32_t partial = PartialRows(rows, line_bits);
      if (full == kMaxColumns) {
        EXPECT_LE(full * rows + kHeaderBits, line_bits);
        EXPECT_EQ(partial, 0u);
      } else {
        EXPECT_EQ(full * rows + partial + kHeaderBits, line_bits);
        EXPECT_LT(partial, rows);
      }
    }
  }
}

// Neighbouring windows begin at most 16 rows apart, so they overlap.
TEST(RibbonLineTest, WindowsCoverTheColumn) {
  for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
    const uint32_t n = NumWindows(rows);
    EXPECT_EQ(WindowStart(rows, 0), 0u);
    if (rows <= kWindowRows) {
      EXPECT_EQ(n, 1u);
      continue;
    }
    ASSERT_GE(n, 4u);
    EXPECT_EQ(WindowStart(rows, 1), 0u);
    EXPECT_EQ(WindowStart(rows, n - 2), rows - kWindowRows);
    EXPECT_EQ(WindowStart(rows, n - 1), rows - kWindowRows);
    // Only the ends count twice. Steps are as even as whole numbers can be, and
    // with one window fewer one of them would be too large.
    uint32_t least = kMaxRows, most = 0;
    for (uint32_t i = 2; i <= n - 2; ++i) {
      const uint32_t step = WindowStart(rows, i) - WindowStart(rows, i - 1);
      least = std::min(least, step);
      most = std::max(most, step);
    }
    EXPECT_GE(least, 1u);
    EXPECT_LE(most, 16u);
    EXPECT_LE(most - least, 1u) << rows;
    EXPECT_GT(rows - kWindowRows, 16 * (n - 4)) << rows;
  }
}

// Each window has an equal part of the 2^32 values of the lower half.
TEST(RibbonLineTest, WindowsAreChosenEvenly) {
  for (uint32_t n : {1u, 4u, 5u, 15u}) {
    EXPECT_EQ(WindowOf(0, n), 0u);
    EXPECT_EQ(WindowOf(~uint64_t{0}, n), n - 1);
    for (uint32_t i = 1; i < n; ++i) {
      // The first number of window i.
      const uint64_t first = ((uint64_t{i} << 32) + n - 1) / n;
      EXPECT_EQ(WindowOf(first, n), i);
      EXPECT_EQ(WindowOf(first - 1, n), i - 1);
      EXPECT_EQ(WindowOf(first | uint64_t{0xffffffff} << 32, n), i);
    }
  }
}

// A window other than the first needs 16 rows of the partial column.
TEST(RibbonLineTest, PartialWindowsAreThoseThatReachIt) {
  EXPECT_FALSE(ReachesPartial(0, 0));
  EXPECT_TRUE(ReachesPartial(0, 1));
  EXPECT_FALSE(ReachesPartial(1, 16));
  EXPECT_TRUE(ReachesPartial(1, 17));
  for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
    for (uint32_t partial_rows = 0; partial_rows < rows; ++partial_rows) {
      uint32_t windows = 0;
      for (uint32_t i = 0; i < NumWindows(rows); ++i) {
        if (ReachesPartial(WindowStart(rows, i), partial_rows)) ++windows;
      }
      EXPECT_EQ(PartialWindows(rows, partial_rows), windows);
      EXPECT_EQ(windows == 0, partial_rows == 0);
    }
  }
}

// If a line has as many keys as rows, the partial column has rows for a share
// of them. Bounds are about that share of the groups that reach the column:
// each d adds 10 of 256.
TEST(RibbonLineTest, GroupBoundsAreSharesOfTheRows) {
  for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
    EXPECT_EQ(GroupBound(rows, 0, 3), 0u);
    for (uint32_t partial_rows = 1; partial_rows < rows; ++partial_rows) {
      const double reaching =
          1.0 * PartialWindows(rows, partial_rows) / NumWindows(rows);
      const double share = partial_rows / (rows * reaching);
      for (uint32_t reach = 0; reach < kReaches; ++reach) {
        const double bound = std::ceil(256 * share - 1e-9) - 16 + 10.0 * reach;
        EXPECT_EQ(GroupBound(rows, partial_rows, reach),
                  static_cast<uint32_t>(std::clamp(bound, 0.0, 255.0)))
            << rows << " " << partial_rows << " " << reach;
      }
    }
  }
}

TEST(RibbonLineTest, SeededBitsAreRotated) {
  std::mt19937_64 random = TestRandom();
  for (uint64_t bits : RandomHashes(100, random)) {
    for (uint32_t seed = 0; seed < 8; ++seed) {
      for (uint32_t over = 0; over < 64; ++over) {
        const uint32_t by = 8 * seed + over / 8;
        const uint64_t seeded =
            Seeded(bits, EncodeHeader({over, seed, seed % 4}));
        for (uint32_t bit = 0; bit < 64; ++bit) {
          ASSERT_EQ(seeded >> ((bit + by) % 64) & 1, bits >> bit & 1);
        }
      }
    }
  }
}

TEST(RibbonLineTest, CoefficientsAreOfTheRowsOrTheWindow) {
  EXPECT_EQ(CoefficientMask(1), 1u);
  EXPECT_EQ(CoefficientMask(63), ~uint64_t{0} >> 1);
  EXPECT_EQ(CoefficientMask(64), ~uint64_t{0});
  EXPECT_EQ(CoefficientMask(254), ~uint64_t{0});
}

// As PMULLW, and PMULHRSW or SQRDMULH, compute them. The rounded product never
// overflows, because no multiplier is -2^15.
TEST(RibbonLineTest, ExpectedBitsAreAProductAndARoundedOne) {
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(kExpectedBitsLow[i] % 2, 1) << "odd, so that no bit is lost";
    EXPECT_EQ(kExpectedBitsHigh[i] % 2, 1);
    const auto high = static_cast<int16_t>(kExpectedBitsHigh[i]);
    for (int word = -32768; word < 32768; ++word) {
      const auto key_bits = uint64_t{static_cast<uint16_t>(word)}
                            << (16 * (i % 4));
      const double rounded = std::floor(word * (high / 32768.0) + 0.5);
      const auto expected = static_cast<uint16_t>(
          static_cast<int>(rounded) ^ word * int{kExpectedBitsLow[i]});
      ASSERT_EQ(ExpectedBits(key_bits, i), expected) << i << " " << word;
      // The other words of the key don't matter.
      ASSERT_EQ(
          ExpectedBits(key_bits | ~(uint64_t{0xffff} << (16 * (i % 4))), i),
          expected);
    }
    EXPECT_EQ(ExpectedBit(0x123456789abcdef0, 16 * i + 5),
              ExpectedBits(0x123456789abcdef0, i) >> 5 & 1u);
  }
}

TEST(RibbonLineTest, WordsAreStoredLowestByteFirst) {
  std::array<uint8_t, 8> bytes;
  StoreLittleEndian64(0x8877665544332211, bytes.data());
  EXPECT_EQ(bytes, (std::array<uint8_t, 8>{0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
                                           0x77, 0x88}));
  EXPECT_EQ(LoadLittleEndian64(bytes.data()), 0x8877665544332211u);
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
