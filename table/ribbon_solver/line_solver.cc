#include "table/ribbon_solver/line_solver.h"

#include <algorithm>
#include <cstring>

#include "table/ribbon_solver/line_words.h"

namespace oneline {
namespace blocked_ribbon {

uint32_t LineSolver::Solve(uint64_t* hashes, const uint32_t* ends,
                           uint32_t num_lines, uint8_t* lines) {
  num_unsolved_ = 0;
  lines_.clear();
  lines_.reserve(num_lines);
  hashes_ = hashes;
  if (num_lines > 0) right_sides_.resize(ends[num_lines - 1]);
  for (uint32_t i = 0, begin = 0; i < num_lines; begin = ends[i++]) {
    AddLine(begin, ends[i] - begin, lines + size_t{line_bytes_} * i);
  }
  SolveAdded();
  return num_unsolved_;
}

void LineSolver::AddLine(uint32_t first_key, uint32_t num_keys,
                         uint8_t* bytes) {
  lines_.emplace_back();
  Line& line = lines_.back();
  line.first_key = first_key;
  line.num_keys = num_keys;
  line.layout.rows = std::max({base_, num_keys, uint32_t{1}});
  line.layout.table = &table_;
  line.layout.line_bits = 8 * line_bytes_;
  line.layout.base = base_;
  line.bytes = bytes;
}

LineKeys LineSolver::KeysOf(const Line& line) const {
  return {hashes_ + line.first_key, line.num_keys};
}

void LineSolver::SolveAdded() {
  // Lines of like size together, so that few lanes run empty.
  std::array<uint32_t, kMaxEquations + 3> next{};
  const auto size_of = [](const Line& line) {
    return std::min(line.num_keys, kMaxEquations + 1);
  };
  for (const Line& line : lines_) ++next[size_of(line) + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Line*> order(lines_.size());
  for (Line& line : lines_) order[next[size_of(line)]++] = &line;
  for (Line* line : order) EnqueueLayout(line);
  Step step;
  Batch batch;
  for (;;) {
    if (TakeBatch(&step, &batch)) {
      RunStep(step, batch);
    } else if (placed_.size > 0) {
      FinishPlaced();
    } else {
      break;
    }
  }
}

// Eight lines of the last step that eight or more wait for, otherwise those of
// the first that any wait for. False if all lines are done.
bool LineSolver::TakeBatch(Step* step, Batch* batch) {
  size_t chosen = queues_.size();
  for (size_t i = queues_.size(); i-- > 0;) {
    if (!queues_[i].empty()) chosen = i;
    if (queues_[i].size() >= kLanes) break;
  }
  if (chosen == queues_.size()) return false;
  std::vector<Line*>& queue = queues_[chosen];
  batch->size = std::min(static_cast<uint32_t>(queue.size()), kLanes);
  std::copy(queue.end() - batch->size, queue.end(), batch->lines.begin());
  queue.resize(queue.size() - batch->size);
  *step = static_cast<Step>(chosen);
  return true;
}

void LineSolver::RunStep(Step step, const Batch& batch) {
  uint32_t num_keys = 0;
  uint32_t num_windows = 0;
  for (uint32_t i = 0; i < batch.size; ++i) {
    num_keys = std::max(num_keys, batch.lines[i]->num_keys);
    num_windows =
        std::max(num_windows, NumWindows(batch.lines[i]->layout.rows));
  }
  Clear(num_keys, num_windows, step != kDenseOnTop, &systems_);
  switch (step) {
    case kBand:
      return RunBand(batch);
    case kAllReaches:
      return RunAllReaches(batch);
    case kPartial:
      return RunPartial(batch);
    default:
      return RunDense(batch);
  }
}

// Queues the line for its layout.
void LineSolver::EnqueueLayout(Line* line) {
  const Layout& layout = line->layout;
  if (layout.rows >= base_ + kUnsolved) return EndWithoutLayout(line);
  Enqueue(layout.rows > kWindowRows ? kBand
          : RightSidesOnTop(layout) ? kDenseOnTop
                                    : kDense,
          line);
}

// Queues it for the one after that: the next seed, or else one more row.
void LineSolver::EnqueueNextLayout(Line* line) {
  Layout& layout = line->layout;
  if (++layout.seed >= SeedsFor(layout.rows, effort_)) {
    layout.seed = 0;
    ++layout.rows;
  }
  layout.reach = 0;
  EnqueueLayout(line);
}

// The line has no layout left. Equations of equal keys are never independent,
// so equal keys come up here, at the latest.
void LineSolver::EndWithoutLayout(Line* line) {
  if (BeginWithoutEqualKeys(line)) return;
  std::memset(line->bytes, 0, line_bytes_);
  line->bytes[0] = EncodeHeader({kUnsolved, 0, 0});
  ++num_unsolved_;
}

// Queues the line for its first layout without equal keys, if there are any.
bool LineSolver::BeginWithoutEqualKeys(Line* line) {
  uint64_t* const begin = hashes_ + line->first_key;
  uint64_t* const end = begin + line->num_keys;
  std::sort(begin, end);
  const auto left = static_cast<uint32_t>(std::unique(begin, end) - begin);
  line->ready_rows = 0;
  if (left == line->num_keys) return false;
  line->num_keys = left;
  line->layout.rows = std::max({base_, left, uint32_t{1}});
  line->layout.seed = 0;
  EnqueueLayout(line);
  return true;
}

// How many seeds, from its present one on, line i of a batch tries at once: the
// batch shares all lanes among its lines.
uint32_t LineSolver::Tries(const Batch& batch, uint32_t i) const {
  if (batch.size == kLanes) return 1;
  const Layout& layout = batch.lines[i]->layout;
  return std::min(kLanes * (i + 1) / batch.size - kLanes * i / batch.size,
                  SeedsFor(layout.rows, effort_) - layout.seed);
}

// After the elimination of equations of full columns, of `tries` seeds from one
// lane on: the first lane whose equations are independent, and its seed in the
// layout. kLanes if there is none, and the line is queued anew.
uint32_t LineSolver::FindIndependent(uint32_t lane, uint32_t tries,
                                     Line* line) {
  for (uint32_t end = lane + tries; lane < end; ++lane, ++line->layout.seed) {
    if (systems_.ranks[lane] == line->num_keys) return lane;
    if (systems_.left[lane] < line->num_keys && BeginWithoutEqualKeys(line)) {
      return kLanes;
    }
  }
  --line->layout.seed;
  EnqueueNextLayout(line);
  return kLanes;
}

// A third of the tries succeed, and right sides add a third to the work: so
// they come along at once, instead of with a second elimination.
void LineSolver::RunBand(const Batch& batch) {
  for (uint32_t i = 0, lane = 0; i < batch.size; ++i) {
    Layout layout = batch.lines[i]->layout;
    for (uint32_t end = lane + Tries(batch, i); lane < end;
         ++lane, ++layout.seed) {
      FillColumnsLane(KeysOf(*batch.lines[i]), layout, solver_, lane,
                      &systems_);
    }
  }
  solver_.eliminate_band_with_right(&systems_);
  for (uint32_t i = 0, lane = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    const uint32_t tries = Tries(batch, i);
    const uint32_t found = FindIndependent(lane, tries, line);
    lane += tries;
    if (found == kLanes) continue;
    const uint32_t partial_rows = line->layout.partial_rows();
    ReadEchelon(systems_, found, line->layout.rows, &echelon_);
    SolveFullColumns(line);
    if (partial_rows == 0) {
      Write(*line);
    } else if (partial_rows <= kMaxDensePartialRows) {
      Enqueue(kAllReaches, line);
    } else {
      EnqueueFirstReach(line);
    }
  }
}

// Equations in the order of the reaches that have them: one elimination tells
// for each reach whether there is a solution.
void LineSolver::RunAllReaches(const Batch& batch) {
  std::array<std::array<uint32_t, kReaches>, kLanes> counts;
  for (uint32_t i = 0; i < batch.size; ++i) {
    counts[i] = FillAllReachesLane(KeysOf(*batch.lines[i]),
                                   batch.lines[i]->layout, i, &systems_);
  }
  solver_.eliminate_dense(&systems_);
  for (uint32_t i = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    const uint32_t partial_rows = line->layout.partial_rows();
    uint32_t reach = kReaches;
    while (reach > 0 && !ReadTopEchelon(systems_, i, counts[i][reach - 1],
                                        partial_rows, reach - 1, &echelon_)) {
      --reach;
    }
    if (reach == 0) {
      EnqueueNextLayout(line);
      continue;
    }
    line->layout.reach = reach - 1;
    KeepPartialColumn(partial_rows, line);
    Write(*line);
  }
}

// Tries first the longest reach that has no more equations than there are rows.
void LineSolver::EnqueueFirstReach(Line* line) {
  const LineKeys keys = KeysOf(*line);
  const uint32_t partial_rows = line->layout.partial_rows();
  line->layout.reach = 0;
  const RibbonMasks::Row* const rows = &line->layout.row();
  std::array<uint32_t, kReaches> counts{};
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    for (uint32_t d = 0; d < kReaches; ++d) {
      counts[d] += Group(keys.hashes[i]) < rows[d].group_bound ? 1 : 0;
    }
  }
  uint32_t reach = kReaches - 1;
  while (reach > 0 && counts[reach] > partial_rows) --reach;
  line->layout.reach = reach;
  line->solved_reach = -1;
  line->falling = false;
  Enqueue(kPartial, line);
}

// Here equations have to be in the order of their starts: one elimination for
// each reach tried.
void LineSolver::RunPartial(const Batch& batch) {
  for (uint32_t i = 0; i < batch.size; ++i) {
    FillPartialLane(KeysOf(*batch.lines[i]), batch.lines[i]->layout, i,
                    &systems_);
  }
  solver_.eliminate_band_with_right(&systems_);
  for (uint32_t i = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    const uint32_t partial_rows = line->layout.partial_rows();
    const bool solved = ReadEchelon(systems_, i, partial_rows, &echelon_);
    if (solved) KeepPartialColumn(partial_rows, line);
    EnqueueNextReachOrWrite(line, solved);
  }
}

// A longer reach adds equations, so nearly always those that have a solution
// come before those that don't. Not quite always, as the reach is part of the
// right sides: the search then keeps the longest that it has met.
void LineSolver::EnqueueNextReachOrWrite(Line* line, bool solved) {
  uint32_t& reach = line->layout.reach;
  const bool rising = line->solved_reach >= 0;
  if (solved) line->solved_reach = static_cast<int32_t>(reach);
  if (solved && reach + 1 < kReaches && !line->falling) {
    ++reach;
    Enqueue(kPartial, line);
  } else if (solved || rising) {
    reach = static_cast<uint32_t>(line->solved_reach);
    Write(*line);
  } else if (reach == 0) {
    EnqueueNextLayout(line);
  } else {
    line->falling = true;
    --reach;
    Enqueue(kPartial, line);
  }
}

void LineSolver::SolveFullColumns(Line* line) {
  const uint32_t rows = line->layout.rows;
  const uint32_t full = line->layout.full_columns();
  solver_.substitute(echelon_, rows, full, &columns_);
  line->words.fill(0);
  for (uint32_t column = 0; column < full; ++column) {
    for (uint32_t row = 0; row < rows; row += 64) {
      // The last column's right side is bit 0.
      PutRows(ReverseBits(columns_.words[row / 64][full - 1 - column]),
              kLineBits - 1 - column * rows - row, &line->words);
    }
  }
}

void LineSolver::KeepPartialColumn(uint32_t partial_rows, Line* line) {
  solver_.substitute(echelon_, partial_rows, 1, &columns_);
  for (uint32_t row = 0; row < partial_rows; row += 64) {
    line->partial_column[row / 64] = columns_.words[row / 64][0];
  }
}

void LineSolver::Write(const Line& line) const {
  const Layout& layout = line.layout;
  auto words = line.words;
  const uint32_t position = kLineBits - 1 - layout.full_columns() * layout.rows;
  for (uint32_t row = 0; row < layout.partial_rows(); row += 64) {
    PutRows(ReverseBits(line.partial_column[row / 64]), position - row, &words);
  }
  WriteLine(words, line.layout, line.bytes);
}

}  // namespace blocked_ribbon
}  // namespace oneline
