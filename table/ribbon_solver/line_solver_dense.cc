// What LineSolver does with lines of one window.

#include <algorithm>
#include <array>

#include "table/ribbon_solver/line_solver.h"
#include "table/ribbon_solver/line_words.h"

namespace oneline {
namespace blocked_ribbon {

void LineSolver::MakeReady(Line* line) {
  line->ready_rows = line->layout.rows;
  line->asked =
      OrderByReach(line->layout, hashes_ + line->first_key, line->num_keys);
  RightSidesOf(KeysOf(*line), line->layout, 0, solver_,
               right_sides_.data() + line->first_key);
}

void LineSolver::RunDense(const Batch& batch) {
  ClearFor(batch);
  for (uint32_t i = 0, lane = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    if (line->ready_rows != line->layout.rows) MakeReady(line);
    Layout layout = line->layout;
    for (uint32_t end = lane + Tries(batch, i); lane < end;
         ++lane, ++layout.seed) {
      FillDenseLane(KeysOf(*line), right_sides_.data() + line->first_key,
                    layout, lane, &systems_);
    }
  }
  solver_.eliminate_dense(&systems_);
  for (uint32_t i = 0, lane = 0; i < batch.size; ++i) {
    const uint32_t tries = Tries(batch, i);
    const uint32_t found = FindIndependent(lane, tries, batch.lines[i]);
    if (found < kLanes) PlaceSolved(found, batch.lines[i]);
    lane += tries;
  }
}

void LineSolver::PlaceSolved(uint32_t lane, Line* line) {
  if (placed_.size == 0) square_ = {};
  line->asked_rows = PlaceDenseLane(systems_, lane, line->num_keys, line->asked,
                                    placed_.size, &square_);
  placed_.lines[placed_.size++] = line;
  if (placed_.size == kLanes) FinishPlaced();
}

void LineSolver::FinishPlaced() {
  const uint32_t size = placed_.size;
  placed_.size = 0;
  uint32_t rows = 0;
  uint32_t num_columns = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const Layout& layout = placed_.lines[i]->layout;
    rows = std::max(rows, layout.rows);
    num_columns = std::max(num_columns, layout.full_columns());
  }
  solver_.transpose(&square_);
  // Column 0 of these is the partial one.
  DenseColumns columns{};
  alignas(64) uint64_t partial_rows[kLanes] = {};
  std::array<bool, kLanes> solved{};
  for (uint32_t i = 0; i < size; ++i) {
    Layout& layout = placed_.lines[i]->layout;
    const uint32_t full = layout.full_columns();
    for (uint32_t c = 0; c < full; ++c) {
      columns.words[1 + c][i] = square_.words[63 - c][i];
    }
    PartialSides sides;
    solved[i] = ChooseReach(square_, square_.words[63 - full][i], i,
                            placed_.lines[i]->asked_rows, &layout, &sides);
    columns.words[0][i] = sides.right_sides;
    partial_rows[i] = sides.rows;
    if (!solved[i]) EnqueueNextLayout(placed_.lines[i]);
  }
  solver_.substitute_dense(square_, rows, partial_rows, 1 + num_columns,
                           &columns);
  WritePlaced(solved, columns);
}

// All lines are made before the first is written: a copy of words that were
// just written would wait for them.
void LineSolver::WritePlaced(const std::array<bool, kLanes>& solved,
                             const DenseColumns& columns) {
  std::array<LineWords, kLanes> words{};
  for (uint32_t i = 0; i < kLanes; ++i) {
    if (!solved[i]) continue;
    const Layout& layout = placed_.lines[i]->layout;
    const uint32_t full = layout.full_columns();
    uint32_t position = kLineBits - 1;
    for (uint32_t c = 0; c < full; ++c, position -= layout.rows) {
      PutRows(columns.words[1 + c][i], position, &words[i]);
    }
    PutRows(columns.words[0][i], position, &words[i]);
  }
  for (uint32_t i = 0; i < kLanes; ++i) {
    if (!solved[i]) continue;
    WriteLine(words[i], placed_.lines[i]->layout, placed_.lines[i]->bytes);
  }
}

}  // namespace blocked_ribbon
}  // namespace oneline
