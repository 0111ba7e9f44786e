// The false-positive rates of large filters of each kind, in advance. Takes up
// to a millisecond: policies look rates up in table/block/fp_rates_table.h,
// which fp_rates_gen.cc makes of these models.

#ifndef ONELINE_TOOLS_MODELS_KIND_MODEL_H_
#define ONELINE_TOOLS_MODELS_KIND_MODEL_H_

#include <cmath>
#include <cstdint>

#include "table/block/filter_kind.h"

namespace oneline {

// Of a filter of many lines of this kind, whichever kind would be written (see
// EffectiveKind). REQUIRES: bits_per_key >= 0.01, a valid parameter.
double ModelledFpRate(const KindTraits& kind, double bits_per_key,
                      uint8_t parameter);

// The same with the parameter that a large filter gets.
double ModelledFpRate(const KindTraits& kind, double bits_per_key);

// Kind 1, exact for independent, uniform probes: the number of keys in a line
// is Poisson(512 / bits_per_key), their probes leave X of its 512 bits set, and
// a key that is absent finds num_probes set bits with probability
// E[(X / 512)^num_probes]. (The usual (1 - (1 - 1/512)^(nk))^k takes the mean
// of X for X and so is 1 % too low at 10 bits per key, 4 % at 24.)
// REQUIRES: bits_per_key > 0, num_probes in 1..24.
double BlockedBloomFpRate(double bits_per_key, int num_probes);

// Kind 2, from the mathematics of random equations: a line of w rows, r full
// columns and a partial column that reaches a share t of the keys lets an
// absent key pass with probability 2^-r * (1 - t/2). `parameter`: the base from
// which lines count their rows. REQUIRES: bits_per_key >= 0.01.
double BlockedRibbonFpRate(double bits_per_key, uint8_t parameter);

// Poisson's distribution, by which models count the keys of a line: the
// probability of n where `mean` are expected. By logarithms, as e^-512 is near
// the smallest double. REQUIRES: n >= 0, mean > 0.
inline double Poisson(double n, double mean) {
  int sign;  // lgamma, which is not thread-safe, writes it to a global variable
  return std::exp(n * std::log(mean) - mean - ::lgamma_r(n + 1, &sign));
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_KIND_MODEL_H_
