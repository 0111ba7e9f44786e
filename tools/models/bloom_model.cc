// The model of false positives of the blocked Bloom filter.

#include <cassert>
#include <cmath>
#include <vector>

#include "table/hash/key_hash.h"
#include "tools/models/kind_model.h"

namespace oneline {
namespace {

// set[x]: the probability that x bits of a line are set. Adds a probe.
void AddProbe(double* set) {
  constexpr double kShare = 1.0 / kLineBits;  // divisions would take most time
  for (size_t x = kLineBits; x > 0; --x) {
    set[x] = (set[x] * static_cast<double>(x) +
              set[x - 1] * static_cast<double>(kLineBits - x + 1)) *
             kShare;
  }
  set[0] = 0;
}

}  // namespace

double BlockedBloomFpRate(double bits_per_key, int num_probes) {
  assert(bits_per_key > 0);
  assert(num_probes >= 1 && num_probes <= 24);
  std::vector<double> pass(kLineBits + 1);  // [x]: if x bits are set
  for (size_t x = 0; x <= kLineBits; ++x) {
    pass[x] = std::pow(static_cast<double>(x) / kLineBits, num_probes);
  }
  std::vector<double> set(kLineBits + 1);
  set[0] = 1;
  const double mean = kLineBits / bits_per_key;
  double rate = 0, total = 0;
  for (double keys = 0; total < 1 - 1e-12 || keys <= mean; ++keys) {
    // A line this full stays so: the sum is known, however many keys follow.
    if (set.back() > 1 - 1e-12) return rate + (1 - total);
    double line_rate = 0;
    for (size_t x = 0; x <= kLineBits; ++x) line_rate += set[x] * pass[x];
    const double weight = Poisson(keys, mean);
    rate += weight * line_rate;
    total += weight;
    if (keys > mean && weight < 1e-18) break;
    for (int i = 0; i < num_probes; ++i) AddProbe(set.data());
  }
  return rate;
}

}  // namespace oneline
