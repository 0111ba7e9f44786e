// Tests of table/ribbon_line/ribbon_line.h: the parts of a line do what they
// are there for. That they are those of docs/internals/format.md,
// tests/table/block/kernels_test.cc and tests/golden/ tell.

#include "table/ribbon_line/ribbon_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace oneline {
namespace blocked_ribbon {
namespace {

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

// The partial column has a row, and so a bit of the product, for each key that
// it asks. A longer reach asks more keys, and no reach all of them.
TEST(RibbonLineTest, KeysAskedHaveRowsOfThePartialColumn) {
  for (uint32_t line_bits = 64; line_bits <= 512; line_bits += 8) {
    for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
      const uint32_t partial_rows = PartialRows(rows, line_bits);
      uint32_t last = 0;
      for (uint32_t reach = 0; reach < kReaches; ++reach) {
        const uint32_t bound = AskedBound(rows, partial_rows, reach);
        EXPECT_GE(bound, last);
        last = bound;
        if (bound == 0) continue;
        EXPECT_LT(bound, 256 * NumWindows(rows));
        EXPECT_LT(WindowStart(rows, (bound - 1) / 256), partial_rows)
            << line_bits << " bits, " << rows << " rows, reach " << reach;
      }
    }
  }
}

// The share of places asked is what the column has rows for, but for the steps
// of the reach.
TEST(RibbonLineTest, ThePartialColumnAsksForItsShare) {
  EXPECT_EQ(AskedBound(51, 42, 0), 211u - 16);
  EXPECT_EQ(AskedBound(51, 42, 3), 211u + 14);
  // Of 7 windows.
  EXPECT_EQ(AskedBound(103, 89, 0), 1549u - 7 * 16);
  EXPECT_EQ(AskedBound(103, 89, 2), 1549u + 7 * 4);
  EXPECT_EQ(AskedBound(103, 102, 3), 7 * 256u - 1);
  EXPECT_EQ(AskedBound(103, 1, 0), 0u);
  EXPECT_EQ(AskedBound(103, 0, 3), 0u);
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

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
