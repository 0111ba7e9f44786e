// Two lanes are one register of 128 bits, for x86-64 processors without AVX2.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "table/ribbon_solver/ribbon_solver.h"

#define ONELINE_TARGET ONELINE_PCLMUL

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kWidth = 2;

#include "table/ribbon_solver/ribbon_lanes.inc"

ONELINE_TARGET inline Lanes AreZero(Lanes x) { return Lanes(x == Lanes{}); }
// There is one count for both lanes.
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  const auto in = reinterpret_cast<__m128i>(x);
  const auto count = reinterpret_cast<__m128i>(by);
  return Lanes(_mm_blend_epi16(
      _mm_srl_epi64(in, count),
      _mm_srl_epi64(in, _mm_unpackhi_epi64(count, count)), 0xf0));
}
// Each byte's by a table of its folded four bits, and the sum of these.
ONELINE_TARGET inline Lanes Parity(Lanes x) {
  const __m128i table =
      _mm_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
  const auto folded =
      reinterpret_cast<__m128i>((x ^ x >> 4) & Broadcast(0x0f0f0f0f0f0f0f0f));
  return Lanes(
      _mm_sad_epu8(_mm_shuffle_epi8(table, folded), _mm_setzero_si128()));
}

typedef uint16_t Words __attribute__((vector_size(16)));
ONELINE_TARGET inline Words RoundedProduct(Words x, Words y) {
  return Words(_mm_mulhrs_epi16(reinterpret_cast<__m128i>(x),
                                reinterpret_cast<__m128i>(y)));
}

#include "table/ribbon_solver/ribbon_compared_lanes.inc"
#include "table/ribbon_solver/ribbon_right_sides_128.inc"
#include "table/ribbon_solver/ribbon_solve.inc"

}  // namespace

constexpr Solver kPclmulSolver = {EliminateDense,  EliminateBand, Transpose,
                                  SubstituteDense, Substitute,    RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
