#include "table/ribbon/ribbon_lanes.h"

#include <algorithm>

namespace oneline {
namespace blocked_ribbon {
namespace {

// No equations from `num_equations` on, up to the end of the last block of
// four.
void EndLane(uint32_t num_equations, uint32_t lane, Systems* systems) {
  for (uint32_t i = num_equations; i < systems->num_equations + 3; ++i) {
    systems->coefficients[i][lane] = 0;
    systems->right_sides[i][lane] = 0;
    systems->starts[i][lane] = 0;
  }
}

// Equations on their way into a lane, sorted by their starts.
class BandEquations {
 public:
  explicit BandEquations(uint32_t rows) : rows_(rows) {}

  void Add(uint64_t seeded, uint64_t right_side) {
    const uint32_t start = WindowStart(Place(seeded), rows_);
    seeded_[size_] = seeded;
    right_sides_[size_] = right_side;
    starts_[size_++] = static_cast<uint16_t>(start);
    ++next_[start + 1];
  }

  uint32_t PutInto(uint32_t lane, Systems* systems) {
    for (uint32_t start = 1; start <= rows_ - kWindowRows; ++start) {
      next_[start] = static_cast<uint16_t>(next_[start] + next_[start - 1]);
    }
    for (uint32_t i = 0; i < size_; ++i) {
      const uint32_t at = next_[starts_[i]]++;
      systems->coefficients[at][lane] = Coefficients(seeded_[i]);
      systems->starts[at][lane] = starts_[i];
      systems->right_sides[at][lane] = right_sides_[i];
    }
    EndLane(size_, lane, systems);
    return size_;
  }

 private:
  const uint32_t rows_;
  uint32_t size_ = 0;
  // Left as they are until they are used: zeroing them would take as long as
  // filling them.
  uint64_t seeded_[kMaxEquations];
  uint64_t right_sides_[kMaxEquations];
  uint16_t starts_[kMaxEquations];
  // [start + 1]: how many have this start; then [start]: where the next goes.
  uint16_t next_[kMaxRows - kWindowRows + 2] = {};
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

void FillDenseLane(const LineKeys& keys, uint32_t seed, bool with_right_sides,
                   uint32_t lane, Systems* systems) {
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    systems->coefficients[i][lane] =
        Coefficients(Seeded(keys.coefficient_bits[i], seed));
  }
  if (with_right_sides) {
    for (uint32_t i = 0; i < keys.num_keys; ++i) {
      systems->right_sides[i][lane] = keys.fingerprint_bits[i];
    }
  }
  EndLane(keys.num_keys, lane, systems);
}

void FillBandLane(const LineKeys& keys, const Layout& layout, uint32_t lane,
                  Systems* systems) {
  BandEquations equations(layout.rows);
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    equations.Add(Seeded(keys.coefficient_bits[i], layout.seed),
                  keys.fingerprint_bits[i]);
  }
  equations.PutInto(lane, systems);
}

uint32_t FillPartialBandLane(const LineKeys& keys, const Layout& layout,
                             uint32_t lane, Systems* systems) {
  const uint32_t partial_rows = layout.partial_rows();
  const uint32_t column = layout.full_columns();
  BandEquations equations(partial_rows);
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint64_t fingerprint_bits = keys.fingerprint_bits[i];
    if (!Reaches(Group(fingerprint_bits), layout.reach, layout.rows,
                 partial_rows)) {
      continue;
    }
    equations.Add(Seeded(keys.coefficient_bits[i], layout.seed),
                  fingerprint_bits >> column & 1);
  }
  return equations.PutInto(lane, systems);
}

std::array<uint32_t, kReaches> FillPartialDenseLane(const LineKeys& keys,
                                                    const Layout& layout,
                                                    uint32_t lane,
                                                    Systems* systems) {
  const uint32_t partial_rows = layout.partial_rows();
  const uint32_t column = layout.full_columns();
  const uint64_t mask = RowMask(partial_rows);
  // Reach d takes the groups below first_bound + 16*d: Reaches, solved for the
  // group.
  const int32_t first_bound =
      static_cast<int32_t>((256 * partial_rows + layout.rows - 1) /
                           layout.rows) -
      40;
  // The shortest reach that takes an equation; kReaches: none does.
  uint8_t shortest[kMaxEquations];
  uint32_t next[kReaches + 2] = {};
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const auto group = static_cast<int32_t>(Group(keys.fingerprint_bits[i]));
    const int32_t steps = (group - first_bound + 16) >> 4;
    shortest[i] = static_cast<uint8_t>(std::clamp(steps, 0, int32_t{kReaches}));
    ++next[shortest[i] + 1];
  }
  std::array<uint32_t, kReaches> counts;
  for (uint32_t d = 0; d < kReaches; ++d) {
    next[d + 1] += next[d];
    counts[d] = next[d + 1];
  }
  for (uint32_t i = 0; i < keys.num_keys; ++i) {
    const uint32_t at = next[shortest[i]]++;
    systems->coefficients[at][lane] =
        (Coefficients(Seeded(keys.coefficient_bits[i], layout.seed)) & mask) |
        (keys.fingerprint_bits[i] >> column << 63);
  }
  // Those that no reach takes are no equations.
  EndLane(counts[kReaches - 1], lane, systems);
  return counts;
}

bool ReadEchelon(const Systems& systems, uint32_t lane, LaneForm form,
                 uint32_t num_equations, uint32_t rows, Echelon* echelon) {
  std::fill_n(echelon->coefficients, rows, 0);
  std::fill_n(echelon->right_sides, rows, 0);
  for (uint32_t i = 0; i < num_equations; ++i) {
    uint64_t c = systems.coefficients[i][lane];
    uint64_t right_side = systems.right_sides[i][lane];
    if (form == LaneForm::kDenseWithTop) {
      right_side = c >> 63;
      c &= ~kRightSideBit;
    }
    if (c == 0) {
      if (static_cast<uint32_t>(right_side) != 0) return false;
      continue;
    }
    const auto pivot = static_cast<uint32_t>(__builtin_ctzll(c));
    const auto start = form == LaneForm::kBand
                           ? static_cast<uint32_t>(systems.starts[i][lane])
                           : 0;
    echelon->coefficients[start + pivot] = c >> pivot;
    echelon->right_sides[start + pivot] = static_cast<uint32_t>(right_side);
  }
  return true;
}

}  // namespace blocked_ribbon
}  // namespace oneline
