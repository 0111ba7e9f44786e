#include "table/ribbon/line_solver.h"

#include <algorithm>
#include <cstring>

namespace oneline {
namespace blocked_ribbon {
namespace {

// ORs the first 64 of `rows` rows of a column, row m as bit m of `column`, into
// the line, downwards from bit `position`. Bits from `rows` on are 0.
void PutRows(uint64_t column, uint32_t position, uint64_t* line_words) {
  const uint64_t downwards = ReverseBits(column);  // row 0 in bit 63
  const uint32_t shift = 63 - position % 64;
  line_words[position / 64] |= downwards >> shift;
  if (shift != 0 && position >= 64) {
    line_words[position / 64 - 1] |= downwards << (64 - shift);
  }
}

}  // namespace

// Few lines have equal hashes: only a hash that falls on the same of 2^15
// places as another is compared with those before. Returns how many hashes are
// left, or one more than a line can hold.
uint32_t LineSolver::DropEqual(uint64_t* hashes, uint32_t num_hashes) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < num_hashes && left <= kMaxEquations; ++i) {
    const uint64_t hash = hashes[i];
    const uint64_t slot = LineMix(hash) >> 49;
    uint64_t& seen = seen_[slot / 64];
    const bool suspicion = (seen >> (slot % 64) & 1) != 0;
    if (suspicion && std::find(hashes, hashes + left, hash) != hashes + left) {
      continue;
    }
    seen |= uint64_t{1} << (slot % 64);
    hashes[left++] = hash;
  }
  for (uint32_t i = 0; i < left; ++i) seen_[LineMix(hashes[i]) >> 55] = 0;
  return left;
}

uint32_t LineSolver::Solve(uint64_t* hashes, const uint32_t* ends,
                           uint32_t num_lines, uint8_t* lines) {
  num_unsolved_ = 0;
  lines_.clear();
  lines_.reserve(num_lines);
  hashes_ = hashes;
  for (uint32_t i = 0, begin = 0; i < num_lines; begin = ends[i++]) {
    const uint32_t num_keys = DropEqual(hashes + begin, ends[i] - begin);
    AddLine(begin, num_keys, lines + size_t{line_bytes_} * i);
  }
  SolveAdded();
  return num_unsolved_;
}

void LineSolver::AddLine(uint32_t first_key, uint32_t num_keys,
                         uint8_t* bytes) {
  if (num_keys >= base_ + kUnsolved) {
    GiveUp(bytes);
  } else {
    Line line;
    line.first_key = first_key;
    line.num_keys = num_keys;
    line.layout.rows = std::max({base_, num_keys, uint32_t{1}});
    line.layout.table = &table_;
    line.layout.line_bits = 8 * line_bytes_;
    line.layout.base = base_;
    line.bytes = bytes;
    lines_.push_back(line);
  }
}

LineKeys LineSolver::KeysOf(const Line& line) const {
  return {hashes_ + line.first_key, line.num_keys};
}

void LineSolver::GiveUp(uint8_t* bytes) {
  std::memset(bytes, 0, line_bytes_);
  bytes[0] = EncodeHeader({kUnsolved, 0, 0});
  ++num_unsolved_;
}

void LineSolver::SolveAdded() {
  // Lines of like size together, so that few lanes run empty.
  std::vector<Line*> order;
  for (Line& line : lines_) order.push_back(&line);
  std::sort(order.begin(), order.end(), [](const Line* a, const Line* b) {
    return a->num_keys != b->num_keys ? a->num_keys < b->num_keys : a < b;
  });
  for (Line* line : order) Continue(line);
  Step step;
  for (Batch batch; TakeBatch(&step, &batch);) Run(step, batch);
}

// Eight lines of the last step that eight or more wait for, otherwise those of
// the first that any wait for. False if all lines are done.
bool LineSolver::TakeBatch(Step* step, Batch* batch) {
  const auto full = [](const auto& q) { return q.size() >= kLanes; };
  const auto any = [](const auto& q) { return !q.empty(); };
  size_t i = queues_.size();
  const auto last = std::find_if(queues_.rbegin(), queues_.rend(), full);
  if (last != queues_.rend()) {
    i = static_cast<size_t>(queues_.rend() - last) - 1;
  } else {
    i = static_cast<size_t>(std::find_if(queues_.begin(), queues_.end(), any) -
                            queues_.begin());
  }
  if (i == queues_.size()) return false;
  std::vector<Line*>& queue = queues_[i];
  batch->size = std::min(static_cast<uint32_t>(queue.size()), kLanes);
  std::copy(queue.end() - batch->size, queue.end(), batch->lines.begin());
  queue.resize(queue.size() - batch->size);
  *step = static_cast<Step>(i);
  return true;
}

void LineSolver::Run(Step step, const Batch& batch) {
  uint32_t num_keys = 0;
  uint32_t num_windows = 0;
  for (uint32_t i = 0; i < batch.size; ++i) {
    num_keys = std::max(num_keys, batch.lines[i]->num_keys);
    num_windows =
        std::max(num_windows, NumWindows(batch.lines[i]->layout.rows));
  }
  Clear(num_keys, num_windows, &systems_);
  switch (step) {
    case kRankDense:
      return RunRankDense(batch);
    case kColumnsBand:
      return RunColumnsBand(batch);
    case kAllReaches:
      return RunAllReaches(batch);
    case kPartial:
      return RunPartial(batch);
    default:
      return RunColumnsDense(batch);
  }
}

// Queues the line for the next pair of rows and seed to try, from its present
// pair on.
void LineSolver::Continue(Line* line) {
  Layout& layout = line->layout;
  for (;; ++layout.seed) {
    if (layout.seed >= SeedsFor(layout.rows, effort_)) {
      layout.seed = 0;
      ++layout.rows;
      // From here on the header turns the keys' bits otherwise.
      if ((layout.rows - base_) % 8 == 0) line->dense_rows.fill(0);
    }
    if (layout.rows >= base_ + kUnsolved) return GiveUp(line->bytes);
    if (layout.rows > kWindowRows) return Enqueue(kColumnsBand, line);
    const uint32_t needed = line->dense_rows[layout.seed];
    if (needed == 0) return Enqueue(kRankDense, line);
    if (needed <= layout.rows) return TakeRows(line);
  }
}

void LineSolver::RejectRows(Line* line) {
  ++line->layout.seed;
  Continue(line);
}

// The line's equations are independent for its rows and seed.
void LineSolver::TakeRows(Line* line) {
  const uint32_t partial_rows = line->layout.partial_rows();
  if (line->layout.rows <= kWindowRows) line->columns_solved = false;
  if (partial_rows == 0) {
    FinishPartial(line);
  } else if (partial_rows <= kMaxDensePartialRows) {
    Enqueue(kAllReaches, line);
  } else {
    BeginPartial(line);
  }
}

// One elimination over all of the window's rows tells the fewest that will do:
// up to the highest pivot. Where few lines wait, the lanes left take the seeds
// that these would try next: it costs nothing.
void LineSolver::RunRankDense(const Batch& batch) {
  const auto for_each_lane = [&](auto visit) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      Line* const line = batch.lines[lane % batch.size];
      const uint32_t seed = line->layout.seed + lane / batch.size;
      if (seed < effort_) visit(lane, line, seed);
    }
  };
  for_each_lane([this](uint32_t lane, Line* line, uint32_t seed) {
    Layout layout = line->layout;
    layout.seed = seed;
    FillRankLane(KeysOf(*line), layout, lane, &systems_);
  });
  solver_.eliminate_dense(&systems_);
  for_each_lane([this](uint32_t lane, Line* line, uint32_t seed) {
    uint32_t rows = kMaxRows + 1;  // never enough
    if (systems_.ranks[lane] == line->num_keys) {
      const uint64_t pivots = systems_.pivots[lane];
      rows =
          pivots == 0 ? 1 : 64 - static_cast<uint32_t>(__builtin_clzll(pivots));
    }
    line->dense_rows[seed] = static_cast<uint16_t>(rows);
  });
  for (uint32_t i = 0; i < batch.size; ++i) Continue(batch.lines[i]);
}

// A third of the tries succeed, and right sides add a third to the work: so
// they come along at once, instead of with a second elimination.
void LineSolver::RunColumnsBand(const Batch& batch) {
  for (uint32_t i = 0; i < batch.size; ++i) {
    FillColumnsLane(KeysOf(*batch.lines[i]), batch.lines[i]->layout, solver_, i,
                    &systems_);
  }
  solver_.eliminate_band_with_right(&systems_);
  for (uint32_t i = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    if (systems_.ranks[i] == line->num_keys) {
      SolveColumns(i, line);
      TakeRows(line);
    } else {
      RejectRows(line);
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
  solver_.eliminate_dense_with_top(&systems_);
  for (uint32_t i = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    const uint32_t partial_rows = line->layout.partial_rows();
    uint32_t reach = kReaches;
    while (reach > 0 && !ReadTopEchelon(systems_, i, counts[i][reach - 1],
                                        partial_rows, reach - 1, &echelon_)) {
      --reach;
    }
    if (reach == 0) {
      RejectRows(line);
      continue;
    }
    line->layout.reach = reach - 1;
    KeepPartialColumn(partial_rows, line);
    FinishPartial(line);
  }
}

// Tries first the longest reach that has no more equations than there are rows.
void LineSolver::BeginPartial(Line* line) {
  const LineKeys keys = KeysOf(*line);
  const uint32_t partial_rows = line->layout.partial_rows();
  line->layout.reach = 0;
  const RibbonTable::Row* const rows = &line->layout.row();
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
    TryNextReach(line, solved);
  }
}

// A longer reach adds equations, so nearly always those that have a solution
// come before those that don't. Not quite always, as the reach is part of the
// right sides: the search then keeps the longest that it has met.
void LineSolver::TryNextReach(Line* line, bool solved) {
  uint32_t& reach = line->layout.reach;
  const bool rising = line->solved_reach >= 0;
  if (solved) line->solved_reach = static_cast<int32_t>(reach);
  if (solved && reach + 1 < kReaches && !line->falling) {
    ++reach;
    Enqueue(kPartial, line);
  } else if (solved || rising) {
    reach = static_cast<uint32_t>(line->solved_reach);
    FinishPartial(line);
  } else if (reach == 0) {
    RejectRows(line);
  } else {
    line->falling = true;
    --reach;
    Enqueue(kPartial, line);
  }
}

void LineSolver::FinishPartial(Line* line) {
  if (line->columns_solved) {
    Emit(*line);
  } else {
    Enqueue(kColumnsDense, line);
  }
}

void LineSolver::RunColumnsDense(const Batch& batch) {
  for (uint32_t i = 0; i < batch.size; ++i) {
    FillColumnsLane(KeysOf(*batch.lines[i]), batch.lines[i]->layout, solver_, i,
                    &systems_);
  }
  solver_.eliminate_dense_with_right(&systems_);
  for (uint32_t i = 0; i < batch.size; ++i) {
    SolveColumns(i, batch.lines[i]);
    Emit(*batch.lines[i]);
  }
}

void LineSolver::SolveColumns(uint32_t lane, Line* line) {
  const uint32_t rows = line->layout.rows;
  const uint32_t full = line->layout.full_columns();
  ReadEchelon(systems_, lane, rows, &echelon_);
  solver_.substitute(echelon_, rows, full, &columns_);
  line->words.fill(0);
  for (uint32_t column = 0; column < full; ++column) {
    for (uint32_t row = 0; row < rows; row += 64) {
      // The last column's right side is bit 0.
      PutRows(columns_.words[row / 64][full - 1 - column],
              kLineBits - 1 - column * rows - row, line->words.data());
    }
  }
  line->columns_solved = true;
}

void LineSolver::KeepPartialColumn(uint32_t partial_rows, Line* line) {
  solver_.substitute(echelon_, partial_rows, 1, &columns_);
  for (uint32_t row = 0; row < partial_rows; row += 64) {
    line->partial_column[row / 64] = columns_.words[row / 64][0];
  }
}

void LineSolver::Emit(const Line& line) const {
  const Layout& layout = line.layout;
  auto words = line.words;
  const uint32_t position = kLineBits - 1 - layout.full_columns() * layout.rows;
  for (uint32_t row = 0; row < layout.partial_rows(); row += 64) {
    PutRows(line.partial_column[row / 64], position - row, words.data());
  }
  std::array<uint8_t, kLineBytes> bytes;
  for (uint32_t i = 0; i < kLineBytes / 8; ++i) {
    StoreLittleEndian64(words[i], bytes.data() + 8 * i);
  }
  std::copy(bytes.end() - line_bytes_, bytes.end(), line.bytes);
  line.bytes[0] |= static_cast<uint8_t>(layout.header());
  line.bytes[1] |= static_cast<uint8_t>(layout.header() >> 8);
}

}  // namespace blocked_ribbon
}  // namespace oneline
