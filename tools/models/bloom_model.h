// The false-positive rates of kind 1, the blocked Bloom filter, in advance.

#ifndef ONELINE_TOOLS_MODELS_BLOOM_MODEL_H_
#define ONELINE_TOOLS_MODELS_BLOOM_MODEL_H_

#include <cstdint>
#include <vector>

namespace oneline {

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

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_BLOOM_MODEL_H_
