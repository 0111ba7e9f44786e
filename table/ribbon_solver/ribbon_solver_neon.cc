// Two lanes are one register of 128 bits, for arm64.
#if defined(__aarch64__)

#include <arm_neon.h>

#include <cstring>

#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {
namespace neon {

#define ONELINE_TARGET ONELINE_WITH(ONELINE_NEON_FEATURES)

typedef uint64_t Lanes __attribute__((vector_size(16)));

ONELINE_TARGET static inline Lanes AreZero(Lanes x) {
  return Lanes(x == Lanes{});
}
// A shift to the right is one to the left by a negative count, of 8 bits.
ONELINE_TARGET static inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(vshlq_u64(reinterpret_cast<uint64x2_t>(x),
                         reinterpret_cast<int64x2_t>(-by))) &
         Lanes(by < Lanes{} + 64);
}
// The sum of the bytes' bits.
ONELINE_TARGET static inline Lanes Parity(Lanes x) {
  return Lanes(vpaddlq_u32(
      vpaddlq_u16(vpaddlq_u8(vcntq_u8(reinterpret_cast<uint8x16_t>(x))))));
}

ONELINE_TARGET static inline Words RoundedProduct(Words x, Words y) {
  return Words(vqrdmulhq_s16(reinterpret_cast<int16x8_t>(x),
                             reinterpret_cast<int16x8_t>(y)));
}

#include "table/ribbon_solver/ribbon_lane_pairs.inc"
#include "table/ribbon_solver/ribbon_solve.inc"

}  // namespace neon
}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__aarch64__)
