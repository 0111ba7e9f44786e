// Measured false positives of blocked Ribbon filters against the model of
// table/sizing.h: within 3 %, or the statistical error where that is larger.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "table/blocked_ribbon.h"
#include "table/hash_list.h"
#include "table/key_hash.h"
#include "table/probe.h"
#include "table/sizing.h"
#include "tests/line_rates.h"
#include "tests/random_keys.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// A filter, and what its lines say of its rate of false positives.
//
// As with the blocked Bloom filter (blocked_bloom_test.cc) two chances make a
// measured rate differ from the model's, each with its own error. The filter:
// its lines came out with the rows and reaches that they have; of a line's
// header follows which part of all absent keys passes. The probes: how many of
// the absent keys tried are among those.
class MeasuredFilter {
 public:
  MeasuredFilter(uint64_t seed, size_t num_keys, double bits_per_key,
                 int effort);

  double bits_per_key() const {
    return static_cast<double>(kLineBits) * num_lines_ /
           static_cast<double>(num_keys_);
  }
  uint8_t parameter() const { return parameter_; }

  // The mean of the lines' rates and the standard deviation of that mean among
  // filters of as many keys.
  double LinesRate() const;
  double LinesError() const;

  // The part of `n` absent keys that pass.
  double ProbedRate(uint64_t n) const;

 private:
  LineRates Lines() const;

  const uint64_t seed_;
  const size_t num_keys_;
  const uint32_t num_lines_;
  const uint8_t parameter_;
  std::vector<uint8_t> lines_;
  std::vector<uint32_t> keys_of_line_;
};

MeasuredFilter::MeasuredFilter(uint64_t seed, size_t num_keys,
                               double bits_per_key, int effort)
    : seed_(seed),
      num_keys_(num_keys),
      num_lines_(LinesFor(num_keys, bits_per_key)),
      parameter_(
          blocked_ribbon::ChooseParameter(bits_per_key, num_keys, num_lines_)),
      lines_(kLineBytes * num_lines_),
      keys_of_line_(num_lines_) {
  HashList hashes;
  for (uint64_t i = 0; i < num_keys; ++i) {
    hashes.Append(KeyHash(IntegerKey(KeySet::kRandom, seed, i), seed));
    ++keys_of_line_[LineIndex(hashes.back(), num_lines_)];
  }
  blocked_ribbon::Build(hashes, parameter_, effort, lines_.data(), num_lines_);
}

LineRates MeasuredFilter::Lines() const {
  LineRates lines;
  for (size_t i = 0; i < num_lines_; ++i) {
    lines.rate.push_back(
        blocked_ribbon::LineFpRate(&lines_[kLineBytes * i], parameter_));
    lines.keys.push_back(keys_of_line_[i]);
  }
  return lines;
}

double MeasuredFilter::LinesRate() const {
  return LineRates::Mean(Lines().rate);
}

double MeasuredFilter::LinesError() const { return Lines().ErrorOfMean(); }

double MeasuredFilter::ProbedRate(uint64_t n) const {
  const ProbeKernel& kernel =
      KernelFor(blocked_ribbon::kKernels, BestInstructionSet());
  uint64_t passed = 0;
  std::array<uint64_t, kBatchKeys> hashes;
  std::array<bool, kBatchKeys> answers;
  for (uint64_t tried = 0; tried < n; tried += kBatchKeys) {
    for (size_t i = 0; i < kBatchKeys; ++i) {
      const IntegerKey key(KeySet::kRandom, seed_, num_keys_ + tried + i);
      hashes[i] = KeyHash(key, seed_);
    }
    kernel.batch(lines_.data(), num_lines_, hashes.data(), kBatchKeys,
                 parameter_, answers.data());
    passed +=
        static_cast<uint64_t>(std::count(answers.begin(), answers.end(), true));
  }
  return static_cast<double>(passed) / static_cast<double>(n);
}

class RibbonFpRateTest
    : public testing::TestWithParam<std::tuple<double, int>> {};

// 6 standard errors, where that is more than 3 %.
TEST_P(RibbonFpRateTest, IsThatOfTheModel) {
  constexpr size_t kKeys = kSanitized ? 60000 : 600000;
  constexpr uint64_t kProbes = kBatchKeys * (kSanitized ? 10000 : 200000);
  constexpr double kDeviations = 6;
  const auto [bits_per_key, effort] = GetParam();
  const MeasuredFilter filter(TestRandom()(), kKeys, bits_per_key, effort);
  const double model =
      BlockedRibbonFpRate(filter.bits_per_key(), filter.parameter(), effort);
  const double lines = filter.LinesRate();
  const double lines_error = filter.LinesError();
  const double probed = filter.ProbedRate(kProbes);
  const double probes_error = std::sqrt(lines * (1 - lines) / kProbes);
  std::printf(
      "%4.1f bits per key, effort %d: model %.6f %%, lines %.6f %% (%+.1f %%, "
      "standard error %.1f %%), probed %.6f %% (standard error %.1f %%)\n",
      bits_per_key, effort, 100 * model, 100 * lines, 100 * (lines / model - 1),
      100 * lines_error / model, 100 * probed, 100 * probes_error / lines);
  EXPECT_NEAR(lines, model, std::max(0.03 * model, kDeviations * lines_error));
  EXPECT_NEAR(probed, lines, kDeviations * probes_error);
}

std::string CaseName(
    const testing::TestParamInfo<std::tuple<double, int>>& param) {
  return std::to_string(static_cast<int>(std::get<0>(param.param) * 10)) +
         "TenthsEffort" + std::to_string(std::get<1>(param.param));
}

INSTANTIATE_TEST_SUITE_P(Efforts, RibbonFpRateTest,
                         testing::Combine(testing::Values(4.0, 5.0, 7.1, 10.0,
                                                          16.0),
                                          testing::Values(1, 2, 8)),
                         CaseName);
INSTANTIATE_TEST_SUITE_P(
    DefaultEffort, RibbonFpRateTest,
    testing::Combine(testing::Values(2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5,
                                     6.0, 6.5, 7.0, 7.5, 8.0, 9.0, 10.0, 11.0,
                                     12.0, 13.0, 14.0, 16.0, 18.0, 20.0, 22.0,
                                     24.0),
                     testing::Values(4)),
    CaseName);

}  // namespace
}  // namespace oneline
