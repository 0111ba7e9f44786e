// Lines of several windows.

#include "table/ribbon_solver/line_solver.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kMaxWindows = NumWindows(kMaxRows);
constexpr uint32_t kMaxParts = kMaxWindows + kReaches;

// The keys of a line in the order of their places.
struct OrderedKeys {
  uint64_t hashes[kMaxEquations];
  // [i]: where the keys of start i begin; the last: where all end.
  std::array<uint32_t, kMaxWindows> begins;
  ReachedKeys reached;
};

// Which part a key of that place belongs to. Keys of one part have the same
// start and are reached by the same reaches; parts ascend with the place.
class Parts {
 public:
  explicit Parts(const Layout& layout)
      : last_start_(layout.row().num_windows - 3) {
    for (uint32_t d = 0; d < kReaches; ++d) {
      bounds_[d] = layout.rows_of_reaches()[d].reach_bound();
    }
  }

  uint32_t last_start() const { return last_start_; }

  uint32_t Of(uint32_t place) const {
    const uint32_t window = place >> 8;
    uint32_t part = std::min(window - (window > 0 ? 1 : 0), last_start_);
#pragma GCC unroll 4
    for (uint32_t d = 0; d < kReaches; ++d) part += place >= bounds_[d] ? 1 : 0;
    return part;
  }
  uint32_t OfStart(uint32_t start) const {
    return Of(start == 0 ? 0 : Place(start + 1, 0));
  }
  // The first that the reach does not ask.
  uint32_t OfBound(uint32_t reach) const { return Of(bounds_[reach]); }

 private:
  uint32_t last_start_;
  std::array<uint32_t, kReaches> bounds_;
};

// Which windows keys have is random, so nothing here takes a branch for it.
void Order(const LineKeys& keys, const Layout& layout, OrderedKeys* ordered) {
  const Parts parts(layout);
  const uint32_t header = layout.header();
  const uint32_t num_windows = layout.row().num_windows;
  const uint64_t* const hashes = keys.hashes;
  uint32_t part_of[kMaxEquations];
  std::array<uint32_t, kMaxParts + 1> begins{};
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint64_t hash = hashes[i];
    const auto window = static_cast<uint32_t>(
        WindowOf(Seeded(LineMix(hash), header), num_windows));
    part_of[i] = parts.Of(Place(window, hash));
    ++begins[part_of[i] + 1];
  }
  for (uint32_t i = 0; i < kMaxParts; ++i) begins[i + 1] += begins[i];
  for (uint32_t start = 0; start <= parts.last_start(); ++start) {
    ordered->begins[start] = begins[parts.OfStart(start)];
  }
  ordered->begins[parts.last_start() + 1] = keys.num_keys;
  for (uint32_t d = 0; d < kReaches; ++d) {
    ordered->reached[d] = begins[parts.OfBound(d)];
  }
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    ordered->hashes[begins[part_of[i]]++] = hashes[i];
  }
}

// Makes room at the lane's end for n equations from one row on, in whole
// blocks. Returns where the first of them goes.
uint32_t Append(uint32_t n, uint32_t start, uint32_t lane, Systems* systems) {
  const uint32_t begin = systems->ends[lane];
  const uint32_t end = begin + (n + kBlock - 1) / kBlock * kBlock;
  for (uint32_t i = begin; i < end; i += kBlock) {
    systems->starts[i / kBlock][lane] = start;
  }
  systems->ends[lane] = end;
  return begin;
}

// Calls visit(word, start, number) for each equation that has anything left,
// the first `num_equations` of them.
template <typename Visit>
void ForEachEquation(const Systems& systems, uint32_t lane,
                     uint32_t num_equations, Visit visit) {
  for (uint32_t i = 0, number = 0; number < num_equations; ++i) {
    const uint64_t word = systems.words[i][lane];
    if (word == 0) continue;
    visit(word, static_cast<uint32_t>(systems.starts[i / kBlock][lane]),
          number++);
  }
}

// The coefficients of the header's bits, that of its highest bit lowest: those
// of the rows that follow the partial column's last one.
uint64_t OfHeader(uint64_t coefficients, uint32_t start,
                  uint32_t partial_rows) {
  if (start >= partial_rows) return 0;
  const uint32_t rows = partial_rows - start;
  return rows < 64 ? coefficients >> rows : 0;
}

uint32_t Parity(uint64_t x) {
  return static_cast<uint32_t>(__builtin_parityll(x));
}

// Equations without rows of the partial column must hold by the header alone.
bool ChooseBandReach(const Systems& systems, uint32_t lane,
                     const ReachedKeys& reached, Layout* layout) {
  const uint32_t partial_rows = layout->partial_rows();
  layout->reach = 0;
  if (partial_rows == 0) return true;
  std::array<uint64_t, kReaches> headers;
  for (uint32_t d = 0; d < kReaches; ++d) {
    headers[d] = ReversedHeader(*layout, d);
  }
  const uint64_t mask = CoefficientMask(layout->rows);
  const uint32_t right_bit = 63 - layout->full_columns();
  std::array<uint32_t, kReaches> wrong{};
  ForEachEquation(
      systems, lane, reached[kReaches - 1],
      [&](uint64_t word, uint32_t start, uint32_t number) {
        const auto pivot = static_cast<uint32_t>(__builtin_ctzll(word));
        if (start + pivot < partial_rows) return;
        const uint64_t of_header = OfHeader(word & mask, start, partial_rows);
        const auto right_side = static_cast<uint32_t>(word >> right_bit & 1);
        for (uint32_t d = 0; d < kReaches; ++d) {
          if (number >= reached[d]) continue;
          wrong[d] |= right_side ^ Parity(of_header & headers[d]);
        }
      });
  for (uint32_t d = kReaches; d-- > 0;) {
    if (wrong[d] != 0) continue;
    layout->reach = d;
    return true;
  }
  return false;
}

// Returns how many of the lane's equations, the first ones, each reach has.
ReachedKeys FillBandLane(const LineKeys& all, const Layout& layout,
                         const Solver& solver, uint32_t lane,
                         Systems* systems) {
  const uint32_t header = layout.header();
  const RibbonMasks::Row& row = layout.row();
  OrderedKeys ordered;
  Order(all, layout, &ordered);
  systems->masks[lane] = row.coefficient_mask;
  for (uint32_t i = 0; i + 2 < row.num_windows; ++i) {
    const LineKeys keys = {ordered.hashes + ordered.begins[i],
                           ordered.begins[i + 1] - ordered.begins[i]};
    uint32_t right_sides[kMaxEquations];
    const uint32_t num_right_sides =
        RightSidesOf(keys, layout, i + 1, solver, right_sides);
    const uint32_t first =
        Append(keys.num_keys, WindowStart(layout.rows, i + 1), lane, systems);
    for (uint32_t k = 0; k < keys.num_keys; ++k) {
      systems->words[first + k][lane] =
          (Seeded(LineMix(keys.hashes[k]), header) & row.coefficient_mask) |
          OnTop(right_sides[k], num_right_sides);
    }
  }
  return ordered.reached;
}

// The echelon form of a lane whose equations are independent, with the longest
// reach for which the partial column has a solution, which the layout gets.
// False if there is none. Column num_columns - 1 - j of the echelon form is
// column j of the line, the partial one last.
bool ReadBandLane(const Systems& systems, uint32_t lane,
                  const ReachedKeys& reached, Layout* layout,
                  Echelon* echelon) {
  if (!ChooseBandReach(systems, lane, reached, layout)) return false;
  const uint32_t partial_rows = layout->partial_rows();
  const uint32_t num_columns = layout->num_columns();
  const uint32_t num_reached = partial_rows > 0 ? reached[layout->reach] : 0;
  const uint64_t header = ReversedHeader(*layout, layout->reach);
  const uint64_t mask = CoefficientMask(layout->rows);
  const uint32_t all = ~uint32_t{0} >> (32 - num_columns);
  const uint32_t full = partial_rows > 0 ? all - 1 : all;
  std::fill_n(echelon->columns, layout->rows, 0);
  ForEachEquation(
      systems, lane, static_cast<uint32_t>(systems.ranks[lane]),
      [&](uint64_t word, uint32_t start, uint32_t number) {
        const auto pivot = static_cast<uint32_t>(__builtin_ctzll(word));
        const uint32_t row = start + pivot;
        const uint64_t coefficients = word & mask;
        echelon->coefficients[row] = coefficients >> pivot;
        echelon->right_sides[row] =
            static_cast<uint32_t>(word >> (64 - num_columns));
        echelon->columns[row] = full;
        if (number >= num_reached || row >= partial_rows) return;
        echelon->right_sides[row] ^=
            Parity(OfHeader(coefficients, start, partial_rows) & header);
        echelon->columns[row] = all;
      });
  return true;
}

}  // namespace

void LineSolver::RunBand(const Batch& batch) {
  ClearFor(batch);
  std::array<ReachedKeys, kLanes> reached;
  for (uint32_t i = 0, lane = 0; i < batch.size; ++i) {
    Layout layout = batch.lines[i]->layout;
    for (uint32_t end = lane + Tries(batch, i); lane < end;
         ++lane, ++layout.seed) {
      reached[lane] = FillBandLane(KeysOf(*batch.lines[i]), layout, solver_,
                                   lane, &systems_);
    }
  }
  solver_.eliminate_band(&systems_);
  for (uint32_t i = 0, lane = 0; i < batch.size; ++i) {
    Line* const line = batch.lines[i];
    const uint32_t tries = Tries(batch, i);
    const uint32_t found = FindIndependent(lane, tries, line);
    lane += tries;
    if (found == kLanes) continue;
    if (ReadBandLane(systems_, found, reached[found], &line->layout,
                     &echelon_)) {
      WriteBand(*line);
    } else {
      EnqueueNextLayout(line);
    }
  }
}

void LineSolver::WriteBand(const Line& line) {
  const uint32_t rows = line.layout.rows;
  const uint32_t num_columns = line.layout.num_columns();
  solver_.substitute(echelon_, rows, num_columns, &columns_);
  LineWords words{};
  for (uint32_t column = 0; column < num_columns; ++column) {
    for (uint32_t row = 0; row < rows; row += 64) {
      const uint32_t before = column * rows + row;
      if (before >= kLineBits) break;
      PutRows(ReverseBits(columns_.words[row / 64][num_columns - 1 - column]),
              kLineBits - 1 - before, &words);
    }
  }
  WriteLine(words, line.layout, line.bytes);
}

}  // namespace blocked_ribbon
}  // namespace oneline
