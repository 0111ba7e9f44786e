#include "tests/table/measured_filter.h"

#include <algorithm>
#include <array>

#include "table/block/line_count.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"
#include "tools/models/kind_model.h"

namespace oneline {

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

double MeasuredFilter::bits_per_key() const {
  return static_cast<double>(kLineBits) * num_lines_ /
         static_cast<double>(num_keys_);
}

double MeasuredFilter::ModelRate() const {
  return ModelledFpRate(kind_, bits_per_key(), parameter_, effort_);
}

LineRates MeasuredFilter::Lines() const {
  LineRates lines;
  for (size_t i = 0; i < num_lines_; ++i) {
    lines.rate.push_back(
        kind_.line_fp_rate(&lines_[kLineBytes * i], parameter_));
    lines.keys.push_back(keys_of_line_[i]);
  }
  return lines;
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
