// Makes lines of the blocked Ribbon from the hashes of their keys.
//
// A line gets the fewest rows, and for these the first seed, for which its
// keys' equations are independent and its partial column has a solution; then
// the longest reach of that column that has one. So a line's bytes depend on
// its set of hashes and on the parameter alone.
//
// A layout of a line is a number of rows and a seed. Lines to be tried wait in
// a queue, until eight can be tried together, a lane each: one elimination
// tells whether the equations are independent, and which reaches of the partial
// column then have a solution.
//
//   one window        RunDense, and FinishPlaced for eight that are independent
//   several windows   RunBand
//
// Otherwise the line is queued for its next layout. One that has none left
// begins anew without its equal keys; without equal ones it remains unsolved.
//
// The equations of a line's keys fill one lane of a Systems:
//
//            row 0 .. v-1 | v .. w-1  | right sides
//   key 0    equations of the partial |  c + 1 bits      reached by 0
//    ...     column,      | of its    |                  reached by 1 ...
//   key n-1  cut to rows  | header    |                  not reached
//
// Equations are those of the full columns and of the partial one alike. The
// keys are in the order of their places: by ascending windows, and those that
// each reach takes in are the first ones. As an elimination adds earlier
// equations to later ones alone, lowest rows first, the first equations, cut to
// the rows of the partial column, end as the echelon form of the partial
// column's own. What is cut off has coefficients of the header, whose bits are
// known.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_
#define ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "table/hash/key_hash.h"
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

// How many keys each reach takes in.
using ReachedKeys = std::array<uint32_t, kReaches>;

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

// The rows, row r as bit 63 - r, whose equations are those of keys that each
// reach takes in.
using ReachedRows = std::array<uint64_t, kReaches>;

// Bit i of a line, moved to the end of 512 bits, is bit i % 64 of word i / 64.
using LineWords = std::array<uint64_t, kLineBytes / 8>;

// ORs 64 rows of a column, row m as bit 63 - m, into the line, downwards from
// bit `position`. Those that are not there are 0.
inline void PutRows(uint64_t downwards, uint32_t position, LineWords* words) {
  const uint32_t shift = 63 - position % 64;
  (*words)[position / 64] |= downwards >> shift;
  if (shift != 0 && position >= 64) {
    (*words)[position / 64 - 1] |= downwards << (64 - shift);
  }
}

// Writes the line, with its header, to layout.line_bits bits.
void WriteLine(const LineWords& words, const Layout& layout, uint8_t* line);

class LineSolver {
 public:
  // parameter: a base, as RibbonMasksFor takes it. line_bytes: 8 to kLineBytes.
  LineSolver(const Solver& solver, uint8_t parameter,
             uint32_t line_bytes = kLineBytes)
      : solver_(solver),
        table_(RibbonMasksFor(parameter, line_bytes)),
        base_(parameter),
        line_bytes_(line_bytes) {}

  // Writes num_lines lines, one after the other. The hashes of line i are those
  // from ends[i - 1] (0 for the first) to ends[i]; they may be equal to one
  // another and are permuted. Returns how many lines could not be solved: these
  // answer "maybe".
  uint32_t Solve(uint64_t* hashes, const uint32_t* ends, uint32_t num_lines,
                 uint8_t* lines);

 private:
  // A line on its way.
  struct Line {
    uint32_t first_key = 0;
    uint32_t num_keys = 0;
    Layout layout;
    // Of one window: the rows for which the keys are in order and have their
    // right sides; 0: none yet.
    uint32_t ready_rows = 0;
    ReachedKeys reached{};
    ReachedRows reached_rows{};
    uint8_t* bytes = nullptr;
  };

  // As many lines as there are lanes, or fewer, that are tried together.
  struct Batch {
    std::array<Line*, kLanes> lines;
    uint32_t size;
  };

  LineKeys KeysOf(const Line& line) const {
    return {hashes_ + line.first_key, line.num_keys};
  }
  uint32_t FewestRows(uint32_t num_keys) const {
    return std::max({base_, num_keys, uint32_t{1}});
  }

  void SolveAdded();
  static Batch TakeBatch(std::vector<Line*>* queue);
  void ClearFor(const Batch& batch);
  void RunDense(const Batch& batch);
  void PlaceSolved(uint32_t lane, Line* line);
  void FinishPlaced();
  void WritePlaced(const std::array<bool, kLanes>& solved,
                   const DenseColumns& columns);
  void RunBand(const Batch& batch);
  void WriteBand(const Line& line);

  void EnqueueLayout(Line* line);
  void EnqueueNextLayout(Line* line);
  void EndWithoutLayout(Line* line);
  bool BeginWithoutEqualKeys(Line* line);

  uint32_t Tries(const Batch& batch, uint32_t i) const;
  uint32_t FindIndependent(uint32_t lane, uint32_t tries, Line* line);
  void MakeReady(Line* line);

  const Solver& solver_;
  const RibbonMasks& table_;
  const uint32_t base_;
  const uint32_t line_bytes_;

  uint32_t num_unsolved_ = 0;
  uint64_t* hashes_ = nullptr;
  std::vector<uint32_t> right_sides_;  // of the same keys, in lines made ready
  std::vector<Line> lines_;
  std::vector<Line*> dense_;  // to be tried: of one window
  std::vector<Line*> band_;   // of several
  Systems systems_;
  Echelon echelon_;
  Columns columns_;
  // Lines of one window whose equations are independent, until there are eight.
  Batch placed_{};
  Square square_;
};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_
