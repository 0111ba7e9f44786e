// The equations of a line of one window (equations.h): at most kWindowRows
// rows. All of them start at row 0, and the keys' order does not depend on the
// seed.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_DENSE_EQUATIONS_H_
#define ONELINE_TABLE_RIBBON_SOLVER_DENSE_EQUATIONS_H_

#include <array>
#include <cstdint>

#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_solver/equations.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

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

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_DENSE_EQUATIONS_H_
