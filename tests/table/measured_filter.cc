#include "tests/table/measured_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "table/block/line_count.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"
#include "tools/models/kind_model.h"

namespace oneline {
namespace {

constexpr double kDeviations = 6;

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// The standard error of the lines' mean rate. The numbers of keys of lines
// vary, but not their sum. So of the variance of a line's rate only that part
// counts which the line's number of keys does not explain (linearly):
// Var(rate) - Cov(rate, keys)^2 / Var(keys).
double ErrorOfMean(const std::vector<double>& rates,
                   const std::vector<uint32_t>& keys) {
  const double mean_rate = Mean(rates);
  const double mean_keys = Mean({keys.begin(), keys.end()});
  double rate2 = 0, keys2 = 0, product = 0;
  for (size_t i = 0; i < rates.size(); ++i) {
    const double r = rates[i] - mean_rate;
    const double k = keys[i] - mean_keys;
    rate2 += r * r;
    keys2 += k * k;
    product += r * k;
  }
  return std::sqrt(rate2 - product * product / keys2) /
         static_cast<double>(rates.size());
}

}  // namespace

MeasuredFilter::MeasuredFilter(const KindTraits& kind, KeySet set,
                               uint64_t seed, size_t num_keys,
                               double bits_per_key, int effort)
    : kind_(kind),
      set_(set),
      seed_(seed),
      num_keys_(num_keys),
      effort_(effort),
      num_lines_(LinesFor(num_keys, bits_per_key)),
      parameter_(kind.choose_parameter(bits_per_key, num_keys, num_lines_)),
      lines_(kLineBytes * num_lines_),
      keys_of_line_(num_lines_) {
  HashList hashes;
  for (uint64_t i = 0; i < num_keys; ++i) {
    hashes.Append(KeyHash(IntegerKey(set, seed, i), seed));
    ++keys_of_line_[LineIndex(hashes.back(), num_lines_)];
  }
  kind.build(hashes, parameter_, effort, lines_.data(), num_lines_);
}

double MeasuredFilter::ModelRate() const {
  const double bits_per_key = static_cast<double>(kLineBits) * num_lines_ /
                              static_cast<double>(num_keys_);
  return ModelledFpRate(kind_, bits_per_key, parameter_, effort_);
}

void MeasuredFilter::ExpectRateOfModel(uint64_t probes, double slack) const {
  std::vector<double> rates;
  for (size_t i = 0; i < num_lines_; ++i) {
    rates.push_back(kind_.line_fp_rate(&lines_[kLineBytes * i], parameter_));
  }
  const double lines = Mean(rates);
  const double lines_error = ErrorOfMean(rates, keys_of_line_);
  const double model = ModelRate();
  const double probed = ProbedRate(probes);
  const double probes_error =
      std::sqrt(lines * (1 - lines) / static_cast<double>(probes));
  std::printf(
      "parameter %d: model %.6f %%, lines %.6f %% (%+.1f %%, standard error "
      "%.1f %%), probed %.6f %% (standard error %.1f %%)\n",
      int{parameter_}, 100 * model, 100 * lines, 100 * (lines / model - 1),
      100 * lines_error / model, 100 * probed, 100 * probes_error / lines);
  EXPECT_NEAR(lines, model, std::max(slack * model, kDeviations * lines_error));
  EXPECT_NEAR(probed, lines, kDeviations * probes_error);
}

double MeasuredFilter::ProbedRate(uint64_t n) const {
  const ProbeKernel& kernel = KernelFor(*kind_.kernels, BestInstructionSet());
  uint64_t passed = 0;
  std::array<uint64_t, kBatchKeys> hashes;
  std::array<bool, kBatchKeys> answers;
  for (uint64_t tried = 0; tried < n; tried += kBatchKeys) {
    for (size_t i = 0; i < kBatchKeys; ++i) {
      hashes[i] =
          KeyHash(IntegerKey(set_, seed_, num_keys_ + tried + i), seed_);
    }
    kernel.batch(lines_.data(), num_lines_, hashes.data(), kBatchKeys,
                 kind_.context(parameter_, kLineBytes), answers.data());
    passed +=
        static_cast<uint64_t>(std::count(answers.begin(), answers.end(), true));
  }
  return static_cast<double>(passed) / static_cast<double>(n);
}

}  // namespace oneline
