// Makes lines of the blocked Ribbon from the hashes of their keys.
//
// A line gets the fewest rows, and for these the first seed, for which its
// keys' equations are independent and its partial column has a solution; then
// the longest reach of that column that has one. So a line's bytes depend on
// its set of hashes, the parameter and the effort, and on nothing else.
//
// The solver takes many lines at once. Each line goes through steps; steps of
// one sort wait in a queue until eight lines can take them together, a lane
// each:
//
//   up to 64 rows   DenseOnTop or Dense (once a seed and number of rows)
//   above           Band (the same) -> AllReaches or Partial
//
// and back to the first step where there is no solution.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_
#define ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_line/ribbon_table.h"
#include "table/ribbon_solver/dense_equations.h"
#include "table/ribbon_solver/equations.h"
#include "table/ribbon_solver/line_words.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

class LineSolver {
 public:
  // parameter: a base, as RibbonTableFor takes it. effort: how many seeds to
  // try for each number of rows, 1 to 8. line_bytes: 8 to kLineBytes.
  LineSolver(const Solver& solver, uint8_t parameter, uint32_t effort,
             uint32_t line_bytes = kLineBytes)
      : solver_(solver),
        table_(RibbonTableFor(parameter, line_bytes)),
        base_(parameter),
        effort_(effort),
        line_bytes_(line_bytes) {}

  // Writes num_lines lines, one after the other. The hashes of line i are those
  // from ends[i - 1] (0 for the first) to ends[i]; they may be equal to one
  // another and are permuted. Returns how many lines could not be solved: these
  // answer "maybe".
  uint32_t Solve(uint64_t* hashes, const uint32_t* ends, uint32_t num_lines,
                 uint8_t* lines);

 private:
  enum Step {
    kDenseOnTop,  // right sides above the coefficients
    kDense,
    kBand,
    kAllReaches,
    kPartial,
    kNumSteps
  };

  // A line on its way.
  struct Line {
    uint32_t first_key = 0;
    uint32_t num_keys = 0;
    Layout layout;
    // Up to kWindowRows rows: those for which the keys are in order and have
    // their right sides; 0: none yet.
    uint32_t ready_rows = 0;
    AskedKeys asked{};
    AskedRows asked_rows{};
    // The longest reach for which partial_column is solved; -1: none yet.
    int32_t solved_reach = -1;
    // The first reach tried was too long.
    bool falling = false;
    std::array<uint64_t, (kMaxRows + 63) / 64> partial_column{};
    // The line's bits with its full columns, once these are solved.
    LineWords words{};
    uint8_t* bytes = nullptr;
  };

  // As many lines as there are lanes, or fewer, that take a step together.
  struct Batch {
    std::array<Line*, kLanes> lines;
    uint32_t size;
  };

  void AddLine(uint32_t first_key, uint32_t num_keys, uint8_t* bytes);
  LineKeys KeysOf(const Line& line) const;

  void SolveAdded();
  bool TakeBatch(Step* step, Batch* batch);
  void Run(Step step, const Batch& batch);
  void RunDense(const Batch& batch);
  void PlaceSolved(uint32_t lane, Line* line);
  void FinishPlaced();
  void WritePlaced(const std::array<bool, kLanes>& solved,
                   const DenseColumns& columns);
  void RunBand(const Batch& batch);
  void RunAllReaches(const Batch& batch);
  void RunPartial(const Batch& batch);

  void Enqueue(Step step, Line* line) { queues_[step].push_back(line); }
  void Continue(Line* line);
  uint32_t Tries(const Batch& batch, uint32_t i) const;
  uint32_t FindIndependent(uint32_t lane, uint32_t tries, Line* line);
  bool DropEqual(Line* line);
  void RejectRows(Line* line);
  void MakeReady(Line* line);
  void BeginPartial(Line* line);
  void TryNextReach(Line* line, bool solved);
  void GiveUp(Line* line);

  void SolveColumns(Line* line);
  void KeepPartialColumn(uint32_t partial_rows, Line* line);
  void Emit(const Line& line) const;

  const Solver& solver_;
  const RibbonTable& table_;
  const uint32_t base_;
  const uint32_t effort_;
  const uint32_t line_bytes_;

  uint32_t num_unsolved_ = 0;
  uint64_t* hashes_ = nullptr;
  std::vector<uint32_t> right_sides_;  // of the same keys, in lines made ready
  std::vector<Line> lines_;
  std::array<std::vector<Line*>, kNumSteps> queues_;
  Systems systems_;
  Echelon echelon_;
  Columns columns_;
  // Lines of up to kWindowRows rows whose equations are independent, until
  // there are eight.
  Batch placed_{};
  Square coefficients_;
  Square right_sides_below_;  // of those that don't have them on top
};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_
