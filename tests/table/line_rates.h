// From the false-positive rates of a filter's lines to that of the filter, and
// how far it may be from what the model expects.

#ifndef ONELINE_TESTS_TABLE_LINE_RATES_H_
#define ONELINE_TESTS_TABLE_LINE_RATES_H_

#include <cmath>
#include <cstddef>
#include <vector>

namespace oneline {

struct LineRates {
  std::vector<double> rate;
  std::vector<double> keys;  // of the same lines

  static double Mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }

  // The standard error of the mean rate. The numbers of keys of lines vary, but
  // not their sum. So of the variance of a line's rate only that part counts
  // which the line's number of keys does not explain (linearly):
  // Var(rate) - Cov(rate, keys)^2 / Var(keys).
  double ErrorOfMean() const {
    const double mean_rate = Mean(rate);
    const double mean_keys = Mean(keys);
    double rate2 = 0, keys2 = 0, product = 0;
    for (size_t i = 0; i < rate.size(); ++i) {
      const double r = rate[i] - mean_rate;
      const double k = keys[i] - mean_keys;
      rate2 += r * r;
      keys2 += k * k;
      product += r * k;
    }
    return std::sqrt(rate2 - product * product / keys2) /
           static_cast<double>(rate.size());
  }
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_LINE_RATES_H_
