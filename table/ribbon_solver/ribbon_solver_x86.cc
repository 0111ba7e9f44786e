// The x86-64 solvers, each in the namespace of its set.

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <cstring>

#include "table/ribbon_line/ribbon_x86.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

// Two lanes are one register of 128 bits, for processors without AVX2.
namespace pclmul {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_PCLMUL_FEATURES)

typedef uint64_t Lanes __attribute__((vector_size(16)));

ONELINE_TARGET static inline Lanes AreZero(Lanes x) {
  return Lanes(x == Lanes{});
}
// There is one count for both lanes.
ONELINE_TARGET static inline Lanes ShiftRight(Lanes x, Lanes by) {
  const auto in = reinterpret_cast<__m128i>(x);
  const auto count = reinterpret_cast<__m128i>(by);
  return Lanes(_mm_blend_epi16(
      _mm_srl_epi64(in, count),
      _mm_srl_epi64(in, _mm_unpackhi_epi64(count, count)), 0xf0));
}
// Each byte's by a table of its folded four bits, and the sum of these.
ONELINE_TARGET static inline Lanes Parity(Lanes x) {
  const __m128i table =
      _mm_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
  const auto folded =
      reinterpret_cast<__m128i>((x ^ x >> 4) & (Lanes{} + 0x0f0f0f0f0f0f0f0f));
  return Lanes(
      _mm_sad_epu8(_mm_shuffle_epi8(table, folded), _mm_setzero_si128()));
}

ONELINE_TARGET static inline Words RoundedProduct(Words x, Words y) {
  return Words(_mm_mulhrs_epi16(reinterpret_cast<__m128i>(x),
                                reinterpret_cast<__m128i>(y)));
}

#include "table/ribbon_solver/ribbon_lane_pairs.inc"
#include "table/ribbon_solver/ribbon_solve.inc"
}  // namespace pclmul

// Four lanes, or four columns, are one register.
namespace avx2 {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_AVX2_FEATURES)

typedef uint64_t Lanes __attribute__((vector_size(32)));

ONELINE_TARGET static inline __m256i Register(Lanes x) {
  return reinterpret_cast<__m256i>(x);
}
ONELINE_TARGET static inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(_mm256_srlv_epi64(Register(x), Register(by)));
}
ONELINE_TARGET static inline bool IsZero(Lanes x) {
  return _mm256_testz_si256(Register(x), Register(x)) != 0;
}
// x where y is not zero. Of ~(y == 0) GCC makes more than one instruction.
ONELINE_TARGET static inline Lanes WhereNonZero(Lanes x, Lanes y) {
  return Lanes(_mm256_andnot_si256(
      _mm256_cmpeq_epi64(Register(y), _mm256_setzero_si256()), Register(x)));
}
ONELINE_TARGET static inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x,
                                               Lanes bits) {
  return z ^ WhereNonZero(y, x & bits);
}
ONELINE_TARGET static inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return count + WhereNonZero(Lanes{} + 1, x);
}

// There is no population count of lanes: each byte's by a table of its folded
// four bits, and the sum of these.
ONELINE_TARGET static inline Lanes Parity(Lanes x) {
  const __m256i table =
      _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1,
                       0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
  const Lanes folded = (x ^ x >> 4) & (Lanes{} + 0x0f0f0f0f0f0f0f0f);
  return Lanes(_mm256_sad_epu8(_mm256_shuffle_epi8(table, Register(folded)),
                               _mm256_setzero_si256()));
}

// Bit i: whether the 32 bits i and the mask have none in common.
ONELINE_TARGET static inline uint32_t NoneInCommon(__m256i x,
                                                   const uint64_t* mask) {
  const __m256i common = _mm256_and_si256(
      x, _mm256_load_si256(reinterpret_cast<const __m256i*>(mask)));
  return static_cast<uint32_t>(_mm256_movemask_ps(
      _mm256_castsi256_ps(_mm256_cmpeq_epi32(common, _mm256_setzero_si256()))));
}

ONELINE_TARGET static inline uint32_t NonZero(const uint64_t* mask) {
  const __m256i all = _mm256_set1_epi32(-1);
  return (NoneInCommon(all, mask) | NoneInCommon(all, mask + 4) << 8) ^ 0xffff;
}

// For columns of 32 rows and more: no 32 bits have more than one of the mask.
ONELINE_TARGET static void SparseRightSides(const uint64_t* hashes,
                                            const uint64_t* mask, uint32_t n,
                                            uint32_t* right_sides) {
  const uint32_t used = NonZero(mask);
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t mix = LineMix(hashes[i]);
    const uint32_t zeros = NoneInCommon(ExpectedHalf(mix, 0), mask) |
                           NoneInCommon(ExpectedHalf(mix, 1), mask + 4) << 8;
    right_sides[i] = _pext_u32(~zeros, used);
  }
}

// For columns of fewer rows.
ONELINE_TARGET static void CrowdedRightSides(const uint64_t* hashes,
                                             const uint64_t* mask, uint32_t n,
                                             uint32_t* right_sides) {
  alignas(32) uint64_t expected[kLineBytes / 8];
  for (uint32_t i = 0; i < n; ++i) {
    for (int half = 0; half < 2; ++half) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(expected + 4 * half),
                         ExpectedHalf(LineMix(hashes[i]), half));
    }
    uint64_t bits = 0;
    for (uint32_t word = kLineBytes / 8; word-- > 0;) {
      bits = bits << _mm_popcnt_u64(mask[word]) |
             _pext_u64(expected[word], mask[word]);
    }
    right_sides[i] = static_cast<uint32_t>(bits);
  }
}

ONELINE_TARGET static void RightSides(const uint64_t* hashes,
                                      const uint64_t* mask, uint32_t n,
                                      uint32_t rows, uint32_t* right_sides) {
  if (rows >= 32) {
    SparseRightSides(hashes, mask, n, right_sides);
  } else {
    CrowdedRightSides(hashes, mask, n, right_sides);
  }
}

#include "table/ribbon_solver/ribbon_solve.inc"
}  // namespace avx2

// Eight lanes, or eight columns, are one register.
namespace avx512 {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_AVX512_FEATURES)

typedef uint64_t Lanes __attribute__((vector_size(64)));

ONELINE_TARGET static inline __m512i Register(Lanes x) {
  return reinterpret_cast<__m512i>(x);
}
ONELINE_TARGET static inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(_mm512_srlv_epi64(Register(x), Register(by)));
}
ONELINE_TARGET static inline __mmask8 HaveCommon(Lanes x, Lanes y) {
  return _mm512_test_epi64_mask(Register(x), Register(y));
}
ONELINE_TARGET static inline bool IsZero(Lanes x) {
  return HaveCommon(x, x) == 0;
}
ONELINE_TARGET static inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x,
                                               Lanes bits) {
  return Lanes(_mm512_mask_xor_epi64(Register(z), HaveCommon(x, bits),
                                     Register(z), Register(y)));
}
ONELINE_TARGET static inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return Lanes(_mm512_mask_add_epi64(Register(count), HaveCommon(x, x),
                                     Register(count), _mm512_set1_epi64(1)));
}
ONELINE_TARGET static inline Lanes Parity(Lanes x) {
  return Lanes(_mm512_popcnt_epi64(Register(x)));
}

using avx2::RightSides;  // has no use for more
#include "table/ribbon_solver/ribbon_solve.inc"
}  // namespace avx512

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
