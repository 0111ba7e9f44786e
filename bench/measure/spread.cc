#include "bench/measure/spread.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace oneline {
namespace {

double Quantile(double share, const std::vector<double>& sorted) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(rank);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double between = rank - static_cast<double>(below);
  return sorted[below] + between * (sorted[above] - sorted[below]);
}

}  // namespace

Spread SpreadOf(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  return {Quantile(0.25, values), Quantile(0.5, values),
          Quantile(0.75, values)};
}

Spread SpreadOfRatios(const std::vector<double>& values,
                      const std::vector<double>& bases) {
  assert(values.size() == bases.size());
  std::vector<double> ratios;
  for (size_t i = 0; i < values.size(); ++i) {
    ratios.push_back(values[i] / bases[i]);
  }
  return SpreadOf(std::move(ratios));
}

bool IsChance(const Spread& ratios, const Spread& equals) {
  // Half as much is as far from 1 as twice as much.
  const auto distance = [](double ratio) { return std::abs(std::log(ratio)); };
  return distance(ratios.median) <=
         std::max(distance(equals.lower), distance(equals.upper));
}

double Percentile(double share, std::vector<float>* values) {
  assert(!values->empty());
  const double rank = std::ceil(share * static_cast<double>(values->size()));
  const auto i = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values->begin(), values->begin() + i, values->end());
  return static_cast<double>((*values)[static_cast<size_t>(i)]);
}

}  // namespace oneline
