// The middle of repeated measurements and how far they lie apart.

#ifndef ONELINE_BENCH_MEASURE_SPREAD_H_
#define ONELINE_BENCH_MEASURE_SPREAD_H_

#include <vector>

namespace oneline {

// The quartiles, between two values where they fall between them.
struct Spread {
  double lower = 0;
  double median = 0;
  double upper = 0;
};

// REQUIRES: at least one value, no NaN.
Spread SpreadOf(std::vector<double> values);

// Of the quotients of values that were measured in the same round: what slows
// a round down slows both, and cancels.
// REQUIRES: as many of one as of the other, at least one.
Spread SpreadOfRatios(const std::vector<double>& values,
                      const std::vector<double>& bases);

// The value that a share of all values, 0 to 1, does not exceed (nearest rank).
// REQUIRES: at least one value. Reorders them.
double Percentile(double share, std::vector<float>* values);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_SPREAD_H_
