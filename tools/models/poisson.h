// Poisson's distribution, by which models of filters count the keys of a line.

#ifndef ONELINE_TOOLS_MODELS_POISSON_H_
#define ONELINE_TOOLS_MODELS_POISSON_H_

#include <cmath>

namespace oneline {

// The probability of n where `mean` are expected, by logarithms: e^-512 is near
// the smallest double. REQUIRES: n >= 0, mean > 0.
inline double Poisson(double n, double mean) {
  int sign;  // lgamma, which is not thread-safe, writes it to a global variable
  return std::exp(n * std::log(mean) - mean - ::lgamma_r(n + 1, &sign));
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_POISSON_H_
