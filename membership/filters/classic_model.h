// The mathematics of the classic Bloom filter: rates, sizes, probes and counts.

#ifndef ONELINE_MEMBERSHIP_FILTERS_CLASSIC_MODEL_H_
#define ONELINE_MEMBERSHIP_FILTERS_CLASSIC_MODEL_H_

#include <cstdint>

namespace oneline {

// The classic Bloom filter, a key's probes going anywhere in its bits (Bloom,
// "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970). With the
// best number of probes, m/n ln 2, half of the bits are set.

// Bits per key for a false-positive rate p: -ln p / (ln 2)^2.
// REQUIRES: 0 < fp_rate <= 1.
double ClassicBloomBitsPerKey(double fp_rate);

// The least that any structure takes which has no false negatives: log2(1/p)
// bits per key (Carter et al., "Exact and Approximate Membership Testers",
// 1978). REQUIRES: 0 < fp_rate <= 1.
double LeastBitsPerKey(double fp_rate);

// The false-positive rate with k probes: (1 - e^(-k / bits_per_key))^k.
// REQUIRES: bits_per_key > 0, num_probes >= 1.
double ClassicBloomFpRate(double bits_per_key, int num_probes);

// The number of probes, a whole one, with the fewest false positives: one of
// the two beside bits_per_key * ln 2, at least 1.
// REQUIRES: bits_per_key > 0, and less than 10^9.
int ClassicBloomProbes(double bits_per_key);

// The number of different keys that are expected to leave `bits_set` of
// `num_bits` set: -(m/k) ln(1 - X/m), infinite if all are (Swamidass, Baldi,
// "Mathematical Correction for Fingerprint Similarity Measures", 2007).
// REQUIRES: bits_set <= num_bits, num_probes >= 1.
double ClassicBloomKeys(uint64_t num_bits, int num_probes, uint64_t bits_set);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_CLASSIC_MODEL_H_
