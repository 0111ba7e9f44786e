// What follows from a line's number of rows alone, in a table for the AVX-512
// kernel: where its columns begin, which rows a window takes, which columns are
// whole. 30 KB for all numbers of rows; a filter's lines use some 40 of them.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_ROW_TABLE_H_
#define ONELINE_TABLE_RIBBON_RIBBON_ROW_TABLE_H_

#include <array>
#include <cstdint>

#include "table/ribbon/ribbon_line.h"

namespace oneline {
namespace blocked_ribbon {

// Columns that a vector of 512 bits takes at once.
inline constexpr uint32_t kLaneColumns = 8;
// The bits of a line that a lookup reads first, if the line lies in two of the
// processor's.
inline constexpr uint32_t kHeadBits = 48 * 8;
// The rows of lines, and of lines that were not solved.
inline constexpr uint32_t kNumRows = kMaxRows + 2;

// For the line's first eight columns.
struct alignas(32) FirstColumns {
  std::array<uint16_t, kLaneColumns> begins;  // their first bits
  uint64_t window_mask;                       // a bit for each row of a window
  uint32_t num_starts;                        // of a window in a column
  uint8_t in_head;                            // bit j: column j is full and
                                              // ends within kHeadBits
  uint8_t in_line;                            // the same for the whole line
};

// For those after the head's, number 0 the first of them.
struct alignas(64) LaterColumns {
  uint32_t first;   // columns before them
  uint32_t groups;  // of eight columns, that lines of so many rows or more may
                    // have
  // Bit j: column j has an equation for keys that the partial column does not
  // (0) or does (1) answer for.
  std::array<uint32_t, 2> asked;
  uint32_t partial_starts;  // of a window in the partial column
  uint32_t partial_bound;   // 256 * its rows: see Reaches
  uint64_t begin;           // first bit of column 0, less kHeaderBits
  uint64_t partial_begin;   // first bit of the partial column
  uint64_t partial_mask;    // a bit for each row of a window in it
};

// In the same table, the places of windows: one register then addresses all.
struct RowTable {
  std::array<FirstColumns, kNumRows> first;
  std::array<LaterColumns, kNumRows> later;
  std::array<uint8_t, 256> places;
};

constexpr uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

constexpr uint64_t LowestBits(uint32_t n) {
  return n == 0 ? 0 : ~uint64_t{0} >> (64 - n);
}

// Full columns, of the first eight, that end within the line's first `bits`.
constexpr uint32_t FirstColumnsWithin(uint32_t bits, uint32_t rows) {
  return Least((bits - kHeaderBits) / rows, kLaneColumns);
}

constexpr FirstColumns MakeFirstColumns(uint32_t rows) {
  FirstColumns c = {};
  for (uint32_t j = 0; j < kLaneColumns; ++j) {
    c.begins[j] = static_cast<uint16_t>(kHeaderBits + j * rows);
  }
  const uint32_t window = Least(rows, kWindowRows);
  c.window_mask = LowestBits(window);
  c.num_starts = rows - window + 1;
  c.in_head =
      static_cast<uint8_t>(LowestBits(FirstColumnsWithin(kHeadBits, rows)));
  c.in_line =
      static_cast<uint8_t>(LowestBits(FirstColumnsWithin(kLineBits, rows)));
  return c;
}

constexpr LaterColumns MakeLaterColumns(uint32_t rows,
                                        uint32_t groups_of_more_rows) {
  const uint32_t partial_rows = PartialRows(rows);
  const uint32_t window = Least(partial_rows, kWindowRows);
  const uint32_t first = FirstColumnsWithin(kHeadBits, rows);
  const uint32_t full = FullColumns(rows) - first;
  const uint32_t all = full + (partial_rows == 0 ? 0 : 1);
  const uint32_t groups = (all + kLaneColumns - 1) / kLaneColumns;
  LaterColumns c = {};
  c.first = first;
  c.groups = groups > groups_of_more_rows ? groups : groups_of_more_rows;
  c.asked = {static_cast<uint32_t>(LowestBits(full)),
             static_cast<uint32_t>(LowestBits(all))};
  c.partial_starts = partial_rows - window + 1;
  c.partial_bound = 256 * partial_rows;
  c.begin = first * rows;
  c.partial_begin = kLineBits - partial_rows;
  c.partial_mask = LowestBits(window);
  return c;
}

constexpr RowTable MakeRowTable() {
  RowTable table = {};
  uint32_t groups = 1;
  for (uint32_t rows = kNumRows - 1; rows > 0; --rows) {
    table.first[rows] = MakeFirstColumns(rows);
    table.later[rows] = MakeLaterColumns(rows, groups);
    groups = table.later[rows].groups;
  }
  // A line without rows has no column, but a filter whose base is 0 has others.
  table.later[0].groups = groups;
  table.places = kPlaces;
  return table;
}

// Not inline: other files' names cost a load for their address.
alignas(64) constexpr RowTable kRowTable = MakeRowTable();

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_RIBBON_ROW_TABLE_H_
