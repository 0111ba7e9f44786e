// The median and the quartiles of repeated measurements.

#ifndef ONELINE_BENCH_MEASURE_SPREAD_H_
#define ONELINE_BENCH_MEASURE_SPREAD_H_

#include <vector>

namespace oneline {

// Interpolated between two values if they fall between them.
struct Spread {
  double lower = 0;
  double median = 0;
  double upper = 0;
};

// REQUIRES: at least one value, no NaN.
Spread SpreadOf(std::vector<double> values);

// The spread of values[i] / bases[i], which were measured in the same round:
// whatever slows the machine down in a round affects both and cancels.
// REQUIRES: as many values as bases, at least one.
Spread SpreadOfRatios(const std::vector<double>& values,
                      const std::vector<double>& bases);

// Whether a difference may be chance: the median of `ratios`, of measurements
// to a base, is by its logarithm no farther from 1 than a quartile of `equals`,
// the ratios of measurements of the same as the base.
bool IsChance(const Spread& ratios, const Spread& equals);

// The smallest of the values that at least `share` of them, 0 to 1, do not
// exceed (nearest rank). Reorders them. REQUIRES: at least one value.
double Percentile(double share, std::vector<float>* values);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_SPREAD_H_
