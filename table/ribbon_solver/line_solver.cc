#include "table/ribbon_solver/line_solver.h"

#include <cstddef>
#include <cstring>

#include "table/hash/little_endian.h"

namespace oneline {
namespace blocked_ribbon {

uint64_t ReversedHeader(const Layout& layout, uint32_t reach) {
  Layout header = layout;
  header.reach = reach;
  return ReverseBits(header.header()) >> (64 - kHeaderBits);
}

uint32_t RightSidesOf(const LineKeys& keys, const Layout& layout,
                      uint32_t window, const Solver& solver,
                      uint32_t* right_sides) {
  // With the bit of the partial column, if there is one, for all keys.
  const size_t mask = 2 * (size_t{layout.row().first_window} + window) + 1;
  solver.right_sides(keys.hashes, layout.table->masks()[mask].words,
                     keys.num_keys, layout.rows, right_sides);
  const bool has_partial =
      WindowStart(layout.rows, window) < layout.partial_rows();
  return layout.full_columns() + (has_partial ? 1 : 0);
}

void WriteLine(const LineWords& words, const Layout& layout, uint8_t* line) {
  uint8_t bytes[kLineBytes];
  for (uint32_t i = 0; i < kLineBytes / 8; ++i) {
    PutLittleEndian(words[i], bytes + 8 * i);
  }
  const uint32_t line_bytes = layout.line_bits / 8;
  uint8_t* const first = bytes + (kLineBytes - line_bytes);
  const uint32_t header = layout.header();
  first[0] |= static_cast<uint8_t>(header);
  first[1] |= static_cast<uint8_t>(header >> 8);
  std::memcpy(line, first, line_bytes);
}

uint32_t LineSolver::Solve(uint64_t* hashes, const uint32_t* ends,
                           uint32_t num_lines, uint8_t* lines) {
  num_unsolved_ = 0;
  lines_.clear();
  lines_.reserve(num_lines);
  hashes_ = hashes;
  if (num_lines > 0) right_sides_.resize(ends[num_lines - 1]);
  for (uint32_t i = 0, begin = 0; i < num_lines; begin = ends[i++]) {
    Line& line = lines_.emplace_back();
    line.first_key = begin;
    line.num_keys = ends[i] - begin;
    line.layout = {&table_, 8 * line_bytes_, base_, FewestRows(line.num_keys)};
    line.bytes = lines + size_t{line_bytes_} * i;
  }
  SolveAdded();
  return num_unsolved_;
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
  for (;;) {
    // Lines that fail with one window may come to have several.
    if (band_.size() >= kLanes) {
      RunBand(TakeBatch(&band_));
    } else if (!dense_.empty()) {
      RunDense(TakeBatch(&dense_));
    } else if (placed_.size > 0) {
      FinishPlaced();
    } else if (!band_.empty()) {
      RunBand(TakeBatch(&band_));
    } else {
      break;
    }
  }
}

// Up to eight of the lines.
LineSolver::Batch LineSolver::TakeBatch(std::vector<Line*>* queue) {
  Batch batch;
  batch.size = std::min(static_cast<uint32_t>(queue->size()), kLanes);
  std::copy(queue->end() - batch.size, queue->end(), batch.lines.begin());
  queue->resize(queue->size() - batch.size);
  return batch;
}

// Leaves no equation in any lane, as far as those of the batch will reach.
void LineSolver::ClearFor(const Batch& batch) {
  uint32_t num_keys = 0;
  uint32_t num_windows = 0;
  for (uint32_t i = 0; i < batch.size; ++i) {
    num_keys = std::max(num_keys, batch.lines[i]->num_keys);
    num_windows =
        std::max(num_windows, NumWindows(batch.lines[i]->layout.rows));
  }
  // Each window may leave a block that is not full.
  std::fill_n(systems_.words[0], (num_keys + num_windows * kBlock) * kLanes, 0);
  // A lane may have fewer blocks than others, whose comparison reads its, too.
  const uint32_t num_blocks = (num_keys + kBlock - 1) / kBlock + num_windows;
  std::fill_n(systems_.starts[0], num_blocks * kLanes, 0);
  std::fill_n(systems_.ends, kLanes, 0);
}

// Queues the line for its layout.
void LineSolver::EnqueueLayout(Line* line) {
  const Layout& layout = line->layout;
  if (layout.rows >= base_ + kUnsolved) return EndWithoutLayout(line);
  (layout.rows > kWindowRows ? band_ : dense_).push_back(line);
}

// Queues it for the one after that: the next seed, or else one more row.
void LineSolver::EnqueueNextLayout(Line* line) {
  Layout& layout = line->layout;
  if (++layout.seed >= kMaxSeeds) {
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
  line->layout.rows = FewestRows(left);
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
                  kMaxSeeds - layout.seed);
}

// After the elimination of equations of full columns, of `tries` seeds from one
// lane on: the first lane whose equations are independent, and its seed in the
// layout. kLanes if there is none, and the line is queued anew.
uint32_t LineSolver::FindIndependent(uint32_t lane, uint32_t tries,
                                     Line* line) {
  for (uint32_t end = lane + tries; lane < end; ++lane, ++line->layout.seed) {
    if (systems_.ranks[lane] == line->num_keys) return lane;
  }
  // An equation of which nothing is left may be one of equal keys. With few
  // columns others come to that as well, but not for every seed.
  --line->layout.seed;
  const bool is_last = line->layout.seed + 1 == kMaxSeeds;
  if (is_last && systems_.left[lane - 1] < line->num_keys &&
      BeginWithoutEqualKeys(line)) {
    return kLanes;
  }
  EnqueueNextLayout(line);
  return kLanes;
}

}  // namespace blocked_ribbon
}  // namespace oneline
