// Bisection: the smallest value for which a condition holds that stays true
// once it is true.

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

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_BISECTION_H_
