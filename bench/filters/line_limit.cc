#include "bench/filters/line_limit.h"

#include <cmath>

#include "tools/models/poisson.h"

namespace oneline {

double FpRateLimit(double bits_per_key) { return std::exp2(-bits_per_key); }

double OneLineFpRateLimit(double bits_per_key) {
  constexpr double kLineBits = 512;
  const double mean = kLineBits / bits_per_key;
  double rate = 0;
  // 40 standard deviations above the mean; further terms are negligible.
  const int max_keys = static_cast<int>(mean + 40 * std::sqrt(mean) + 40);
  for (int n = 1; n <= max_keys; ++n) {
    rate += Poisson(n, mean) * std::exp2(-kLineBits / n);
  }
  return rate;
}

}  // namespace oneline
