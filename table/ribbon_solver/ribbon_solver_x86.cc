// The x86-64 solvers, each in the namespace of its set.

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "table/ribbon_line/ribbon_x86.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// Two lanes are one register of 128 bits, for processors without AVX2.
namespace pclmul {
#define ONELINE_TARGET ONELINE_PCLMUL

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
#undef ONELINE_TARGET
}  // namespace pclmul

// Four lanes, or four columns, are one register.
namespace avx2 {
#define ONELINE_TARGET ONELINE_AVX2

constexpr uint32_t kWidth = 4;

#include "table/ribbon_solver/ribbon_lanes.inc"

ONELINE_TARGET inline __m256i Register(Lanes x) {
  return reinterpret_cast<__m256i>(x);
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(_mm256_srlv_epi64(Register(x), Register(by)));
}
ONELINE_TARGET inline bool IsZero(Lanes x) {
  return _mm256_testz_si256(Register(x), Register(x)) != 0;
}
// x where y is not zero. Of ~(y == 0) GCC makes more than one instruction.
ONELINE_TARGET inline Lanes WhereNonZero(Lanes x, Lanes y) {
  return Lanes(_mm256_andnot_si256(
      _mm256_cmpeq_epi64(Register(y), _mm256_setzero_si256()), Register(x)));
}
ONELINE_TARGET inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  return z ^ WhereNonZero(y, x & bits);
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return count + WhereNonZero(Broadcast(1), x);
}

// There is no population count of lanes: each byte's by a table of its folded
// four bits, and the sum of these.
ONELINE_TARGET inline Lanes Parity(Lanes x) {
  const __m256i table =
      _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1,
                       0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
  const Lanes folded = (x ^ x >> 4) & Broadcast(0x0f0f0f0f0f0f0f0f);
  return Lanes(_mm256_sad_epu8(_mm256_shuffle_epi8(table, Register(folded)),
                               _mm256_setzero_si256()));
}

#include "table/ribbon_solver/ribbon_right_sides_x86.inc"
#include "table/ribbon_solver/ribbon_solve.inc"
#undef ONELINE_TARGET
}  // namespace avx2

// Eight lanes, or eight columns, are one register.
namespace avx512 {
#define ONELINE_TARGET ONELINE_AVX512

constexpr uint32_t kWidth = 8;

#include "table/ribbon_solver/ribbon_lanes.inc"

ONELINE_TARGET inline __m512i Register(Lanes x) {
  return reinterpret_cast<__m512i>(x);
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(_mm512_srlv_epi64(Register(x), Register(by)));
}
ONELINE_TARGET inline __mmask8 HaveCommon(Lanes x, Lanes y) {
  return _mm512_test_epi64_mask(Register(x), Register(y));
}
ONELINE_TARGET inline bool IsZero(Lanes x) { return HaveCommon(x, x) == 0; }
ONELINE_TARGET inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  return Lanes(_mm512_mask_xor_epi64(Register(z), HaveCommon(x, bits),
                                     Register(z), Register(y)));
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return Lanes(_mm512_mask_add_epi64(Register(count), HaveCommon(x, x),
                                     Register(count), _mm512_set1_epi64(1)));
}
ONELINE_TARGET inline Lanes Parity(Lanes x) {
  return Lanes(_mm512_popcnt_epi64(Register(x)));
}

#include "table/ribbon_solver/ribbon_right_sides_x86.inc"
#include "table/ribbon_solver/ribbon_solve.inc"
#undef ONELINE_TARGET
}  // namespace avx512

}  // namespace

constexpr Solver kPclmulSolver = {
    pclmul::EliminateDense,  pclmul::EliminateBand, pclmul::Transpose,
    pclmul::SubstituteDense, pclmul::Substitute,    pclmul::RightSides};
constexpr Solver kAvx2Solver = {avx2::EliminateDense, avx2::EliminateBand,
                                avx2::Transpose,      avx2::SubstituteDense,
                                avx2::Substitute,     avx2::RightSides};
constexpr Solver kAvx512Solver = {
    avx512::EliminateDense,  avx512::EliminateBand, avx512::Transpose,
    avx512::SubstituteDense, avx512::Substitute,    avx512::RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
