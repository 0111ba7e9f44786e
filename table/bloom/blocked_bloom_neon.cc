// The arm64 kernel of the blocked Bloom filter: eight probes at a time.

#if defined(__aarch64__)

#include <arm_neon.h>

#include "table/bloom/blocked_bloom.h"

namespace oneline {
namespace blocked_bloom {
namespace neon {

#define ONELINE_TARGET ONELINE_WITH(ONELINE_NEON_FEATURES)

// The bits of the line that the top 9 bits of each product name, in each lane's
// lowest bit.
ONELINE_TARGET static inline uint32x4_t BitsAt(uint8x16x4_t line,
                                               uint32x4_t products) {
  // The top 6 bits name a byte of the line, the next 3 a bit of it. A table
  // lookup takes the byte's number from a lane's lowest byte; the other bytes
  // of the lane look up nothing of use.
  const uint8x16_t bytes =
      vqtbl4q_u8(line, vreinterpretq_u8_u32(vshrq_n_u32(products, 26)));
  const uint32x4_t bit = vandq_u32(vshrq_n_u32(products, 23), vdupq_n_u32(7));
  return vshlq_u32(vreinterpretq_u32_u8(bytes),
                   vnegq_s32(vreinterpretq_s32_u32(bit)));
}

ONELINE_TARGET static inline bool Probe(const uint8_t* line, uint64_t hash,
                                        LineContext context) {
  const uint32_t num_probes = context.parameter;
  const uint64_t mix = LineMix(hash);
  const uint8x16x4_t whole = {{vld1q_u8(line), vld1q_u8(line + 16),
                               vld1q_u8(line + 32), vld1q_u8(line + 48)}};
  const uint32x4_t lanes = {0, 1, 2, 3};
  for (uint32_t first = 0; first < num_probes; first += kGroupProbes) {
    const uint32x4_t half =
        vdupq_n_u32(HalfOfGroup(mix, static_cast<int>(first)));
    // Lanes past the last probe find what they look for.
    const uint32x4_t probes_left = vdupq_n_u32(num_probes - first);
    const uint32x4_t low = vorrq_u32(
        BitsAt(whole, vmulq_u32(half, vld1q_u32(&kMultipliers[first]))),
        vcgeq_u32(lanes, probes_left));
    const uint32x4_t high = vorrq_u32(
        BitsAt(whole, vmulq_u32(half, vld1q_u32(&kMultipliers[first + 4]))),
        vcgeq_u32(vaddq_u32(lanes, vdupq_n_u32(4)), probes_left));
    const uint32x4_t found = vandq_u32(vandq_u32(low, high), vdupq_n_u32(1));
    if (vminvq_u32(found) == 0) return false;
  }
  return true;
}

#include "table/simd/lookups.inc"

}  // namespace neon
}  // namespace blocked_bloom
}  // namespace oneline

#endif  // defined(__aarch64__)
