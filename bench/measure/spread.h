// Medians, quartiles and percentiles of what a program prints itself. Those of
// published results are bench/report/figures.awk's.

#ifndef ONELINE_BENCH_MEASURE_SPREAD_H_
#define ONELINE_BENCH_MEASURE_SPREAD_H_

#include <algorithm>
#include <cassert>
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

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_SPREAD_H_
