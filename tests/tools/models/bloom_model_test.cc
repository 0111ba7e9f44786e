// Tests of tools/models/bloom_model.h. Measured rates are held to the model in
// blocked_bloom_test.cc.

#include "tools/models/bloom_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "table/hash/key_hash.h"

namespace oneline {
namespace {

// The rate by inclusion and exclusion, which shares no step with the code:
//
//   k probes name j different bits with probability
//     D(k, j) = S(k, j) * 512! / (512 - j)! / 512^k   (S: Stirling, 2nd kind)
//   j given bits are all set, Poisson(m) keys of k probes being there, with
//     A(j) = sum over i of (-1)^i * C(j, i) * exp(-m * (1 - (1 - i/512)^k))
//   rate = sum over j of D(k, j) * A(j)
//
// The alternating sum loses digits: for small k and bits per key only. Filters
// of more probes are held to the model in blocked_bloom_test.cc.
double RateByInclusionExclusion(double bits_per_key, int k) {
  const long double m = kLineBits / static_cast<long double>(bits_per_key);
  std::vector<long double> distinct(k + 1, 0);
  distinct[0] = 1;
  for (int probe = 0; probe < k; ++probe) {
    for (int j = probe + 1; j > 0; --j) {
      distinct[j] = (distinct[j] * j + distinct[j - 1] * (513 - j)) / 512;
    }
    distinct[0] = 0;
  }
  long double rate = 0;
  for (int j = 1; j <= k; ++j) {
    long double all_set = 0, choose = 1;
    for (int i = 0; i <= j; ++i) {
      const long double none = std::pow(1 - i / 512.0L, k);
      all_set += choose * (i % 2 == 0 ? 1 : -1) * std::exp(m * (none - 1));
      choose = choose * (j - i) / (i + 1);
    }
    rate += distinct[j] * all_set;
  }
  return static_cast<double>(rate);
}

TEST(BlockedBloomFpRateTest, AgreesWithInclusionAndExclusion) {
  for (int k = 1; k <= 10; ++k) {
    for (double bits : {1.0, 2.0, 3.7, 5.0, 8.0, 10.0, 12.0, 16.0, 20.0}) {
      const double expected = RateByInclusionExclusion(bits, k);
      EXPECT_NEAR(BlockedBloomFpRate(bits, k), expected, 1e-7 * expected)
          << bits << " bits per key, " << k << " probes";
    }
  }
}

// However many keys share a line, the answer comes at once.
TEST(BlockedBloomFpRateTest, FullLinesPassEverything) {
  for (int k : {1, 6, 24}) {
    for (double bits : {1e-300, 1e-9, 1e-3, 0.02}) {
      EXPECT_NEAR(BlockedBloomFpRate(bits, k), 1, 1e-10) << bits << " " << k;
    }
    EXPECT_NEAR(BlockedBloomFpRate(0.05, 1), -std::expm1(-20), 1e-10);
  }
}

}  // namespace
}  // namespace oneline
