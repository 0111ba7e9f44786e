// Tests of table/ribbon_solver/ribbon_solver.h: with each instruction set,
// elimination finds the pivots, and substitution the solution, that a plain
// elimination over whole rows finds.

#include "table/ribbon_solver/ribbon_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_solver/equations.h"
#include "tests/sanitizers.h"
#include "tests/table/random_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// More rows at a time under a sanitizer.
constexpr uint32_t kStep = kSanitized ? 11 : 3;

// Bit m: row m of a column.
using Rows = std::bitset<256>;

struct Equation {
  uint32_t start;
  uint64_t coefficients;
  uint64_t right_sides;  // a bit for each column

  Rows AllRows() const { return Rows(coefficients) << start; }
};

// Linear equations in echelon form, by their lowest row.
class PlainSystem {
 public:
  void Add(Rows rows, uint64_t right_sides) {
    for (uint32_t row = 0; row < rows.size(); ++row) {
      if (!rows[row]) continue;
      if (!equations_[row]) {
        equations_[row] = {rows, right_sides};
        return;
      }
      rows ^= equations_[row]->rows;
      right_sides ^= equations_[row]->right_sides;
    }
  }

  Rows Pivots() const {
    Rows pivots;
    for (uint32_t row = 0; row < 256; ++row) {
      pivots[row] = equations_[row].has_value();
    }
    return pivots;
  }

  // Rows that are no pivots are 0.
  Rows Solution(uint32_t column) const {
    Rows solution;
    for (uint32_t row = 256; row-- > 0;) {
      if (!equations_[row]) continue;
      solution[row] = ((equations_[row]->rows & solution).count() +
                       (equations_[row]->right_sides >> column)) %
                          2 !=
                      0;
    }
    return solution;
  }

 private:
  struct Reduced {
    Rows rows;
    uint64_t right_sides;
  };
  std::optional<Reduced> equations_[256];
};

PlainSystem Eliminated(const std::vector<Equation>& equations) {
  PlainSystem plain;
  for (const Equation& equation : equations) {
    plain.Add(equation.AllRows(), equation.right_sides);
  }
  return plain;
}

// Equations for so many rows, by ascending starts, that have a solution. Some
// have few coefficients, so that some depend on others.
std::vector<Equation> RandomEquations(uint32_t n, uint32_t rows,
                                      std::mt19937_64& random) {
  std::vector<Rows> solution(64 - kWindowRows);
  for (Rows& column : solution) {
    for (uint32_t row = 0; row < rows; ++row) column[row] = random() % 2 != 0;
  }
  std::vector<Equation> equations(n);
  const uint32_t num_windows = NumWindows(rows);
  for (Equation& equation : equations) {
    equation.start =
        WindowStart(rows, static_cast<uint32_t>(random() % num_windows));
    equation.coefficients =
        RandomWord(1 + random() % 8, random) & CoefficientMask(rows);
    equation.right_sides = 0;
    for (uint32_t column = 0; column < solution.size(); ++column) {
      const size_t sum = (equation.AllRows() & solution[column]).count();
      equation.right_sides |= uint64_t{sum % 2} << column;
    }
  }
  std::stable_sort(
      equations.begin(), equations.end(),
      [](const Equation& a, const Equation& b) { return a.start < b.start; });
  return equations;
}

// Right sides of so many columns have room above the coefficients of any
// window.
constexpr uint32_t kColumns = 64 - kWindowRows;

void PutIntoLane(const std::vector<Equation>& equations, uint32_t lane,
                 Systems* systems) {
  systems->masks[lane] = CoefficientMask(kWindowRows);
  uint32_t& end = systems->ends[lane];
  for (size_t i = 0; i < equations.size(); ++i) {
    if (i > 0 && equations[i].start != equations[i - 1].start) {
      end = (end + kBlock - 1) / kBlock * kBlock;
    }
    systems->starts[end / kBlock][lane] = equations[i].start;
    systems->words[end++][lane] =
        equations[i].coefficients | equations[i].right_sides << kWindowRows;
  }
  end = (end + kBlock - 1) / kBlock * kBlock;
}

// The echelon form of a lane, whose columns have all equations but these.
Echelon EchelonOf(const Systems& systems, uint32_t lane, uint32_t without) {
  Echelon echelon{};
  for (uint32_t i = 0; i < systems.ends[lane]; ++i) {
    const uint64_t word = systems.words[i][lane];
    const uint64_t coefficients = word & CoefficientMask(kWindowRows);
    if (coefficients == 0) continue;
    const auto pivot = static_cast<uint32_t>(__builtin_ctzll(coefficients));
    const uint64_t row = systems.starts[i / kBlock][lane] + pivot;
    echelon.coefficients[row] = coefficients >> pivot;
    echelon.right_sides[row] = static_cast<uint32_t>(word >> kWindowRows);
    echelon.columns[row] = ~without;
  }
  return echelon;
}

class RibbonSolverTest : public testing::TestWithParam<InstructionSet> {
 protected:
  RibbonSolverTest() : systems_(std::make_unique<Systems>()) {}

  void SetUp() override {
    if (!IsSupported(GetParam())) GTEST_SKIP() << "this processor can't run it";
  }

  const Solver& solver() const { return KernelFor(kSolvers, GetParam()); }

  // Each lane has equations of its own, one of them none.
  void Fill(uint32_t rows) {
    Clear(kMaxEquations, NumWindows(kMaxRows), systems_.get());
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto n = static_cast<uint32_t>(random_() % (rows + 1));
      equations_[lane] = RandomEquations(lane == 5 ? 0 : n, rows, random_);
      PutIntoLane(equations_[lane], lane, systems_.get());
    }
  }

  // An equation that depends on earlier ones has right sides left if it
  // contradicts them, else nothing.
  void ExpectRanksAndWhatIsLeft() const {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto rank = Eliminated(equations_[lane]).Pivots().count();
      ASSERT_EQ(systems_->ranks[lane], rank);
      ASSERT_EQ(systems_->left[lane], rank);
    }
  }

  void ExpectSolutions(uint32_t rows) const {
    Columns columns;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const PlainSystem plain = Eliminated(equations_[lane]);
      // Column 1 has no equations.
      const Echelon echelon = EchelonOf(*systems_, lane, 2);
      for (uint32_t num_columns = 1; num_columns <= kColumns; ++num_columns) {
        solver().substitute(echelon, rows, num_columns, &columns);
        for (uint32_t column = 0; column < num_columns; ++column) {
          const Rows solution = column == 1 ? Rows() : plain.Solution(column);
          for (uint32_t row = 0; row < rows; ++row) {
            ASSERT_EQ(columns.words[row / 64][column] >> (row % 64) & 1,
                      solution[row] ? 1u : 0u)
                << rows << " rows, lane " << lane << ", column " << column
                << " of " << num_columns;
          }
        }
      }
    }
  }

  std::mt19937_64 random_ = TestRandom();
  std::unique_ptr<Systems> systems_;
  std::vector<Equation> equations_[kLanes];
};

TEST_P(RibbonSolverTest, Dense) {
  for (uint32_t rows = 1; rows <= kWindowRows; rows += kStep) {
    Fill(rows);
    solver().eliminate_dense(systems_.get());
    ExpectRanksAndWhatIsLeft();
    ExpectSolutions(rows);
  }
}

// Equal equations are told from those that contradict others.
TEST_P(RibbonSolverTest, WhatIsLeftOfEqualEquations) {
  for (const bool band : {false, true}) {
    for (const uint64_t right_sides : {5, 7}) {
      Clear(kMaxEquations, NumWindows(kMaxRows), systems_.get());
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        PutIntoLane({{0, 9, 4}, {0, 3, 2}, {0, 9 ^ 3, 6}, {0, 9, right_sides}},
                    lane, systems_.get());
      }
      if (band) {
        solver().eliminate_band(systems_.get());
      } else {
        solver().eliminate_dense(systems_.get());
      }
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        EXPECT_EQ(systems_->ranks[lane], 2u);
        EXPECT_EQ(systems_->left[lane], 3u);
      }
    }
  }
}

TEST_P(RibbonSolverTest, Band) {
  for (uint32_t rows = 1; rows <= kMaxRows; rows += kStep) {
    Fill(rows);
    solver().eliminate_band(systems_.get());
    ExpectRanksAndWhatIsLeft();
    ExpectSolutions(rows);
  }
}

TEST_P(RibbonSolverTest, Transpose) {
  const auto square = std::make_unique<Square>();
  const auto transposed = std::make_unique<Square>();
  for (auto& word : square->words) {
    for (uint64_t& lane : word) lane = random_();
  }
  *transposed = *square;
  solver().transpose(transposed.get());
  for (uint32_t i = 0; i < 64; ++i) {
    for (uint32_t j = 0; j < 64; ++j) {
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        ASSERT_EQ(transposed->words[j][lane] >> i & 1,
                  square->words[i][lane] >> j & 1)
            << i << " " << j << " " << lane;
      }
    }
  }
}

// Lanes of fewer rows than asked for, too; column 0 with some equations only.
TEST_P(RibbonSolverTest, SubstituteDense) {
  const auto square = std::make_unique<Square>();
  for (uint32_t rows = 1; rows <= kWindowRows; rows += kStep) {
    for (uint32_t num_columns : {1u, 2u, 5u, 8u, 15u, 33u}) {
      *square = {};
      DenseColumns columns{};
      alignas(64) uint64_t pivots_of_0[kLanes];
      // [0]: of column 0.
      std::array<std::array<PlainSystem, 2>, kLanes> systems;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const auto lane_rows = 1 + static_cast<uint32_t>(random_() % rows);
        pivots_of_0[lane] = random_();
        for (uint32_t row = 0; row < lane_rows; ++row) {
          if (random_() % 8 == 0) continue;  // a row that is free
          const uint64_t coefficients =
              (random_() << row | uint64_t{1} << row) &
              CoefficientMask(lane_rows);
          const uint64_t right_sides = random_();
          square->words[63 - row][lane] = coefficients;
          const bool has_0 = (pivots_of_0[lane] >> (63 - row) & 1) != 0;
          for (uint32_t c = 0; c < num_columns; ++c) {
            const bool right_side = (right_sides >> c & 1) != 0;
            if (right_side && (c > 0 || has_0)) {
              columns.words[c][lane] |= uint64_t{1} << (63 - row);
            }
          }
          systems[lane][1].Add(Rows(coefficients), right_sides);
          if (has_0) systems[lane][0].Add(Rows(coefficients), right_sides);
        }
      }
      solver().transpose(square.get());
      solver().substitute_dense(*square, rows, pivots_of_0, num_columns,
                                &columns);
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        for (uint32_t c = 0; c < num_columns; ++c) {
          const Rows solution = systems[lane][c > 0 ? 1 : 0].Solution(c);
          for (uint32_t row = 0; row < 64; ++row) {
            ASSERT_EQ(columns.words[c][lane] >> (63 - row) & 1,
                      solution[row] ? 1u : 0u)
                << rows << " rows, lane " << lane << ", column " << c << " of "
                << num_columns;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RibbonSolverTest, testing::ValuesIn(AllSets()),
                         [](const auto& test) { return NameOf(test.param); });

// What a comparison reads of lanes with fewer equations than others is the same
// whatever the memory held before.
TEST(SystemsTest, ClearingLeavesNothingOfWhatWasThere) {
  const auto systems = std::make_unique<std::array<Systems, 2>>();
  for (const uint32_t num_keys : {0u, 1u, 37u, 192u}) {
    for (const uint32_t num_windows : {1u, 9u}) {
      Systems& a = (*systems)[0];
      Systems& b = (*systems)[1];
      std::memset(&a, 0x00, sizeof(a));
      std::memset(&b, 0xff, sizeof(b));
      Clear(num_keys, num_windows, &a);
      Clear(num_keys, num_windows, &b);
      const uint32_t blocks = (num_keys + kBlock - 1) / kBlock + num_windows;
      EXPECT_EQ(std::memcmp(a.ends, b.ends, sizeof(a.ends)), 0);
      EXPECT_EQ(std::memcmp(a.starts, b.starts, blocks * sizeof(a.starts[0])),
                0);
      const size_t equations = (num_keys + num_windows * kBlock);
      EXPECT_EQ(std::memcmp(a.words, b.words, equations * sizeof(a.words[0])),
                0);
    }
  }
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
