// Makes lines of the blocked Ribbon from the hashes of their keys.
//
// A line gets the fewest rows, and for these the first seed, for which its
// keys' equations are independent and its partial column has a solution; then
// the longest reach of that column that has one. So a line's bytes depend on
// its set of hashes, the parameter and the effort, and on nothing else.
//
// A layout of a line is a number of rows and a seed. The solver takes many
// lines at once. Each waits in a queue for its next step, until eight can take
// it together, a lane each:
//
//                   are the equations   which reach of the partial
//                   independent?        column has a solution?
//
//   up to 64 rows   kDenseOnTop,        FinishPlaced             -> written
//                   kDense
//   more rows       kBand: those of     kAllReaches,             -> written
//                   full columns        kPartial
//
// Where the answer is no, or none, the line is queued for its next layout. One
// that has no layout left begins anew without its equal keys, and if it has
// none, it remains unsolved.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_
#define ONELINE_TABLE_RIBBON_SOLVER_LINE_SOLVER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/ribbon_solver/dense_equations.h"
#include "table/ribbon_solver/equations.h"
#include "table/ribbon_solver/line_words.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

class LineSolver {
 public:
  // parameter: a base, as RibbonMasksFor takes it. effort: how many seeds to
  // try for each number of rows, 1 to 8. line_bytes: 8 to kLineBytes.
  LineSolver(const Solver& solver, uint8_t parameter, uint32_t effort,
             uint32_t line_bytes = kLineBytes)
      : solver_(solver),
        table_(RibbonMasksFor(parameter, line_bytes)),
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
    kDenseOnTop,  // a layout of up to kWindowRows rows whose right sides have
                  // room above the coefficients
    kDense,       // the others of up to kWindowRows rows
    kBand,        // a layout of more rows
    kAllReaches,  // all reaches of a partial column at once
    kPartial,     // one reach of a partial column that is too long for that
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
  void RunStep(Step step, const Batch& batch);
  void RunDense(const Batch& batch);
  void PlaceSolved(uint32_t lane, Line* line);
  void FinishPlaced();
  void WritePlaced(const std::array<bool, kLanes>& solved,
                   const DenseColumns& columns);
  void RunBand(const Batch& batch);
  void RunAllReaches(const Batch& batch);
  void RunPartial(const Batch& batch);

  void Enqueue(Step step, Line* line) { queues_[step].push_back(line); }
  void EnqueueLayout(Line* line);
  void EnqueueNextLayout(Line* line);
  void EndWithoutLayout(Line* line);
  bool BeginWithoutEqualKeys(Line* line);
  void EnqueueFirstReach(Line* line);
  void EnqueueNextReachOrWrite(Line* line, bool solved);

  uint32_t Tries(const Batch& batch, uint32_t i) const;
  uint32_t FindIndependent(uint32_t lane, uint32_t tries, Line* line);
  void MakeReady(Line* line);
  void SolveFullColumns(Line* line);
  void KeepPartialColumn(uint32_t partial_rows, Line* line);
  void Write(const Line& line) const;

  const Solver& solver_;
  const RibbonMasks& table_;
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
