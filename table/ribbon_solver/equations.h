// The equations of a line's keys, packed for the solver: one line into one lane
// of a Systems.
//
//            row 0 .. v-1 | v .. w-1  | right sides
//   key 0    equations of the partial |  c + 1 bits      asked by reach 0
//    ...     column,      | of its    |                  asked by reach 1 ...
//   key n-1  cut to rows  | header    |                  not asked
//
// Equations are those of the full columns and of the partial one alike. The
// keys are in the order of their places: by ascending windows, and those that
// each reach asks are the first ones. As an elimination adds earlier equations
// to later ones alone, lowest rows first, the first equations, cut to the rows
// of the partial column, end as the echelon form of the partial column's own.
// What is cut off has coefficients of the header, whose bits are known. So one
// elimination for a layout solves all columns, and tells which reaches of the
// partial one have a solution.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_EQUATIONS_H_
#define ONELINE_TABLE_RIBBON_SOLVER_EQUATIONS_H_

#include <array>
#include <cstdint>

#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

// The hashes of one line's keys.
struct LineKeys {
  const uint64_t* hashes;
  uint32_t num_keys;
};

// What is tried for a line: its header. `table` is that of its base and length.
struct Layout {
  const RibbonMasks* table = nullptr;
  uint32_t line_bits = kLineBits;
  uint32_t base = 0;
  uint32_t rows = 0;
  uint32_t seed = 0;
  uint32_t reach = 0;

  uint32_t full_columns() const { return FullColumns(rows, line_bits); }
  uint32_t partial_rows() const { return PartialRows(rows, line_bits); }
  // Full columns and the partial one.
  uint32_t num_columns() const {
    return full_columns() + (partial_rows() > 0 ? 1 : 0);
  }
  uint32_t header() const { return EncodeHeader({rows - base, seed, reach}); }
  const RibbonMasks::Row& row() const { return table->rows[header() & 255]; }
  // [d]: of the header with reach d.
  const RibbonMasks::Row* rows_of_reaches() const {
    return table->rows + (header() & 252);
  }
};

// How many keys each reach asks.
using AskedKeys = std::array<uint32_t, kReaches>;

// The header that a line gets with the reach, its highest bit first: the
// coefficients that follow those of the partial column's last row are the
// header's, in this order.
uint64_t ReversedHeader(const Layout& layout, uint32_t reach);

// The right sides of keys of one window: the full columns', column 0 highest,
// and last the partial column's, if it has rows in that window. Returns how
// many these are.
uint32_t RightSidesOf(const LineKeys& keys, const Layout& layout,
                      uint32_t window, const Solver& solver,
                      uint32_t* right_sides);

// What lies in a word above the coefficients: the bits of the highest columns
// first.
inline uint64_t OnTop(uint32_t right_sides, uint32_t num_right_sides) {
  // In two steps, as there may be none.
  return uint64_t{right_sides} << (63 - num_right_sides) << 1;
}

// Leaves no equation, and room for those of lines of at most so many keys and
// windows. The functions that fill a lane REQUIRE that it has none.
void Clear(uint32_t num_keys, uint32_t num_windows, Systems* systems);

// Lines of one window, dense_equations.cc: at most kWindowRows rows. All
// equations start at row 0, and the keys' order does not depend on the seed.

// Permutes the hashes of n keys, at most kWindowRows, into the order of
// equations.h.
AskedKeys OrderByReach(const Layout& layout, uint64_t* hashes, uint32_t n);

void FillDenseLane(const LineKeys& keys, const uint32_t* right_sides,
                   const Layout& layout, uint32_t lane, Systems* systems);

// The rows, row r as bit 63 - r, whose equations are those of keys that each
// reach asks.
using AskedRows = std::array<uint64_t, kReaches>;

// Copies the eliminated equations into lane `to` of a square, which is all 0:
// that with row r for its pivot into word 63 - r.
AskedRows PlaceDenseLane(const Systems& systems, uint32_t lane,
                         uint32_t num_keys, const AskedKeys& asked, uint32_t to,
                         Square* square);

// The longest reach for which the partial column has a solution, off the
// transposed square; and for it the rows that have an equation, and their
// right sides. False if there is none. `right_sides`: the partial column's, all
// of them.
struct PartialSides {
  uint64_t rows = 0;
  uint64_t right_sides = 0;
};
bool ChooseReach(const Square& square, uint64_t right_sides, uint32_t lane,
                 const AskedRows& asked_rows, Layout* layout,
                 PartialSides* sides);

// Lines of several windows, band_equations.cc.

// Returns how many of the lane's equations, the first ones, each reach has.
AskedKeys FillBandLane(const LineKeys& keys, const Layout& layout,
                       const Solver& solver, uint32_t lane, Systems* systems);

// The echelon form of a lane whose equations are independent, with the longest
// reach for which the partial column has a solution, which the layout gets.
// False if there is none. Column num_columns - 1 - j of the echelon form is
// column j of the line, the partial one last.
bool ReadBandLane(const Systems& systems, uint32_t lane, const AskedKeys& asked,
                  Layout* layout, Echelon* echelon);

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_EQUATIONS_H_
