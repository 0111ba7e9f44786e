// The model of false positives of the blocked Ribbon.
//
// A line is eliminated row by row. With m equations at hand, none of which has
// been a pivot, a row finds no pivot, and stays free, with probability 2^-m.
// The line is solved if no more rows stay free than it has rows over keys. Rows
// stay free at the end, where few equations are left; that they don't in the
// beginning, the windows that count twice in ribbon_line.h see to.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "table/ribbon_line/ribbon_line.h"
#include "tools/models/kind_model.h"

namespace oneline {
namespace {

using namespace blocked_ribbon;

constexpr uint32_t kMaxFree = 16;  // more free rows than this don't matter
using FreeRows =
    std::array<double, kMaxFree + 1>;  // [f]: the probability of f free rows;
                                       // the last: or more

// No more than f rows stay free with probability prod_{i > f} (1 - 2^-i).
FreeRows Free(uint32_t num_equations) {
  FreeRows free = {};
  double at_most = 1;
  for (uint32_t i = kMaxFree; i-- > 0;) {
    const double below =
        num_equations == 0
            ? 1
            : at_most * (1 - std::exp2(-static_cast<double>(i + 1)));
    free[i + 1] = at_most - below;
    at_most = below;
  }
  free[0] = at_most;
  return free;
}

// [n]: that n equations with random right sides contradict nothing, for n up to
// num_equations: an equation that depends on those before it still has the
// right side that they ask for with probability 1/2.
std::vector<double> Solvable(uint32_t num_equations, uint32_t rows) {
  // With so many rows to spare, what depends is too little for a double to
  // show, now and in what comes of it.
  constexpr uint32_t kNoneDepends = 128;
  std::vector<double> solvable(num_equations + 1);
  // [d]: the probability of d dependent equations so far, none of them a
  // contradiction.
  std::array<double, 12> dependent = {1};
  const uint32_t first =
      std::min(rows - std::min(rows, kNoneDepends), num_equations + 1);
  std::fill_n(solvable.begin(), first, 1.0);
  for (uint32_t i = first; i <= num_equations; ++i) {
    for (double p : dependent) solvable[i] += p;
    if (solvable[i] == 0) break;  // it stays so
    // 2^-(rows - rank), where the rank of i equations is i - d.
    double depends = std::ldexp(
        1.0, static_cast<int>(i) - static_cast<int>(rows + dependent.size()));
    for (size_t d = dependent.size(); d-- > 0;) {
      depends = std::min(2 * depends, 1.0);
      if (d + 1 < dependent.size())
        dependent[d + 1] += dependent[d] * depends / 2;
      dependent[d] *= 1 - depends;
    }
  }
  return solvable;
}

// The same for each number of rows, worked out once: lines of nearly as many
// keys ask for the same ones.
class SolvableByRows {
 public:
  explicit SolvableByRows(uint32_t most_equations)
      : most_equations_(most_equations) {}

  const std::vector<double>& operator()(uint32_t rows) {
    std::vector<double>& solvable = by_rows_[rows];
    if (solvable.empty()) solvable = Solvable(most_equations_, rows);
    return solvable;
  }

 private:
  const uint32_t most_equations_;
  std::map<uint32_t, std::vector<double>> by_rows_;
};

struct PartialColumn {
  double solvable;  // that its shortest reach has a solution
  double reached;   // then: the share of keys that have an equation in it
};

PartialColumn ModelPartialColumn(uint32_t num_keys, uint32_t rows,
                                 uint32_t partial_rows,
                                 SolvableByRows* solvable_by_rows) {
  if (partial_rows == 0) return {1, 0};
  const std::vector<double>& solvable = (*solvable_by_rows)(partial_rows);
  PartialColumn column = {0, 0};
  double last_share = 0;
  for (uint32_t reach = 0; reach < kReaches; ++reach) {
    const double share =
        ReachBound(rows, partial_rows, reach) / (256.0 * NumWindows(rows));
    double p = share > 0 ? 0 : 1;
    if (share >= 1) p = solvable[num_keys];
    if (share > 0 && share < 1) {
      double weight =
          std::exp(num_keys * std::log1p(-share));  // of n equations, binomial
      for (uint32_t n = 0; n <= num_keys; ++n) {
        const double before = p;
        p += weight * solvable[n];
        // What follows is smaller still.
        if (p == before && n > num_keys * share) break;
        weight *= (num_keys - n) * share / ((n + 1) * (1 - share));
      }
    }
    if (reach == 0) column.solvable = p;
    column.reached += p * (share - last_share);
    last_share = share;
  }
  if (column.solvable > 0) column.reached /= column.solvable;
  return column;
}

// One seed of a line of up to kWindowRows rows, row by row.
class SeedModel {
 public:
  explicit SeedModel(uint32_t num_keys)
      : num_keys_(num_keys), free_(Free(num_keys)) {}

  // That the keys' equations are independent in so many rows.
  double Independent(uint32_t rows) const {
    const uint32_t spare = std::min(rows - num_keys_, kMaxFree - 1);
    double p = 0;
    for (uint32_t f = 0; f <= spare; ++f) p += free_[f];
    return p;
  }

  // Adds the next row. Returns the probability that the seed has solved the
  // line with none of the rows so far. One more row keeps all other
  // coefficients: equations that were independent stay so.
  double AddRow(uint32_t rows, double partial_solvable) {
    const double dependent = 1 - Independent(rows);
    rejected_ = (rejected_ + dependent_ - dependent) * (1 - partial_solvable);
    dependent_ = dependent;
    return dependent_ + rejected_;
  }

 private:
  const uint32_t num_keys_;
  const FreeRows free_;
  double dependent_ = 1;  // the equations are dependent still
  double rejected_ = 0;   // independent, but the partial column had no solution
                          // so far
};

// Of a line that holds so many keys. 1: no such line is solved.
// REQUIRES: solvable_by_rows for num_keys or more.
double LineFpRate(uint32_t num_keys, uint8_t parameter,
                  SolvableByRows* solvable_by_rows) {
  SeedModel seed(num_keys);
  double rate = 0;
  double unsolved = 1;
  double unsolved_in_windows = 1;  // with kWindowRows rows or fewer
  double unsolved_above = 1;       // with all numbers of rows above these
  const uint32_t first_rows = std::max<uint32_t>({num_keys, parameter, 1});
  for (uint32_t rows = first_rows; rows < parameter + kUnsolved; ++rows) {
    const uint32_t full = FullColumns(rows);
    const uint32_t partial_rows = PartialRows(rows);
    const PartialColumn partial =
        ModelPartialColumn(num_keys, rows, partial_rows, solvable_by_rows);
    if (rows <= kWindowRows) {
      unsolved_in_windows =
          std::pow(seed.AddRow(rows, partial.solvable), kMaxSeeds);
    } else {
      // One more row moves the windows: a new throw.
      unsolved_above *=
          std::pow(1 - seed.Independent(rows) * partial.solvable, kMaxSeeds);
    }
    const double still =
        std::min(unsolved, unsolved_in_windows * unsolved_above);
    const double solved_rate =
        std::exp2(-static_cast<double>(full)) * (1 - partial.reached / 2);
    rate += (unsolved - still) * solved_rate;
    unsolved = still;
    if (unsolved < 1e-5 || rows == first_rows + kMaxFree - 2) {
      return rate + unsolved * solved_rate;
    }
  }
  return rate + unsolved;
}

}  // namespace

double BlockedRibbonFpRate(double bits_per_key, uint8_t parameter) {
  const double mean_keys = static_cast<double>(kLineBits) / bits_per_key;
  const double deviation = std::sqrt(mean_keys);
  const auto first =
      static_cast<uint32_t>(std::max(0.0, mean_keys - 6 * deviation));
  const auto last = static_cast<uint32_t>(mean_keys + 8 * deviation + 10);
  SolvableByRows solvable_by_rows(last);
  double rate = 0, weights = 0;
  for (uint32_t n = first; n <= last; ++n) {
    const double weight = Poisson(n, mean_keys);
    weights += weight;
    if (weight > 1e-9) {
      rate += weight * LineFpRate(n, parameter, &solvable_by_rows);
    }
  }
  return rate / weights;
}

}  // namespace oneline
