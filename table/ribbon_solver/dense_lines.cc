// Lines of one window: at most kWindowRows rows. All equations start at row 0.

#include "table/ribbon_solver/line_solver.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// Permutes the hashes of n keys, at most kWindowRows, into the order of their
// equations. It does not depend on the seed.
ReachedKeys OrderByReach(const Layout& layout, uint64_t* hashes, uint32_t n) {
  ReachedKeys reached = {};
  if (layout.partial_rows() == 0) return reached;
  const RibbonMasks::Row* const rows = layout.rows_of_reaches();
  // Nearly all keys are reached by every reach or by none.
  const uint32_t first_bound = rows[0].reach_bound();
  const uint32_t last_bound = rows[kReaches - 1].reach_bound();
  uint64_t by_some[kWindowRows];
  uint64_t by_none[kWindowRows];
  uint32_t num_all = 0;
  uint32_t num_some = 0;
  uint32_t num_none = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t hash = hashes[i];
    const uint32_t all = Place(0, hash) < first_bound ? 1 : 0;
    const uint32_t none = Place(0, hash) >= last_bound ? 1 : 0;
    hashes[num_all] = hash;
    by_some[num_some] = hash;
    by_none[num_none] = hash;
    num_all += all;
    num_some += 1 - all - none;
    num_none += none;
  }
  reached[0] = num_all;
  uint64_t sorted[kWindowRows + 1];
  uint32_t num_sorted = 0;
  for (uint32_t d = 1; d < kReaches; ++d) {
    for (uint32_t i = 0; i < num_some; ++i) {
      const uint32_t place = Place(0, by_some[i]);
      sorted[num_sorted] = by_some[i];
      const uint32_t is_later = place >= rows[d - 1].reach_bound() ? 1 : 0;
      num_sorted += place < rows[d].reach_bound() ? is_later : 0;
    }
    reached[d] = num_all + num_sorted;
  }
  std::copy_n(sorted, num_sorted, hashes + num_all);
  std::copy_n(by_none, num_none, hashes + reached[kReaches - 1]);
  return reached;
}

void FillDenseLane(const LineKeys& keys, const uint32_t* right_sides,
                   const Layout& layout, uint32_t lane, Systems* systems) {
  const uint32_t header = layout.header();
  const uint64_t mask = CoefficientMask(layout.rows);
  systems->ends[lane] = (keys.num_keys + kBlock - 1) / kBlock * kBlock;
  systems->masks[lane] = mask;
  const uint32_t num_right_sides = layout.num_columns();
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    systems->words[i][lane] = (Seeded(LineMix(keys.hashes[i]), header) & mask) |
                              OnTop(right_sides[i], num_right_sides);
  }
}

// Copies the eliminated equations into lane `to` of a square, which is all 0:
// that with row r for its pivot into word 63 - r.
ReachedRows PlaceDenseLane(const Systems& systems, uint32_t lane,
                           uint32_t num_keys, const ReachedKeys& reached,
                           uint32_t to, Square* square) {
  ReachedRows reached_rows;
  uint64_t rows = 0;
  uint32_t i = 0;
  const auto place_until = [&](uint32_t end) {
    for (; i < end; ++i) {
      const uint64_t word = systems.words[i][lane];
      const auto row = 63 - static_cast<uint32_t>(__builtin_ctzll(word));
      rows |= uint64_t{1} << row;
      square->words[row][to] = word;
    }
  };
  for (uint32_t d = 0; d < kReaches; ++d) {
    place_until(reached[d]);
    reached_rows[d] = rows;
  }
  place_until(num_keys);
  return reached_rows;
}

// The rows of the partial column that have an equation, and their right sides.
struct PartialSides {
  uint64_t rows = 0;
  uint64_t right_sides = 0;
};

// The longest reach for which the partial column has a solution, off the
// transposed square. False if there is none. `right_sides`: the partial
// column's, all of them.
bool ChooseReach(const Square& square, uint64_t right_sides, uint32_t lane,
                 const ReachedRows& reached_rows, Layout* layout,
                 PartialSides* sides) {
  const uint32_t partial_rows = layout->partial_rows();
  layout->reach = 0;
  if (partial_rows == 0) return true;
  const uint64_t without_rows = ~uint64_t{0} >> partial_rows;
  for (uint32_t reach = kReaches; reach-- > 0;) {
    const uint64_t header = ReversedHeader(*layout, reach);
    uint64_t left = right_sides;
    for (uint32_t i = 0; i < kHeaderBits && partial_rows + i < layout->rows;
         ++i) {
      left ^= square.words[partial_rows + i][lane] & -(header >> i & 1);
    }
    left &= reached_rows[reach];
    // Equations without rows of the partial column must hold by the header
    // alone.
    if ((left & without_rows) != 0) continue;
    layout->reach = reach;
    *sides = {reached_rows[reach] & ~without_rows, left};
    return true;
  }
  return false;
}

}  // namespace

void LineSolver::MakeReady(Line* line) {
  line->ready_rows = line->layout.rows;
  line->reached =
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
  line->reached_rows = PlaceDenseLane(systems_, lane, line->num_keys,
                                      line->reached, placed_.size, &square_);
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
                            placed_.lines[i]->reached_rows, &layout, &sides);
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
