// Medians, quartiles and percentiles of what a program prints itself. Those of
// published results are bench/report/figures.awk's.

#ifndef ONELINE_BENCH_MEASURE_SPREAD_H_
#define ONELINE_BENCH_MEASURE_SPREAD_H_

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace oneline {

// Interpolated between two of the values if it falls between them. REQUIRES: at
// least one value, no NaN.
inline double Quantile(double share, std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(rank);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] +
         (rank - static_cast<double>(below)) * (values[above] - values[below]);
}

// The smallest of the values that at least `share` of them, 0 to 1, do not
// exceed (nearest rank). Reorders them. REQUIRES: at least one value.
inline double Percentile(double share, std::vector<float>* values) {
  assert(!values->empty());
  const double rank = std::ceil(share * static_cast<double>(values->size()));
  const auto i = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values->begin(), values->begin() + i, values->end());
  return static_cast<double>((*values)[static_cast<size_t>(i)]);
}

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_SPREAD_H_
