#include "membership/filters/classic_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oneline {

double ClassicBloomBitsPerKey(double fp_rate) {
  return InformationBound(fp_rate) / M_LN2;
}

double InformationBound(double fp_rate) {
  assert(fp_rate > 0 && fp_rate <= 1);
  return -std::log2(fp_rate);
}

double ClassicBloomFpRate(double bits_per_key, int num_probes) {
  assert(bits_per_key > 0 && num_probes >= 1);
  return std::pow(-std::expm1(-num_probes / bits_per_key), num_probes);
}

int ClassicBloomProbes(double bits_per_key) {
  assert(bits_per_key > 0 && bits_per_key < 1e9);
  const int fewer = std::max(1, static_cast<int>(bits_per_key * M_LN2));
  return ClassicBloomFpRate(bits_per_key, fewer) <=
                 ClassicBloomFpRate(bits_per_key, fewer + 1)
             ? fewer
             : fewer + 1;
}

double ClassicBloomKeys(uint64_t num_bits, int num_probes, uint64_t bits_set) {
  assert(bits_set <= num_bits && num_probes >= 1);
  if (bits_set == 0) return 0;
  const auto m = static_cast<double>(num_bits);
  // log1p, because 1 - X/m rounds to 1 when few of billions of bits are set.
  return -m / num_probes * std::log1p(-static_cast<double>(bits_set) / m);
}

Practice BestPractice(double fp_rate) {
  assert(fp_rate > 0);
  constexpr int kMaxBits = 20, kMaxHashes = 15;
  for (int bits = 1; bits <= kMaxBits; ++bits) {
    for (int hashes = 1; hashes <= kMaxHashes; ++hashes) {
      if (ClassicBloomFpRate(bits, hashes) <= fp_rate) return {bits, hashes};
    }
  }
  return {kMaxBits, ClassicBloomProbes(kMaxBits)};
}

}  // namespace oneline
