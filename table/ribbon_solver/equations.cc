#include "table/ribbon_solver/equations.h"

#include <algorithm>
#include <cstddef>

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kMaxWindows = NumWindows(kMaxRows);

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

// Calls visit(window, keys) with the keys of each window, by ascending starts;
// windows of one start count as the first of them.
template <typename Visit>
void ForEachWindow(const LineKeys& keys, const Layout& layout, Visit visit) {
  const uint32_t header = layout.header();
  const uint32_t num_windows = layout.row().num_windows;
  if (num_windows == 1) return visit(0, keys);
  // Those of one window, and those of later ones. Which ones is random, so it
  // takes no branch.
  uint64_t of_window[kMaxEquations + 1];
  uint64_t rest[kMaxEquations + 1];
  LineKeys left = keys;
  for (uint32_t window = 0, next = 0;; window = next) {
    const uint32_t start = WindowStart(layout.rows, window);
    while (next < num_windows && WindowStart(layout.rows, next) == start) {
      ++next;
    }
    if (next == num_windows) return visit(window, left);
    uint32_t n = 0;
    uint32_t num_rest = 0;
    for (uint32_t i = 0; i < left.num_keys; ++i) {
      const uint64_t hash = left.hashes[i];
      const uint64_t seeded = Seeded(LineMix(hash), header);
      const uint32_t is_later = WindowOf(seeded, num_windows) >= next ? 1 : 0;
      of_window[n] = hash;
      rest[num_rest] = hash;
      n += 1 - is_later;
      num_rest += is_later;
    }
    visit(window, LineKeys{of_window, n});
    left = {rest, num_rest};
  }
}

// The equations of a line's partial column.
class PartialColumn {
 public:
  PartialColumn(const Layout& layout, uint32_t reach)
      : rows_(layout.partial_rows()),
        position_(kLineBits - 1 - layout.full_columns() * layout.rows),
        reversed_header_(ReversedHeader(layout, reach)) {}

  uint32_t rows() const { return rows_; }

  // A window's coefficients, cut to the rows that are there.
  uint64_t Cut(uint64_t coefficients, uint32_t start) const {
    return coefficients & CoefficientMask(rows_ - start);
  }

  // The product that a reader makes goes on below the column's last row: these
  // are the coefficients of the header's bits, that of its highest bit lowest.
  uint64_t OfHeader(uint64_t coefficients, uint32_t start) const {
    const uint32_t rows = rows_ - start;
    return rows < 64 ? coefficients >> rows : 0;
  }

  // What is left for the column itself of the key's expected bit.
  uint64_t RightSide(uint64_t of_header, uint64_t hash, uint32_t start) const {
    return ExpectedBit(LineMix(hash), position_ - start) ^
           static_cast<uint32_t>(
               __builtin_parityll(of_header & reversed_header_));
  }

 private:
  const uint32_t rows_;
  const uint32_t position_;  // of row 0
  const uint64_t reversed_header_;
};

std::array<uint32_t, kMaxWindows> WindowStarts(const Layout& layout) {
  std::array<uint32_t, kMaxWindows> starts;
  for (uint32_t i = 0; i < layout.row().num_windows; ++i) {
    starts[i] = WindowStart(layout.rows, i);
  }
  return starts;
}

// Copies the hashes of the keys that a partial column asks: those of groups
// below the bound whose windows reach it. Returns how many these are.
uint32_t CopyAsked(const LineKeys& keys, const Layout& layout,
                   uint32_t group_bound, uint64_t* hashes) {
  const uint32_t header = layout.header();
  const uint32_t num_windows = layout.row().num_windows;
  // The first ones reach it.
  const uint32_t reaching = PartialWindows(layout.rows, layout.partial_rows());
  uint32_t n = 0;
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint64_t hash = keys.hashes[i];
    const uint64_t seeded = Seeded(LineMix(hash), header);
    hashes[n] = hash;
    const uint32_t is_asked = Group(hash) < group_bound ? 1 : 0;
    n += WindowOf(seeded, num_windows) < reaching ? is_asked : 0;
  }
  return n;
}

}  // namespace

uint64_t ReversedHeader(const Layout& layout, uint32_t reach) {
  Layout header = layout;
  header.reach = reach;
  return ReverseBits(header.header()) >> (64 - kHeaderBits);
}

void Clear(uint32_t num_keys, uint32_t num_windows, bool with_right,
           Systems* systems) {
  // Each window may leave a block that is not full.
  const uint32_t n = (num_keys + num_windows * kBlock) * kLanes;
  std::fill_n(systems->coefficients[0], n, 0);
  if (with_right) std::fill_n(systems->right_sides[0], n, 0);
  // A lane may have fewer blocks than others, whose comparison reads its, too.
  const uint32_t num_blocks = (num_keys + kBlock - 1) / kBlock + num_windows;
  std::fill_n(systems->starts[0], num_blocks * kLanes, 0);
  std::fill_n(systems->ends, kLanes, 0);
}

void FillColumnsLane(const LineKeys& all, const Layout& layout,
                     const Solver& solver, uint32_t lane, Systems* systems) {
  const uint32_t header = layout.header();
  const RibbonMasks::Row& row = layout.row();
  ForEachWindow(all, layout, [&](uint32_t window, const LineKeys& keys) {
    const uint32_t start = WindowStart(layout.rows, window);
    const uint32_t first = Append(keys.num_keys, start, lane, systems);
    for (uint32_t i = 0; i < keys.num_keys; ++i) {
      systems->coefficients[first + i][lane] =
          Seeded(LineMix(keys.hashes[i]), header) & row.coefficient_mask;
    }
    const size_t mask = 2 * (size_t{row.first_window} + window);
    uint32_t right_sides[kMaxEquations];
    solver.right_sides(keys.hashes, layout.table->masks()[mask].words,
                       keys.num_keys, layout.rows, right_sides);
    for (uint32_t i = 0; i < keys.num_keys; ++i) {
      systems->right_sides[first + i][lane] = right_sides[i];
    }
  });
}

void FillPartialLane(const LineKeys& all, const Layout& layout, uint32_t lane,
                     Systems* systems) {
  const PartialColumn column(layout, layout.reach);
  const uint32_t header = layout.header();
  const RibbonMasks::Row& row = layout.row();
  uint64_t hashes[kMaxEquations];
  const LineKeys asked = {hashes,
                          CopyAsked(all, layout, row.group_bound, hashes)};
  ForEachWindow(asked, layout, [&](uint32_t window, const LineKeys& keys) {
    const uint32_t start = WindowStart(layout.rows, window);
    const uint32_t first = Append(keys.num_keys, start, lane, systems);
    for (uint32_t i = 0; i < keys.num_keys; ++i) {
      const uint64_t coefficients =
          Seeded(LineMix(keys.hashes[i]), header) & row.coefficient_mask;
      systems->coefficients[first + i][lane] = column.Cut(coefficients, start);
      systems->right_sides[first + i][lane] = column.RightSide(
          column.OfHeader(coefficients, start), keys.hashes[i], start);
    }
  });
}

std::array<uint32_t, kReaches> FillAllReachesLane(const LineKeys& all,
                                                  const Layout& layout,
                                                  uint32_t lane,
                                                  Systems* systems) {
  const PartialColumn column(layout, 0);
  const uint32_t header = layout.header();
  const RibbonMasks::Row* const rows = layout.table->rows + (header & 252);
  const std::array<uint32_t, kMaxWindows> starts = WindowStarts(layout);
  uint64_t hashes[kMaxEquations];
  const LineKeys keys = {
      hashes, CopyAsked(all, layout, rows[kReaches - 1].group_bound, hashes)};
  std::array<uint32_t, kReaches> counts = {};
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint32_t group = Group(hashes[i]);
#pragma GCC unroll 4
    for (uint32_t d = 0; d < kReaches; ++d) {
      counts[d] += group < rows[d].group_bound ? 1 : 0;
    }
  }
  // By the shortest reach that has an equation: where the next such one goes.
  uint32_t next[kReaches] = {0, counts[0], counts[1], counts[2]};
  Append(keys.num_keys, 0, lane, systems);
  systems->masks[lane] = ~kTopMask;
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint32_t group = Group(hashes[i]);
    uint32_t shortest = 0;
#pragma GCC unroll 3
    for (uint32_t d = 0; d + 1 < kReaches; ++d) {
      shortest += group >= rows[d].group_bound ? 1 : 0;
    }
    const uint64_t seeded = Seeded(LineMix(hashes[i]), header);
    const uint64_t coefficients = seeded & rows->coefficient_mask;
    const uint32_t start = starts[WindowOf(seeded, rows->num_windows)];
    const uint64_t of_header = column.OfHeader(coefficients, start);
    // Bits 0 and 1 of the header are the reach; its coefficients, as bits 1 and
    // 0 of this.
    const uint64_t of_reach = of_header >> (kHeaderBits - 2) & 3;
    systems->coefficients[next[shortest]++][lane] =
        column.Cut(coefficients, start) << start |
        column.RightSide(of_header, hashes[i], start) << 63 | of_reach << 61;
  }
  return counts;
}

bool ReadEchelon(const Systems& systems, uint32_t lane, uint32_t rows,
                 Echelon* echelon) {
  std::fill_n(echelon->coefficients, rows, 0);
  std::fill_n(echelon->right_sides, rows, 0);
  for (uint32_t i = 0; i < systems.ends[lane]; ++i) {
    const uint64_t c = systems.coefficients[i][lane];
    const auto right_side = static_cast<uint32_t>(systems.right_sides[i][lane]);
    if (c == 0) {
      if (right_side != 0) return false;
      continue;
    }
    const auto pivot = static_cast<uint32_t>(__builtin_ctzll(c));
    const uint64_t row = systems.starts[i / kBlock][lane] + pivot;
    echelon->coefficients[row] = c >> pivot;
    echelon->right_sides[row] = right_side;
  }
  return true;
}

bool ReadTopEchelon(const Systems& systems, uint32_t lane,
                    uint32_t num_equations, uint32_t rows, uint32_t reach,
                    Echelon* echelon) {
  std::fill_n(echelon->coefficients, rows, 0);
  std::fill_n(echelon->right_sides, rows, 0);
  for (uint32_t i = 0; i < num_equations; ++i) {
    const uint64_t c = systems.coefficients[i][lane] & ~kTopMask;
    const uint64_t right_side =
        TopRightSide(systems.coefficients[i][lane], reach);
    if (c == 0) {
      if (right_side != 0) return false;
      continue;
    }
    const auto pivot = static_cast<uint32_t>(__builtin_ctzll(c));
    echelon->coefficients[pivot] = c >> pivot;
    echelon->right_sides[pivot] = static_cast<uint32_t>(right_side);
  }
  return true;
}

}  // namespace blocked_ribbon
}  // namespace oneline
