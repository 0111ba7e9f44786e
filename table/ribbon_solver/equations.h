// The equations of a line's keys, packed for the solver: one line into one lane
// of a Systems, and a lane's solution out of it.

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
  uint32_t header() const { return EncodeHeader({rows - base, seed, reach}); }
  const RibbonMasks::Row& row() const { return table->rows[header() & 255]; }
};

// The header that a line gets with the reach, its highest bit first: the
// coefficients that follow those of the partial column's last row are the
// header's, in this order.
uint64_t ReversedHeader(const Layout& layout, uint32_t reach);

// Leaves no equation, and room for those of lines of at most so many keys and
// windows, with right_sides or without. The functions that fill a lane REQUIRE
// that it has none.
void Clear(uint32_t num_keys, uint32_t num_windows, bool with_right,
           Systems* systems);

// The equations of full columns, by ascending window, with their right sides.
void FillColumnsLane(const LineKeys& keys, const Layout& layout,
                     const Solver& solver, uint32_t lane, Systems* systems);

// The equations of the partial column, by ascending window, with their right
// sides.
void FillPartialLane(const LineKeys& keys, const Layout& layout, uint32_t lane,
                     Systems* systems);

// Partial columns of so many rows leave room for three right sides above them.
inline constexpr uint32_t kTopBits = 3;
inline constexpr uint64_t kTopMask = ~(~uint64_t{0} >> kTopBits);
inline constexpr uint32_t kMaxDensePartialRows = kWindowRows - kTopBits;

// The equations of a partial column of at most kMaxDensePartialRows rows for
// all reaches at once, each with its right sides in kTopMask: those that a
// reach d has are the first counts[d]. Returns counts.
std::array<uint32_t, kReaches> FillAllReachesLane(const LineKeys& keys,
                                                  const Layout& layout,
                                                  uint32_t lane,
                                                  Systems* systems);

// The right side that kTopMask says for a reach. The header is part of what the
// reader multiplies, and the reach is part of the header: besides a constant
// bit there is one for each bit of the reach.
inline uint64_t TopRightSide(uint64_t coefficients, uint32_t reach) {
  const uint64_t top = coefficients >> (64 - kTopBits);
  return (top >> 2 ^ (top >> 1 & reach) ^ (top & reach >> 1)) & 1;
}

// The echelon form of a lane's equations, once eliminated; false if one of them
// says 0 = 1. The second is of the first `num_equations`, and takes right sides
// from kTopMask.
bool ReadEchelon(const Systems& systems, uint32_t lane, uint32_t rows,
                 Echelon* echelon);
bool ReadTopEchelon(const Systems& systems, uint32_t lane,
                    uint32_t num_equations, uint32_t rows, uint32_t reach,
                    Echelon* echelon);

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_EQUATIONS_H_
