// Random hashes, and lines of random bytes.

#ifndef ONELINE_TESTS_TABLE_RANDOM_LINES_H_
#define ONELINE_TESTS_TABLE_RANDOM_LINES_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace oneline {

// A line of any length.
using LineBytes = std::vector<uint8_t>;

inline std::vector<uint64_t> RandomHashes(size_t n, std::mt19937_64& random) {
  std::vector<uint64_t> hashes(n);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

inline void FlipBit(size_t bit, uint8_t* line) {
  line[bit / 8] = static_cast<uint8_t>(line[bit / 8] ^ (1u << (bit % 8)));
}

// 64 bits, each of which is set with probability sixteenths / 16.
inline uint64_t RandomWord(size_t sixteenths, std::mt19937_64& random) {
  if (sixteenths >= 16) return ~uint64_t{0};
  uint64_t word = 0;
  // From the lowest binary digit of the probability: AND halves it, OR halves
  // it and adds one half.
  for (size_t digit = 1; digit < 16; digit *= 2) {
    word = (sixteenths & digit) != 0 ? word | random() : word & random();
  }
  return word;
}

// The same for a line.
inline LineBytes RandomLine(size_t num_bytes, size_t sixteenths,
                            std::mt19937_64& random) {
  LineBytes line(num_bytes);
  for (size_t i = 0; i < num_bytes; i += 8) {
    const uint64_t word = RandomWord(sixteenths, random);
    for (size_t j = i; j < num_bytes && j < i + 8; ++j) {
      line[j] = static_cast<uint8_t>(word >> (8 * (j - i)));
    }
  }
  return line;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_RANDOM_LINES_H_
