// The mathematics of filters: false-positive rates in advance, and the number
// of lines and probes that follow.

#ifndef ONELINE_TABLE_SIZING_H_
#define ONELINE_TABLE_SIZING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oneline {

// Lines that `num_keys` keys get at `bits_per_key` (trailer not counted):
// rounded up, at least 1 if there is a key, at most kMaxLines.
uint32_t LinesFor(size_t num_keys, double bits_per_key);

// The most lines that leave the block and its trailer under 4 GiB, the limit
// of a RocksDB block.
inline constexpr uint32_t kMaxLines = (uint32_t{1} << 26) - 1;

// The most keys that get at most `num_lines` lines. Of kMaxLines, which any
// number of keys share if need be: the most that get their bits_per_key.
// REQUIRES: bits_per_key > 0.
size_t KeysFor(uint32_t num_lines, double bits_per_key);

// The false-positive rate of a blocked Bloom filter with many lines, exact for
// independent, uniform probes: the number of keys in a line is
// Poisson(512 / bits_per_key), their probes leave X of its 512 bits set, and a
// key that is absent finds num_probes set bits with probability
// E[(X / 512)^num_probes]. (The usual (1 - (1 - 1/512)^(nk))^k takes the mean
// of X for X and so is 1 % too low at 10 bits per key, 4 % at 24.)
// REQUIRES: bits_per_key > 0, num_probes in 1..24.
double BlockedBloomFpRate(double bits_per_key, int num_probes);

// The same for one line, key by key.
class BloomLineModel {
 public:
  // REQUIRES: line_bits in 1..512, num_probes in 1..24.
  BloomLineModel(uint32_t line_bits, int num_probes);

  void AddKey();

  // That an absent key passes, with the keys added so far.
  double FpRate() const;

  // That all of the line's bits are set: then the rate is 1 for good.
  double full() const { return set_.back(); }

 private:
  const uint32_t line_bits_;
  const int num_probes_;
  std::vector<double> pass_;  // [x]: if x bits are set
  std::vector<double> set_;   // [x]: the probability that x bits are set
};

// The false-positive rate of a blocked Ribbon filter with many lines, from the
// mathematics of random equations: the number of keys in a line is
// Poisson(512 / bits_per_key), and a line of w rows, r full columns and a
// partial column that is asked for a share t of the keys lets an absent key
// pass with probability 2^-r * (1 - t/2). `parameter`: the base from which
// lines count their rows. `effort`: seeds tried for each number of rows.
// REQUIRES: bits_per_key >= 0.01, effort in 1..8.
double BlockedRibbonFpRate(double bits_per_key, uint8_t parameter, int effort);

// The same of one line that holds so many keys. 1: no such line is solved.
// REQUIRES: line_bits in 64..512.
double RibbonLineFpRate(uint32_t num_keys, uint32_t line_bits,
                        uint8_t parameter, int effort);

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

#endif  // ONELINE_TABLE_SIZING_H_
