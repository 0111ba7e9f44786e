// Tests of bench/filters/line_limit.h.

#include "bench/filters/line_limit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace oneline {
namespace {

TEST(LineLimitTest, OneLineCostsMoreWithMoreBits) {
  double previous_ratio = 1;
  for (double bits = 3; bits <= 24; ++bits) {
    const double ratio = OneLineFpRateLimit(bits) / FpRateLimit(bits);
    EXPECT_GT(ratio, previous_ratio) << bits;
    previous_ratio = ratio;
  }
}

// The mean over lines, with another distribution of their keys: the binomial
// one of 512 / 10 * 1000 keys that fall into 1000 lines.
TEST(LineLimitTest, IsTheMeanOverLines) {
  const double lines = 1000, keys = 51200;
  double rate = 0, log_probability = keys * std::log1p(-1 / lines);
  for (double n = 1; n < 300; ++n) {
    log_probability += std::log((keys - n + 1) / n / (lines - 1));
    rate += std::exp(log_probability) * std::exp2(-512 / n);
  }
  EXPECT_NEAR(OneLineFpRateLimit(10), rate, rate * 2e-3);
  EXPECT_DOUBLE_EQ(FpRateLimit(10), 1.0 / 1024);
}

}  // namespace
}  // namespace oneline
