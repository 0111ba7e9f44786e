#include "table/ribbon/equations.h"

#include <algorithm>
#include <cstddef>

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kMaxWindows = NumWindows(kMaxRows);

// Empty equations from `num_equations` on, up to the end of the last block of
// four.
void EndLane(uint32_t num_equations, uint32_t lane, Systems* systems) {
  for (uint32_t i = num_equations; i < systems->num_equations + 3; ++i) {
    systems->coefficients[i][lane] = 0;
    systems->right_sides[i][lane] = 0;
    systems->starts[i][lane] = 0;
  }
}

// Equations on their way into a lane, sorted by their windows.
class ByWindow {
 public:
  void Add(uint32_t window, uint64_t coefficients, uint64_t hash) {
    windows_[size_] = static_cast<uint8_t>(window);
    coefficients_[size_] = coefficients;
    hashes_[size_++] = hash;
    ++next_[window + 1];
  }

  uint32_t size() const { return size_; }

  // Calls visit(place, window, coefficients, hash) for each equation; places
  // ascend with the windows.
  template <typename Visit>
  void ForEach(Visit visit) {
    for (uint32_t i = 1; i < kMaxWindows; ++i) {
      next_[i] = static_cast<uint16_t>(next_[i] + next_[i - 1]);
    }
    for (uint32_t i = 0; i < size_; ++i) {
      visit(uint32_t{next_[windows_[i]]++}, windows_[i], coefficients_[i],
            hashes_[i]);
    }
  }

 private:
  uint32_t size_ = 0;
  // Left as they are until they are used: zeroing them would take as long as
  // filling them.
  uint64_t coefficients_[kMaxEquations];
  uint64_t hashes_[kMaxEquations];
  uint8_t windows_[kMaxEquations];
  // [window + 1]: how many have this window; then [window]: where the next
  // goes.
  uint16_t next_[kMaxWindows + 1] = {};
};

std::array<uint32_t, kMaxWindows> WindowStarts(const Layout& layout) {
  std::array<uint32_t, kMaxWindows> starts;
  for (uint32_t i = 0; i < layout.row().num_windows; ++i) {
    starts[i] = WindowStart(layout.rows, i);
  }
  return starts;
}

// The equations of a line's partial column.
class PartialColumn {
 public:
  PartialColumn(const Layout& layout, uint32_t reach)
      : rows_(layout.partial_rows()),
        position_(kLineBits - 1 - layout.full_columns() * layout.rows) {
    Layout header = layout;
    header.reach = reach;
    for (uint32_t i = 0; i < kHeaderBits; ++i) {
      reversed_header_ |= uint64_t{header.header() >> i & 1}
                          << (kHeaderBits - 1 - i);
    }
  }

  uint32_t rows() const { return rows_; }

  bool IsReachedFrom(uint32_t start) const {
    return ReachesPartial(start, rows_);
  }

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
    return ExpectedBit(KeyBits(hash), position_ - start) ^
           static_cast<uint32_t>(
               __builtin_parityll(of_header & reversed_header_));
  }

 private:
  const uint32_t rows_;
  const uint32_t position_;  // of row 0
  uint64_t reversed_header_ = 0;
};

}  // namespace

void FillEmptyLanes(uint32_t first_lane, Systems* systems) {
  for (uint32_t i = 0; i < systems->num_equations + 3; ++i) {
    std::fill(systems->coefficients[i] + first_lane,
              systems->coefficients[i] + kLanes, 0);
    std::fill(systems->right_sides[i] + first_lane,
              systems->right_sides[i] + kLanes, 0);
    std::fill(systems->starts[i] + first_lane, systems->starts[i] + kLanes, 0);
  }
}

void FillRankLane(const LineKeys& keys, const Layout& layout, uint32_t lane,
                  Systems* systems) {
  const uint32_t header = layout.header();
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    systems->coefficients[i][lane] = Seeded(KeyBits(keys.hashes[i]), header);
  }
  EndLane(keys.num_keys, lane, systems);
}

void FillColumnsLane(const LineKeys& keys, const Layout& layout,
                     const Solver& solver, uint32_t lane, Systems* systems) {
  const uint32_t header = layout.header();
  const RibbonTable::Row& row = layout.row();
  const RibbonTable::Mask* const masks =
      layout.table->masks + 2 * size_t{row.first_window};
  uint64_t hashes[kMaxEquations];
  const uint64_t* masks_of[kMaxEquations];
  if (row.num_windows == 1) {
    std::copy_n(keys.hashes, keys.num_keys, hashes);
    std::fill_n(masks_of, keys.num_keys, masks->words);
    for (uint32_t i = 0; i < keys.num_keys; ++i) {
      systems->coefficients[i][lane] =
          Seeded(KeyBits(hashes[i]), header) & row.coefficient_mask;
      systems->starts[i][lane] = 0;
    }
  } else {
    const std::array<uint32_t, kMaxWindows> starts = WindowStarts(layout);
    ByWindow equations;
    for (uint32_t i = 0; i < keys.num_keys; ++i) {
      const uint64_t seeded = Seeded(KeyBits(keys.hashes[i]), header);
      equations.Add(WindowOf(seeded, row.num_windows), seeded, keys.hashes[i]);
    }
    equations.ForEach([&](uint32_t at, uint32_t window, uint64_t coefficients,
                          uint64_t hash) {
      systems->coefficients[at][lane] = coefficients;
      systems->starts[at][lane] = starts[window];
      hashes[at] = hash;
      masks_of[at] = masks[2 * size_t{window}].words;
    });
  }
  solver.right_sides(hashes, masks_of, keys.num_keys, layout.rows,
                     &systems->right_sides[0][lane]);
  EndLane(keys.num_keys, lane, systems);
}

uint32_t FillPartialLane(const LineKeys& keys, const Layout& layout,
                         uint32_t lane, Systems* systems) {
  const PartialColumn column(layout, layout.reach);
  const uint32_t header = layout.header();
  const RibbonTable::Row& row = layout.row();
  const std::array<uint32_t, kMaxWindows> starts = WindowStarts(layout);
  ByWindow equations;
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint64_t hash = keys.hashes[i];
    if (Group(hash) >= row.group_bound) continue;
    const uint64_t seeded = Seeded(KeyBits(hash), header);
    const uint32_t window = WindowOf(seeded, row.num_windows);
    if (!column.IsReachedFrom(starts[window])) continue;
    equations.Add(window, seeded & row.coefficient_mask, hash);
  }
  equations.ForEach(
      [&](uint32_t at, uint32_t window, uint64_t coefficients, uint64_t hash) {
        const uint32_t start = starts[window];
        systems->coefficients[at][lane] = column.Cut(coefficients, start);
        systems->starts[at][lane] = start;
        systems->right_sides[at][lane] =
            column.RightSide(column.OfHeader(coefficients, start), hash, start);
      });
  EndLane(equations.size(), lane, systems);
  return equations.size();
}

std::array<uint32_t, kReaches> FillAllReachesLane(const LineKeys& keys,
                                                  const Layout& layout,
                                                  uint32_t lane,
                                                  Systems* systems) {
  const PartialColumn column(layout, 0);
  const uint32_t header = layout.header();
  const RibbonTable::Row* const rows = layout.table->rows + (header & 252);
  const uint32_t num_windows = rows->num_windows;
  const std::array<uint32_t, kMaxWindows> starts = WindowStarts(layout);
  // Keys by the shortest reach that asks them; those that none asks are left
  // out.
  uint64_t asked[kMaxEquations];
  uint8_t shortest[kMaxEquations];
  uint32_t num_asked = 0;
  uint32_t next[kReaches + 1] = {};
  const uint32_t bounds[kReaches] = {rows[0].group_bound, rows[1].group_bound,
                                     rows[2].group_bound, rows[3].group_bound};
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint32_t group = Group(keys.hashes[i]);
    const uint32_t reach = (group >= bounds[0] ? 1 : 0) +
                           (group >= bounds[1] ? 1 : 0) +
                           (group >= bounds[2] ? 1 : 0);
    asked[num_asked] = keys.hashes[i];
    shortest[num_asked] = static_cast<uint8_t>(reach);
    num_asked += group < bounds[3] ? 1 : 0;
  }
  if (num_windows > 1) {
    const uint32_t all = num_asked;
    num_asked = 0;
    for (uint32_t i = 0; i < all; ++i) {
      const uint64_t seeded = Seeded(KeyBits(asked[i]), header);
      asked[num_asked] = asked[i];
      shortest[num_asked] = shortest[i];
      num_asked +=
          column.IsReachedFrom(starts[WindowOf(seeded, num_windows)]) ? 1 : 0;
    }
  }
  for (uint32_t i = 0; i < num_asked; ++i) ++next[shortest[i] + 1];
  std::array<uint32_t, kReaches> counts;
  for (uint32_t d = 0; d < kReaches; ++d) {
    next[d + 1] += next[d];
    counts[d] = next[d + 1];
  }
  for (uint32_t i = 0; i < num_asked; ++i) {
    const uint64_t seeded = Seeded(KeyBits(asked[i]), header);
    const uint64_t coefficients = seeded & rows->coefficient_mask;
    const uint32_t start =
        num_windows == 1 ? 0 : starts[WindowOf(seeded, num_windows)];
    const uint64_t of_header = column.OfHeader(coefficients, start);
    // Bits 0 and 1 of the header are the reach; its coefficients, as bits 1 and
    // 0 of this.
    const uint64_t of_reach = of_header >> (kHeaderBits - 2) & 3;
    systems->coefficients[next[shortest[i]]++][lane] =
        column.Cut(coefficients, start) << start |
        column.RightSide(of_header, asked[i], start) << 63 | of_reach << 61;
  }
  EndLane(counts[kReaches - 1], lane, systems);
  return counts;
}

bool ReadEchelon(const Systems& systems, uint32_t lane, uint32_t num_equations,
                 uint32_t rows, Echelon* echelon) {
  std::fill_n(echelon->coefficients, rows, 0);
  std::fill_n(echelon->right_sides, rows, 0);
  for (uint32_t i = 0; i < num_equations; ++i) {
    const uint64_t c = systems.coefficients[i][lane];
    const auto right_side = static_cast<uint32_t>(systems.right_sides[i][lane]);
    if (c == 0) {
      if (right_side != 0) return false;
      continue;
    }
    const auto pivot = static_cast<uint32_t>(__builtin_ctzll(c));
    const uint64_t row = systems.starts[i][lane] + pivot;
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
