// The equations of a line of several windows (equations.h).

#ifndef ONELINE_TABLE_RIBBON_SOLVER_BAND_EQUATIONS_H_
#define ONELINE_TABLE_RIBBON_SOLVER_BAND_EQUATIONS_H_

#include <cstdint>

#include "table/ribbon_solver/equations.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

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

#endif  // ONELINE_TABLE_RIBBON_SOLVER_BAND_EQUATIONS_H_
