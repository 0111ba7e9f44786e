#include "tools/models/bloom_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "table/hash/key_hash.h"
#include "tools/models/poisson.h"

namespace oneline {

BloomLineModel::BloomLineModel(uint32_t line_bits, int num_probes)
    : line_bits_(line_bits),
      num_probes_(num_probes),
      pass_(line_bits + 1),
      set_(line_bits + 1) {
  assert(line_bits >= 1 && line_bits <= kLineBits);
  assert(num_probes >= 1 && num_probes <= 24);
  for (size_t x = 0; x <= line_bits; ++x) {
    pass_[x] = std::pow(static_cast<double>(x) / line_bits, num_probes);
  }
  set_[0] = 1;
}

void BloomLineModel::AddKey() {
  double* const set = set_.data();
  const size_t line_bits = line_bits_;
  const double share = 1.0 / line_bits_;  // divisions would take most time
  for (int i = 0; i < num_probes_; ++i) {
    for (size_t x = line_bits; x > 0; --x) {
      set[x] = (set[x] * static_cast<double>(x) +
                set[x - 1] * static_cast<double>(line_bits - x + 1)) *
               share;
    }
    set[0] = 0;
  }
}

double BloomLineModel::FpRate() const {
  double rate = 0;
  for (size_t x = 0; x <= line_bits_; ++x) rate += set_[x] * pass_[x];
  return rate;
}

double BlockedBloomFpRate(double bits_per_key, int num_probes) {
  assert(bits_per_key > 0);
  BloomLineModel line(kLineBits, num_probes);
  const double mean = kLineBits / bits_per_key;
  double rate = 0, total = 0;
  for (size_t keys = 0; total < 1 - 1e-12 || keys <= mean; ++keys) {
    const double n = static_cast<double>(keys);
    const double weight = Poisson(n, mean);
    // A line this full stays so: the sum is known, however many keys follow.
    if (line.full() > 1 - 1e-12) return rate + (1 - total);
    rate += weight * line.FpRate();
    total += weight;
    if (keys > mean && weight < 1e-18) break;
    line.AddKey();
  }
  return rate;
}

}  // namespace oneline
