// Between the keys of a line and the solver of the blocked Ribbon: puts the
// equations of one line into one lane of a Systems, and takes the echelon form
// from there.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_LANES_H_
#define ONELINE_TABLE_RIBBON_RIBBON_LANES_H_

#include <array>
#include <cstdint>

#include "table/ribbon/ribbon_line.h"
#include "table/ribbon/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

// The keys of one line, as their CoefficientBits and FingerprintBits.
struct LineKeys {
  const uint64_t* coefficient_bits;
  const uint64_t* fingerprint_bits;
  uint32_t num_keys;
};

// What is tried for a line: w, s and d of its header.
struct Layout {
  uint32_t rows = 0;
  uint32_t seed = 0;
  uint32_t reach = 0;
  uint32_t line_bits = kLineBits;  // not tried, but given

  uint32_t full_columns() const { return FullColumns(rows, line_bits); }
  uint32_t partial_rows() const { return PartialRows(rows, line_bits); }
};

// In all that follows, REQUIRES: systems->num_equations >= keys.num_keys, for
// the rest of the lane is filled with no equations.

// No equations in the lanes from `first_lane` on.
void FillEmptyLanes(uint32_t first_lane, Systems* systems);

// The equations of the full columns of at most kWindowRows rows, cut to no
// number of rows, with or without their right sides.
void FillDenseLane(const LineKeys& keys, uint32_t seed, bool with_right_sides,
                   uint32_t lane, Systems* systems);

// The equations of the full columns of at least kWindowRows rows, starts
// ascending, with their right sides.
void FillBandLane(const LineKeys& keys, const Layout& layout, uint32_t lane,
                  Systems* systems);

// The equations of the partial column of at least kWindowRows rows, starts
// ascending. Returns how many there are.
uint32_t FillPartialBandLane(const LineKeys& keys, const Layout& layout,
                             uint32_t lane, Systems* systems);

// The equations of the partial column of at most kWindowRows rows, each with
// its right side in kRightSideBit: those that a reach d takes are the first
// counts[d]. Returns counts.
std::array<uint32_t, kReaches> FillPartialDenseLane(const LineKeys& keys,
                                                    const Layout& layout,
                                                    uint32_t lane,
                                                    Systems* systems);

// How the equations of a lane say what they say.
enum class LaneForm { kDense, kDenseWithTop, kBand };

// The echelon form of a lane's first `num_equations`, once eliminated. False if
// one of them says 0 = 1.
bool ReadEchelon(const Systems& systems, uint32_t lane, LaneForm form,
                 uint32_t num_equations, uint32_t rows, Echelon* echelon);

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_RIBBON_LANES_H_
