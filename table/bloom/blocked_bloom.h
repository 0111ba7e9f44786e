// Kind 1, the blocked Bloom filter: each key sets `num_probes` bits of one
// 512-bit line (Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient
// Bloom Filters", 2007).
//
//   bit i of a line = bit (i % 8) of byte i / 8
//
//   LineMix(hash) = | a: 32 bits | b: 32 bits |
//   probe i = top 9 bits of (a * G^(i+1) mod 2^32)   for i in 0..7, 16..23
//             top 9 bits of (b * G^(i+1) mod 2^32)   for i in 8..15
//   G = 0x9e3779b9, 2^32 divided by the golden ratio, made odd
//
// Up to 8 probes of a key so follow from 32 bits, more from 64.

#ifndef ONELINE_TABLE_BLOOM_BLOCKED_BLOOM_H_
#define ONELINE_TABLE_BLOOM_BLOCKED_BLOOM_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"

namespace oneline {
namespace blocked_bloom {

inline constexpr int kMaxProbes = 24;

// G^1 .. G^24 mod 2^32.
constexpr std::array<uint32_t, kMaxProbes> PowersOfGoldenRatio() {
  std::array<uint32_t, kMaxProbes> powers{};
  uint32_t power = 1;
  for (uint32_t& p : powers) p = power *= 0x9e3779b9u;
  return powers;
}
inline constexpr std::array<uint32_t, kMaxProbes> kMultipliers =
    PowersOfGoldenRatio();

// Probes come in groups of eight that share one half of LineMix(hash): the
// upper one for the first and third group, the lower one for the second.
inline constexpr int kGroupProbes = 8;

inline uint32_t HalfOfGroup(uint64_t mix, int first_probe) {
  return static_cast<uint32_t>(first_probe == kGroupProbes ? mix : mix >> 32);
}

// Calls `visit(bit)`, bit 0 to line_bits - 1, for each probe of a key, until it
// returns false; returns whether it never did. The definition of the probes.
// Lines of short blocks may have fewer bits than others.
template <typename Visit>
inline bool ForEachProbe(uint64_t hash, int num_probes, Visit visit,
                         uint32_t line_bits = kLineBits) {
  const uint64_t mix = LineMix(hash);
  for (int first = 0; first < num_probes; first += kGroupProbes) {
    uint32_t product = HalfOfGroup(mix, first);
    if (first > 0) product *= kMultipliers[first - 1];
    const int last = std::min(num_probes, first + kGroupProbes);
    for (int i = first; i < last; ++i) {
      product *= kMultipliers[0];
      // The top 9 bits of the product, if line_bits is 512.
      const uint64_t bit = uint64_t{product} * line_bits >> 32;
      if (!visit(static_cast<uint32_t>(bit))) return false;
    }
  }
  return true;
}

// Sets the bits of a key.
inline void SetBits(uint64_t hash, int num_probes, uint8_t* line,
                    uint32_t line_bits = kLineBits) {
  ForEachProbe(
      hash, num_probes,
      [line](uint32_t bit) {
        line[bit / 8] |= static_cast<uint8_t>(1u << (bit % 8));
        return true;
      },
      line_bits);
}

// The lookup in a short line, the same for all instruction sets. A branch for
// each probe would often go the unexpected way; one for every four spares
// absent keys most probes of a filter that has many. Always inlined, so that it
// is compiled for the instruction set of its caller.
__attribute__((always_inline)) inline bool ProbeShort(ShortLine line,
                                                      uint64_t hash,
                                                      LineContext context) {
  uint32_t found = 1, probes = 0;
  ForEachProbe(
      hash, context.parameter,
      [&](uint32_t bit) {
        found &= static_cast<uint32_t>(line.bytes[bit / 8]) >> (bit % 8);
        return (++probes & 3) != 0 || (found & 1) != 0;
      },
      8 * line.num_bytes);
  return (found & 1) != 0;
}

// The parameter is the number of probes.
extern const LineFormat kLines;

// The kernels, each in the namespace of its set.
namespace portable {
extern const ProbeKernel kKernel;
}
#define ONELINE_DECLARE(set, name, features, bloom, ...) \
  namespace bloom {                                      \
  extern const ProbeKernel kKernel;                      \
  }
ONELINE_INSTRUCTION_SETS(ONELINE_DECLARE, ONELINE_DECLARE)
#undef ONELINE_DECLARE

}  // namespace blocked_bloom
}  // namespace oneline

#endif  // ONELINE_TABLE_BLOOM_BLOCKED_BLOOM_H_
