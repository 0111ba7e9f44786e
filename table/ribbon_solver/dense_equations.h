// The equations of a line of at most kWindowRows rows, of its full columns and
// its partial one alike: one elimination for a seed solves all of them, and
// tells which reaches of the partial column have a solution.
//
//            row 0 .. v-1 | v .. w-1  | right sides
//   key 0    equations of the partial |  c + 1 bits      asked by reach 0
//    ...     column,      | of its    |                  asked by reach 1 ...
//   key n-1  cut to rows  | header    |                  not asked
//
// The keys are in the order of the shortest reach that asks them. As an
// elimination adds earlier equations to later ones alone, lowest rows first,
// the first equations, cut to the rows of the partial column, end as the
// echelon form of the partial column's own. What is cut off has coefficients of
// the header, whose bits are known.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_DENSE_EQUATIONS_H_
#define ONELINE_TABLE_RIBBON_SOLVER_DENSE_EQUATIONS_H_

#include <array>
#include <cstdint>

#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_solver/equations.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

// How many keys each reach asks.
using AskedKeys = std::array<uint32_t, kReaches>;

// Permutes the hashes of n keys, at most kWindowRows, into the order above.
AskedKeys OrderByReach(const Layout& layout, uint64_t* hashes, uint32_t n);

// The expected bits of the keys, from the highest bit down: those of the full
// columns, column 0 first, and of the partial column, if there is one.
void DenseRightSides(const LineKeys& keys, const Layout& layout,
                     const Solver& solver, uint32_t* right_sides);

inline uint32_t NumRightSides(const Layout& layout) {
  return layout.full_columns() + (layout.partial_rows() > 0 ? 1 : 0);
}

// Whether they have room above the coefficients in one word: then right_sides
// of the systems are not used, otherwise they are there, in the highest bits.
inline bool RightSidesOnTop(const Layout& layout) {
  return layout.rows + NumRightSides(layout) <= 64;
}

void FillDenseLane(const LineKeys& keys, const uint32_t* right_sides,
                   const Layout& layout, uint32_t lane, Systems* systems);

// The rows, row r as bit 63 - r, whose equations are those of keys that each
// reach asks.
using AskedRows = std::array<uint64_t, kReaches>;

// Copies the eliminated equations into lane `to` of squares, which is all 0:
// that with row r for its pivot into word 63 - r.
AskedRows PlaceDenseLane(const Systems& systems, uint32_t lane,
                         uint32_t num_keys, const AskedKeys& asked,
                         const Layout& layout, uint32_t to,
                         Square* coefficients, Square* right_sides);

// The longest reach for which the partial column has a solution, off the
// transposed squares; and for it the rows that have an equation, and their
// right sides. False if there is none. `right_sides`: the partial column's, all
// of them.
struct PartialSides {
  uint64_t rows = 0;
  uint64_t right_sides = 0;
};
bool ChooseReach(const Square& coefficients, uint64_t right_sides,
                 uint32_t lane, const AskedRows& asked_rows, Layout* layout,
                 PartialSides* sides);

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_DENSE_EQUATIONS_H_
