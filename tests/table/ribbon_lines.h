// Random hashes; lines of random bytes; and lines of kind 2, the blocked
// Ribbon: with any header, solved for their keys, or changed so that one key
// passes.

#ifndef ONELINE_TESTS_TABLE_RIBBON_LINES_H_
#define ONELINE_TESTS_TABLE_RIBBON_LINES_H_

#include <memory>
#include <random>

#include "table/hash/key_hash.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/ribbon_solver/line_solver.h"
#include "table/ribbon_solver/ribbon_solver.h"
#include "table/simd/instruction_sets.h"
#include "tests/table/line_specification.h"

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

// Tests look up lines of any base and length: more than FindRibbonMasks makes
// tables for.
inline const bool kAllTablesAreMade = [] {
  using namespace blocked_ribbon;
  for (uint32_t base = 0; base <= kMaxBase; base += kBaseStep) {
    for (uint32_t bytes = 8; bytes < kLineBytes; ++bytes) {
      RibbonMasksFor(base, bytes);
    }
  }
  return true;
}();

// Changes the first 11 bits of a line. REQUIRES: rows_over_base in 0..63; seed
// in 0..7; d in 0..3.
inline void PutRibbonHeader(uint32_t rows_over_base, uint32_t seed, uint32_t d,
                            uint8_t* line) {
  line[0] = static_cast<uint8_t>(rows_over_base << 2 | d);
  line[1] = static_cast<uint8_t>((line[1] & 0xf8u) | seed);
}

// The largest valid base that is not above `rows`: a multiple of 4 up to 192.
inline uint8_t RibbonBaseBelow(size_t rows) {
  return static_cast<uint8_t>(rows < 192 ? rows / 4 * 4 : 192);
}

// One line, solved for these keys.
inline LineBytes SolvedRibbonLine(std::vector<uint64_t> hashes, uint8_t base,
                                  size_t num_bytes = kLineBytes,
                                  InstructionSet set = BestInstructionSet()) {
  const auto end = static_cast<uint32_t>(hashes.size());
  LineBytes line(num_bytes, 0xa5);
  std::make_unique<blocked_ribbon::LineSolver>(
      KernelFor(blocked_ribbon::kSolvers, set), base,
      static_cast<uint32_t>(num_bytes))
      ->Solve(hashes.data(), &end, 1, line.data());
  return line;
}

// Flips one row of each column that turns the lookup's key away, so that the
// key passes. False if the key has no coefficient in a column. REQUIRES: the
// lookup is of this line.
inline bool LetPass(const SpecifiedRibbonLookup& lookup, uint8_t* line) {
  constexpr int kHeaderBits = 11;
  for (int column = 0; column < lookup.num_columns(); ++column) {
    if (lookup.ColumnMatches(column)) continue;
    const std::vector<int> bits = lookup.BitsOf(column);
    if (bits.empty() || bits[0] < kHeaderBits) return false;
    FlipBit(static_cast<size_t>(bits[0]), line);
  }
  return true;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_RIBBON_LINES_H_
