// One line of kind 2, the blocked Ribbon: its bits, and the parts of a key's
// hash that address them.
//
// A line holds w rows of up to 32 bits, stored column by column from the line's
// end, each column's row 0 last:
//
//   bit 511        511-w      511-2w              10     8  7      2  1 0
//     | column 0   | column 1  | ... | partial column | seed | w-base | d |
//     row 0..w-1     row 0..w-1        row 0..v-1
//
//   d         for how many of the keys the partial column answers
//   w - base  base is the filter's parameter; 63: the line could not be solved
//             and answers "maybe"
//   seed      which of 8 rotations the coefficients have, in bytes
//   column j  row m is bit 511 - j*w - m. There are as many full columns as fit
//             above bit 10, at most 32; the partial column has the v < w rows
//             that are left
//
//   bit i of a line = bit (i % 8) of byte i / 8
//
// A key has a window of 54 rows of each column (of w rows if there are fewer),
// which begins at row `start`, and a coefficient for each row of the window.
// As polynomials over GF(2), with bit i the coefficient of x^i, the line times
// the key's coefficients has at bit 511 - j*w - start the parity of the
// coefficients and column j's rows: one carry-less product answers for all
// columns. The key matches if these bits are the expected ones, which follow
// from its hash and their place.
//
// Lines of short blocks have 64 to 512 bits. They are what is above bit
// 512 - line_bits here, with the header right there.

#ifndef ONELINE_TABLE_RIBBON_LINE_RIBBON_LINE_H_
#define ONELINE_TABLE_RIBBON_LINE_RIBBON_LINE_H_

#include <cstdint>

#include "table/hash/key_hash.h"
#include "table/ribbon_line/expected_bits_table.h"

namespace oneline {
namespace blocked_ribbon {

inline constexpr uint32_t kHeaderBits = 11;
// The first field of the header of a line that could not be solved.
inline constexpr uint32_t kUnsolved = 63;
// Leaves room for the right sides of all columns above the coefficients in a
// word of 64 bits: of more than 54 rows there are 10 columns at most.
inline constexpr uint32_t kWindowRows = 54;
inline constexpr uint32_t kMaxColumns = 32;
inline constexpr uint32_t kMaxSeeds = 8;
// The values of d, the reach of the partial column.
inline constexpr uint32_t kReaches = 4;
// A base is a multiple of 4: few different ones share the tables of lookups.
inline constexpr uint32_t kBaseStep = 4;
inline constexpr uint32_t kMaxBase = 192;
// The most rows of a line, one less than those of kUnsolved.
inline constexpr uint32_t kMaxRows = kMaxBase + kUnsolved - 1;

struct Header {
  uint32_t rows_over_base;
  uint32_t seed;
  uint32_t reach;
};

// The header of a line and, above it, bits of the rows.
inline uint32_t HeaderBits(const uint8_t* line) {
  return line[0] | uint32_t{line[1]} << 8;
}

inline Header DecodeHeader(const uint8_t* line) {
  const uint32_t bits = HeaderBits(line);
  return {bits >> 2 & 63, bits >> 8 & 7, bits & 3};
}

constexpr uint32_t EncodeHeader(const Header& header) {
  return header.reach | header.rows_over_base << 2 | header.seed << 8;
}

// Full columns of `rows` rows in a line. REQUIRES: rows >= 1; line_bits in
// 64..512.
constexpr uint32_t FullColumns(uint32_t rows, uint32_t line_bits = kLineBits) {
  const uint32_t columns = (line_bits - kHeaderBits) / rows;
  return columns < kMaxColumns ? columns : kMaxColumns;
}

// The rows left for the partial column; 0: there is none. REQUIRES: as above.
constexpr uint32_t PartialRows(uint32_t rows, uint32_t line_bits = kLineBits) {
  const uint32_t full = FullColumns(rows, line_bits);
  return full < kMaxColumns ? line_bits - kHeaderBits - full * rows : 0;
}

// The windows of columns of more than kWindowRows rows: starts 16 rows apart or
// less, from 0 to the last one possible. The first and the last window count
// twice, because the rows at a column's ends lie in fewer windows than others.
constexpr uint32_t NumWindows(uint32_t rows) {
  return rows <= kWindowRows ? 1 : (rows - kWindowRows + 15) / 16 + 3;
}

// The first row of window i. REQUIRES: i < NumWindows(rows).
constexpr uint32_t WindowStart(uint32_t rows, uint32_t i) {
  if (rows <= kWindowRows || i == 0) return 0;
  const uint32_t last = NumWindows(rows) - 3;  // of those that differ
  return (i - 1 < last ? i - 1 : last) * (rows - kWindowRows) / last;
}

// A key's place among those of its line, by its window and its group: less than
// 256 * NumWindows.
inline uint32_t Place(uint32_t window, uint64_t hash) {
  return window << 8 | static_cast<uint32_t>(hash & 255);
}

// A key has an equation in the partial column if its place is below this bound:
// so these are the keys of the column's first windows. The reach d moves the
// bound in steps of 10 256ths of all places about the share of them that the
// column has rows for.
constexpr uint32_t ReachBound(uint32_t rows, uint32_t partial_rows,
                              uint32_t reach) {
  if (partial_rows == 0) return 0;
  const uint32_t windows = NumWindows(rows);
  const uint32_t share = (256 * windows * partial_rows + rows - 1) / rows;
  const uint32_t bound = share + 10 * windows * reach;
  const uint32_t below = 16 * windows;
  if (bound < below) return 0;
  return bound - below < 256 * windows ? bound - below : 256 * windows - 1;
}

// Row m of a column is bit m; in the line, rows go downwards.
inline uint64_t ReverseBits(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}

// What the header makes of a key's LineMix, from which its coefficients, its
// windows and its expected bits come. Besides the seed, the upper 3 bits of w -
// base turn the bits: leaving them in the count is cheaper than masking them.
inline uint64_t Seeded(uint64_t mix, uint32_t header_bits) {
  const uint32_t by = header_bits >> 5 & 63;
  return mix << by | mix >> (-by & 63);
}

// Which window a key has, by the lower half of its seeded bits. These are
// coefficients of rows amid the window as well, the same for all keys of a
// window, which other windows make up for; at an end they would cost a row.
inline uint64_t WindowOf(uint64_t seeded, uint32_t num_windows) {
  return (seeded & 0xffffffff) * num_windows >> 32;
}

// The coefficients of a column of `rows` rows: bit m is that of row start + m.
// REQUIRES: rows >= 1.
constexpr uint64_t CoefficientMask(uint32_t rows) {
  return ~uint64_t{0} >> (64 - (rows < kWindowRows ? rows : kWindowRows));
}

// The expected bits of the product's bits from 16 * i on, i in 0..31. Products
// modulo 2^16 have good high bits, rounded products good low ones.
inline uint16_t ExpectedBits(uint64_t mix, uint32_t i) {
  const auto bits = static_cast<uint16_t>(mix >> (16 * (i & 3)));
  const auto low = static_cast<uint32_t>(bits) * kExpectedBitsLow[i];
  const int32_t high = static_cast<int32_t>(static_cast<int16_t>(bits)) *
                           static_cast<int16_t>(kExpectedBitsHigh[i]) +
                       (1 << 14);
  return static_cast<uint16_t>(low ^ static_cast<uint32_t>(high >> 15));
}

inline uint32_t ExpectedBit(uint64_t mix, uint32_t position) {
  return ExpectedBits(mix, position / 16) >> (position % 16) & 1;
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_LINE_RIBBON_LINE_H_
