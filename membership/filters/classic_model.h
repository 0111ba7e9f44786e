// The mathematics of the classic Bloom filter, where the probes of a key may
// fall on any bit (Bloom, "Space/Time Trade-offs in Hash Coding with Allowable
// Errors", 1970). With n keys in m bits the best number of probes is (m/n) ln
// 2, which sets half of the bits.

#ifndef ONELINE_MEMBERSHIP_FILTERS_CLASSIC_MODEL_H_
#define ONELINE_MEMBERSHIP_FILTERS_CLASSIC_MODEL_H_

#include <cstdint>

namespace oneline {

// Bits per key for a false-positive rate p: -ln p / (ln 2)^2.
// REQUIRES: 0 < fp_rate <= 1.
double ClassicBloomBitsPerKey(double fp_rate);

// The least that any structure takes which has no false negatives: log2(1/p)
// bits per key (Carter et al., "Exact and Approximate Membership Testers",
// 1978). REQUIRES: 0 < fp_rate <= 1.
double InformationBound(double fp_rate);

// The false-positive rate with k probes: (1 - e^(-k / bits_per_key))^k.
// REQUIRES: bits_per_key > 0, num_probes >= 1.
double ClassicBloomFpRate(double bits_per_key, int num_probes);

// The whole number of probes with the lowest false-positive rate: one of the
// two next to bits_per_key * ln 2, at least 1.
// REQUIRES: bits_per_key > 0, and less than 10^9.
int ClassicBloomProbes(double bits_per_key);

// The estimated number of different keys in a filter of m = `num_bits` bits of
// which X = `bits_set` are set: -(m/k) ln(1 - X/m), infinite if X = m
// (Swamidass, Baldi, "Mathematical Correction for Fingerprint Similarity
// Measures", 2007). REQUIRES: bits_set <= num_bits, num_probes >= 1.
double ClassicBloomKeys(uint64_t num_bits, int num_probes, uint64_t bits_set);

// Sizes a filter by a table, as ClickHouse does for its indexes: the fewest
// whole bits per key, 1 to 20, with which the false-positive rate is at most
// `fp_rate`, and the fewest hashes, 1 to 15, that suffice with them. The lowest
// rate of the table is 6.7e-5; below it, returns the entry that has this rate.
// membership/examples/size_for_rate.cc shows its use. REQUIRES: fp_rate > 0.
struct Practice {
  int bits_per_key;
  int num_hashes;
};
Practice BestPractice(double fp_rate);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_CLASSIC_MODEL_H_
