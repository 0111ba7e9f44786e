// Linear equations over GF(2), for the blocked Ribbon: eight systems at a time
// are brought to echelon form, one in each 64-bit lane.
//
//              lane 0      lane 1    ...  lane 7
//   row 0     equation    equation       equation    Systems
//   row 1     equation    equation       equation
//    ...
//   Eliminate adds earlier equations to later ones until no two of a lane have
//   the same lowest row; Substitute then reads a lane's solution, last row
//   first, off its Echelon.
//
// Systems of different lines have nothing to wait for in one another, so the
// steps of eight of them fill the machine, where those of one would each wait
// for the one before.
//
// Equation i of a system is the window coefficients[i] of at most 64 rows from
// row starts[i / kBlock] on. While starts ascend, adding an earlier equation to
// a later one leaves that within its own window: it loses its lowest row, and
// what is added ends no later than it does. So one word holds an equation for
// good, however many rows there are.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_SOLVER_H_
#define ONELINE_TABLE_RIBBON_RIBBON_SOLVER_H_

#include <cstdint>

#include "table/ribbon/ribbon_line.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace blocked_ribbon {

inline constexpr uint32_t kLanes = 8;
// Four equations of one start make a block, some of them empty: an earlier
// equation is loaded and shifted once for all four.
inline constexpr uint32_t kBlock = 4;
// No line that can be solved has more keys.
inline constexpr uint32_t kMaxEquations = kMaxRows;
// Each window may leave a block that is not full.
inline constexpr uint32_t kMaxBlocks =
    kMaxEquations / kBlock + 1 + NumWindows(kMaxRows);

// [i][lane]: equation i of a lane's system; coefficients 0: there is none.
struct Systems {
  uint32_t ends[kLanes];  // of the lanes' last blocks: multiples of kBlock
  alignas(64) uint64_t coefficients[kMaxBlocks * kBlock][kLanes];
  uint64_t right_sides[kMaxBlocks * kBlock][kLanes];
  uint64_t starts[kMaxBlocks][kLanes];  // [i / kBlock][lane]
  // Found by elimination: each equation's pivot, which is the lowest row it has
  // left, as a bit of its coefficients; how many have one; and, where all
  // starts are 0, which rows are pivots.
  uint64_t lowest[kMaxBlocks * kBlock][kLanes];
  uint64_t ranks[kLanes];
  uint64_t pivots[kLanes];
};

// One system's echelon form. Row r is given by the equation whose lowest row it
// is, as a window that starts at r, or free, hence zero: coefficients[r] == 0.
struct Echelon {
  alignas(64) uint64_t coefficients[kMaxRows];
  uint32_t right_sides[kMaxRows];
};

// Bits 64*i .. 64*i + 63 of column j are words[i][j].
struct Columns {
  alignas(64) uint64_t words[(kMaxRows + 63) / 64][kMaxColumns];
};

// In eliminate_dense_with_top the coefficients' highest bits are no
// coefficients, but right sides: three of them, added like coefficients and
// never a pivot.
inline constexpr uint32_t kTopBits = 3;
inline constexpr uint64_t kTopMask = ~(~uint64_t{0} >> kTopBits);

// The steps of solving with one instruction set; all give the same results.
struct Solver {
  // Dense: all starts are 0. By coefficients only.
  void (*eliminate_dense)(Systems* systems);
  // The same with right sides in kTopMask of the coefficients.
  void (*eliminate_dense_with_top)(Systems* systems);
  // The same with right_sides.
  void (*eliminate_dense_with_right)(Systems* systems);
  // REQUIRES: starts ascend.
  void (*eliminate_band_with_right)(Systems* systems);
  // Columns 0 .. num_columns - 1 from bits 0 .. num_columns - 1 of the right
  // sides.
  void (*substitute)(const Echelon& echelon, uint32_t rows,
                     uint32_t num_columns, Columns* columns);
  // The expected bits of n keys where the mask has bits (one of RibbonTable's,
  // of full columns of so many rows): in right_sides[i * kLanes], the last
  // column's in bit 0.
  void (*right_sides)(const uint64_t* hashes, const uint64_t* mask, uint32_t n,
                      uint32_t rows, uint64_t* right_sides);
};

extern const Kernels<Solver> kSolvers;

// The solvers, each for its instruction set.
extern const Solver kPortableSolver;
extern const Solver kHaswellSolver;
extern const Solver kAvx512Solver;

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_RIBBON_SOLVER_H_
