// The arm64 kernel of the blocked Ribbon: PMULL multiplies one word at a time.

#if defined(__aarch64__)

#include <arm_neon.h>

#include <algorithm>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon_line/ribbon_masks.h"

namespace oneline {
namespace blocked_ribbon {
namespace neon {

#define ONELINE_TARGET ONELINE_WITH(ONELINE_NEON_FEATURES)

// Product i of the line's word i and the coefficients has 128 bits, of which
// the lower half belongs to word i of the whole and the upper one to word i
// + 1. Even products lie as they are, odd ones are moved up by a word.
ONELINE_TARGET static inline bool Matches(const uint8_t* line,
                                          const Query& query) {
  const poly64x2_t coefficients =
      vreinterpretq_p64_u64(vdupq_n_u64(query.coefficients));
  const int16x8_t mix = vreinterpretq_s16_u64(vdupq_n_u64(query.mix));
  const auto* const mask = reinterpret_cast<const uint8_t*>(query.mask);
  uint8x16_t below = vdupq_n_u8(0);  // the odd product before
  uint8x16_t differs = vdupq_n_u8(0);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const poly64x2_t words = vreinterpretq_p64_u8(vld1q_u8(line + 16 * i));
    const uint8x16_t even = vreinterpretq_u8_p128(
        vmull_p64(vgetq_lane_p64(words, 0), vgetq_lane_p64(coefficients, 0)));
    const uint8x16_t odd =
        vreinterpretq_u8_p128(vmull_high_p64(words, coefficients));
    const int16x8_t low =
        vld1q_s16(reinterpret_cast<const int16_t*>(kExpectedBitsLow + 8 * i));
    const int16x8_t high =
        vld1q_s16(reinterpret_cast<const int16_t*>(kExpectedBitsHigh + 8 * i));
    const uint8x16_t expected = vreinterpretq_u8_s16(
        veorq_s16(vmulq_s16(mix, low), vqrdmulhq_s16(mix, high)));
    const uint8x16_t product = veorq_u8(even, vextq_u8(below, odd, 8));
    differs = vorrq_u8(differs, vandq_u8(veorq_u8(product, expected),
                                         vld1q_u8(mask + 16 * i)));
    below = odd;
  }
  return vmaxvq_u32(vreinterpretq_u32_u8(differs)) == 0;
}

ONELINE_TARGET static inline bool Probe(const uint8_t* line, uint64_t hash,
                                        LineContext context) {
  return Matches(line, MakeQuery(line, hash, context));
}

ONELINE_TARGET static inline bool ProbeShort(ShortLine line, uint64_t hash,
                                             LineContext context) {
  uint8_t bytes[kLineBytes] = {};
  std::copy_n(line.bytes, line.num_bytes,
              bytes + (kLineBytes - line.num_bytes));
  return Matches(bytes, MakeQuery(line.bytes, hash, context));
}

#include "table/simd/lookups.inc"

}  // namespace neon
}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__aarch64__)
