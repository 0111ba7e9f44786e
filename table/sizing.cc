#include "table/sizing.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "table/key_hash.h"

namespace oneline {

namespace {

// The lines, a whole number, that LinesFor would give if there were no limit.
double UnlimitedLines(size_t num_keys, double bits_per_key) {
  return std::ceil(static_cast<double>(num_keys) * bits_per_key / kLineBits);
}

}  // namespace

uint32_t LinesFor(size_t num_keys, double bits_per_key) {
  if (num_keys == 0) return 0;
  const double lines = UnlimitedLines(num_keys, bits_per_key);
  return static_cast<uint32_t>(std::clamp(lines, 1.0, double{kMaxLines}));
}

size_t KeysFor(uint32_t num_lines, double bits_per_key) {
  const double lines = std::min(num_lines, kMaxLines);
  auto keys = static_cast<size_t>(lines * kLineBits / bits_per_key);
  // The division and UnlimitedLines' product round: where one is a whole
  // number, or nearly, they can differ by a key in either direction.
  while (UnlimitedLines(keys, bits_per_key) > lines) --keys;
  while (UnlimitedLines(keys + 1, bits_per_key) <= lines) ++keys;
  return keys;
}

double BlockedBloomFpRate(double bits_per_key, int num_probes) {
  assert(bits_per_key > 0 && num_probes >= 1 && num_probes <= 24);
  // pass[x]: an absent key finds all its probes set, x bits being set.
  std::array<double, kLineBits + 1> pass;
  for (size_t x = 0; x <= kLineBits; ++x) {
    pass[x] = std::pow(static_cast<double>(x) / kLineBits, num_probes);
  }
  // set[x]: the probability that the keys so far have set x bits.
  std::array<double, kLineBits + 1> set = {1.0};
  const double mean = kLineBits / bits_per_key;
  double rate = 0, total = 0;
  for (size_t keys = 0; total < 1 - 1e-12 || keys <= mean; ++keys) {
    const double n = static_cast<double>(keys);
    // Poisson by logarithms: e^-512 is near the smallest double.
    const double weight =
        std::exp(n * std::log(mean) - mean - std::lgamma(n + 1));
    double passes = 0;
    for (size_t x = 0; x <= kLineBits; ++x) passes += set[x] * pass[x];
    // A line this full stays so: the sum is known, however many keys follow.
    if (set[kLineBits] > 1 - 1e-12) return rate + (1 - total);
    rate += weight * passes;
    total += weight;
    if (keys > mean && weight < 1e-18) break;
    for (int i = 0; i < num_probes; ++i) {
      for (size_t x = kLineBits; x > 0; --x) {
        set[x] = (set[x] * static_cast<double>(x) +
                  set[x - 1] * static_cast<double>(kLineBits - x + 1)) /
                 kLineBits;
      }
      set[0] = 0;
    }
  }
  return rate;
}

}  // namespace oneline
