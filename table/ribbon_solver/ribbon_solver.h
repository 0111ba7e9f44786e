// Linear equations over GF(2), for the blocked Ribbon: eight systems at a time
// are brought to echelon form, one in each 64-bit lane.
//
//              lane 0      lane 1    ...  lane 7
//   row 0     equation    equation       equation    Systems
//   row 1     equation    equation       equation
//    ...
//   Eliminate adds earlier equations to later ones until no two of a lane have
//   the same lowest row. Substitute then reads a lane's solution, last row
//   first, off its Echelon; of lines of one window, Transpose and
//   SubstituteDense read eight off a Square.
//
// Systems of different lines do not wait for one another, as the steps of one
// would.
//
// Equation i of a system is the word words[i]: a window of coefficients from
// row starts[i / kBlock] on in its lowest bits, and its right sides, of all
// columns, in its highest. While starts ascend, adding an earlier equation to a
// later one leaves that within its own window: it loses its lowest row, and
// what is added ends no later than it does. So one word holds an equation for
// good, however many rows there are.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_RIBBON_SOLVER_H_
#define ONELINE_TABLE_RIBBON_SOLVER_RIBBON_SOLVER_H_

#include <algorithm>
#include <cstdint>

#include "table/ribbon_line/ribbon_line.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace blocked_ribbon {

inline constexpr uint32_t kLanes = 8;
// Eight equations of one start make a block, some of them empty: an earlier
// equation is loaded and shifted once for all eight.
inline constexpr uint32_t kBlock = 8;
// No line that can be solved has more keys.
inline constexpr uint32_t kMaxEquations = kMaxRows;
// Each window may leave a block that is not full.
inline constexpr uint32_t kMaxBlocks =
    kMaxEquations / kBlock + 1 + NumWindows(kMaxRows);

// Whether the coefficients and right sides of every line have room in a word: a
// bit for each row of a window, for the full columns and for the partial one.
constexpr bool AllFitInWord() {
  for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
    if (std::min(rows, kWindowRows) + FullColumns(rows) + 1 > 64) return false;
  }
  return true;
}
static_assert(AllFitInWord());

// Eight words of 16 bits.
typedef uint16_t Words __attribute__((vector_size(16)));

// [i][lane]: equation i of a lane's system; 0: there is none.
struct Systems {
  uint32_t ends[kLanes];  // of the lanes' last blocks: multiples of kBlock
  alignas(64) uint64_t words[kMaxBlocks * kBlock][kLanes];
  uint64_t starts[kMaxBlocks][kLanes];  // [i / kBlock][lane]
  // Which bits of the words are coefficients.
  uint64_t masks[kLanes];
  // Found by elimination: each equation's pivot, which is the lowest row it has
  // left, as a bit of its word; how many equations have one; and how many have
  // anything left, which those equal to an earlier one have not.
  uint64_t lowest[kMaxBlocks * kBlock][kLanes];
  uint64_t ranks[kLanes];
  uint64_t left[kLanes];
};

// 64 words of 64 bits in each lane.
struct Square {
  alignas(64) uint64_t words[64][kLanes];
};

// Columns of up to 64 rows in each lane, row r as bit 63 - r.
struct DenseColumns {
  alignas(64) uint64_t words[1 + kMaxColumns][kLanes];
};

// One system's echelon form. Row r is given by the equation whose lowest row it
// is, as a window that starts at r, or free, hence zero: columns[r] == 0.
struct Echelon {
  alignas(64) uint64_t coefficients[kMaxRows];
  uint32_t right_sides[kMaxRows];  // bit j: of column j
  uint32_t columns[kMaxRows];      // bit j: whether column j has the equation
};

// Bits 64*i .. 64*i + 63 of column j are words[i][j].
struct Columns {
  alignas(64) uint64_t words[(kMaxRows + 63) / 64][kMaxColumns];
};

// The steps of solving with one instruction set; all give the same results.
struct Solver {
  // Dense: all starts are 0.
  void (*eliminate_dense)(Systems* systems);
  // REQUIRES: starts ascend.
  void (*eliminate_band)(Systems* systems);
  // Swaps bit i of word j with bit j of word i.
  void (*transpose)(Square* square);
  // Columns 0 .. num_columns - 1 from their right sides, in their place. Bit
  // 63 - r of word m: whether the equation whose lowest row is r has row m.
  // Column 0 has equations only where pivots_of_0 has bits, else it has 0.
  void (*substitute_dense)(const Square& square, uint32_t rows,
                           const uint64_t* pivots_of_0, uint32_t num_columns,
                           DenseColumns* columns);
  // Columns 0 .. num_columns - 1.
  void (*substitute)(const Echelon& echelon, uint32_t rows,
                     uint32_t num_columns, Columns* columns);
  // The expected bits of n keys where the mask has bits (one of RibbonMasks's,
  // of columns of so many rows): the last column's in bit 0.
  void (*right_sides)(const uint64_t* hashes, const uint64_t* mask, uint32_t n,
                      uint32_t rows, uint32_t* right_sides);
};

extern const Kernels<Solver> kSolvers;

// The solvers, each in the namespace of its set.
namespace portable {
extern const Solver kSolver;
}
#define ONELINE_DECLARE(set, name, features, bloom, ribbon, solver) \
  namespace solver {                                                \
  extern const Solver kSolver;                                      \
  }
ONELINE_INSTRUCTION_SETS(ONELINE_DECLARE, ONELINE_DECLARE)
#undef ONELINE_DECLARE

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_RIBBON_SOLVER_H_
