// Bisection: the smallest value for which a condition holds, of a condition
// that stays true once it is true. The number of bits per key for a
// false-positive rate is found in this way.

#ifndef ONELINE_TOOLS_MODELS_BISECTION_H_
#define ONELINE_TOOLS_MODELS_BISECTION_H_

namespace oneline {

// The smallest integer x in low..high for which `holds(x)` is true. `holds` is
// not called with `high`: if it is false for all smaller ones, the result is
// `high`. Takes log2(high - low) calls.
// REQUIRES: 0 <= low <= high; 2 * high fits into Integer.
template <typename Integer, typename Condition>
Integer Bisect(Integer low, Integer high, const Condition& holds) {
  while (low < high) {
    const Integer middle = (low + high) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Bisect over the multiples of 1/1000 in low..high, the precision in which bits
// per key are stored: `holds` takes a double, and the result is one.
// REQUIRES: 0 <= low <= high <= 1000000.
template <typename Condition>
double BisectThousandths(int low, int high, const Condition& holds) {
  return Bisect(1000 * low, 1000 * high,
                [&](int x) { return holds(x / 1000.0); }) /
         1000.0;
}

// The same for real numbers, to within `tolerance`: `holds` is true for the
// result, which is at most that much above the smallest such number. `high` if
// `holds` is false for every number tried.
// REQUIRES: low <= high; `tolerance` is larger than the distance of
// neighbouring doubles at `high`.
template <typename Condition>
double BisectReal(double low, double high, double tolerance,
                  const Condition& holds) {
  while (high - low > tolerance) {
    const double middle = (low + high) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_BISECTION_H_
