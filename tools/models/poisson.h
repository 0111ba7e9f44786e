// Factorials and Poisson's distribution, by which models of filters count the
// keys of a line.

#ifndef ONELINE_TOOLS_MODELS_POISSON_H_
#define ONELINE_TOOLS_MODELS_POISSON_H_

#include <cmath>

namespace oneline {

// ln n! for n >= 0. Thread-safe, which std::lgamma is not: it writes the sign
// to a global variable.
inline double LogFactorial(double n) {
  int sign;
  return ::lgamma_r(n + 1, &sign);
}

// The probability of n where `mean` are expected, by logarithms: e^-512 is near
// the smallest double. REQUIRES: mean > 0.
inline double Poisson(double n, double mean) {
  return std::exp(n * std::log(mean) - mean - LogFactorial(n));
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_POISSON_H_
