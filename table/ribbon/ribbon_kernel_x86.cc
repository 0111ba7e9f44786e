// The x86-64 kernels of the blocked Ribbon, each in the namespace of its set.
//
// Product i of the line's word i and the coefficients has 128 bits, of which
// the lower half belongs to word i of the whole and the upper one to word i
// + 1. Even products lie as they are, odd ones are moved up by a word.

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/ribbon_line/ribbon_x86.h"

namespace oneline {
namespace blocked_ribbon {

// For any processor with PCLMULQDQ.
namespace pclmul {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_PCLMUL_FEATURES)
#include "table/ribbon/ribbon_kernel_x86_128.inc"
#include "table/simd/lookups.inc"
}  // namespace pclmul

// For processors without VPCLMULQDQ, which multiply two words at a time: with
// AVX the same text needs fewer copies.
namespace avx2 {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_AVX2_FEATURES)
#include "table/ribbon/ribbon_kernel_x86_128.inc"
#include "table/simd/lookups.inc"
}  // namespace avx2

// The line in two registers, two products of 128 bits at once.
namespace vpclmul {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_VPCLMUL_FEATURES)

ONELINE_TARGET static inline __m256i Load(const void* half) {
  return _mm256_load_si256(static_cast<const __m256i*>(half));
}

ONELINE_TARGET static inline bool Matches(__m256i low, __m256i high,
                                          const Query& query) {
  const __m256i coefficients =
      _mm256_set1_epi64x(static_cast<int64_t>(query.coefficients));
  const __m256i even_low = _mm256_clmulepi64_epi128(low, coefficients, 0x00);
  const __m256i even_high = _mm256_clmulepi64_epi128(high, coefficients, 0x00);
  const __m256i odd_low = _mm256_clmulepi64_epi128(low, coefficients, 0x01);
  const __m256i odd_high = _mm256_clmulepi64_epi128(high, coefficients, 0x01);
  // The odd products before these, and zero before the first.
  const __m256i before_low = _mm256_permute2x128_si256(odd_low, odd_low, 0x08);
  const __m256i before_high =
      _mm256_permute2x128_si256(odd_low, odd_high, 0x21);
  const __m256i product_low =
      _mm256_xor_si256(even_low, _mm256_alignr_epi8(odd_low, before_low, 8));
  const __m256i product_high =
      _mm256_xor_si256(even_high, _mm256_alignr_epi8(odd_high, before_high, 8));
  const __m256i differs = _mm256_or_si256(
      _mm256_and_si256(
          _mm256_xor_si256(product_low, ExpectedHalf(query.mix, 0)),
          Load(query.mask)),
      _mm256_and_si256(
          _mm256_xor_si256(product_high, ExpectedHalf(query.mix, 1)),
          Load(query.mask + 4)));
  return _mm256_testz_si256(differs, differs) != 0;
}

ONELINE_TARGET static inline bool Probe(const uint8_t* line, uint64_t hash,
                                        LineContext context) {
  const auto* const halves = reinterpret_cast<const __m256i*>(line);
  return Matches(_mm256_loadu_si256(halves), _mm256_loadu_si256(halves + 1),
                 MakeQuery(line, hash, context));
}

ONELINE_TARGET static inline bool ProbeShort(ShortLine line, uint64_t hash,
                                             LineContext context) {
  return Matches(
      _mm256_set_m128i(ShortLineQuarter(line, 1), ShortLineQuarter(line, 0)),
      _mm256_set_m128i(ShortLineQuarter(line, 3), ShortLineQuarter(line, 2)),
      MakeQuery(line.bytes, hash, context));
}

#include "table/simd/lookups.inc"
}  // namespace vpclmul

// The line in one register, four carry-less products of 128 bits at once.
//
// Other multiplications have 256 bits: those of 512 lower the processor's clock
// for all that runs on the core, on an Intel Xeon (Sapphire Rapids) by 8 %
// (docs/internals/measurements.md).
namespace avx512 {
#define ONELINE_TARGET ONELINE_WITH(ONELINE_AVX512_FEATURES)

ONELINE_TARGET static inline bool Matches(__m512i line, const Query& query) {
  const __m512i coefficients =
      _mm512_set1_epi64(static_cast<int64_t>(query.coefficients));
  const __m512i even = _mm512_clmulepi64_epi128(line, coefficients, 0x00);
  const __m512i odd = _mm512_clmulepi64_epi128(line, coefficients, 0x01);
  const __m512i odd_moved = _mm512_alignr_epi64(odd, _mm512_setzero_si512(), 7);
  const __m512i expected =
      _mm512_inserti64x4(_mm512_castsi256_si512(ExpectedHalf(query.mix, 0)),
                         ExpectedHalf(query.mix, 1), 1);
  const __m512i differs =
      _mm512_ternarylogic_epi64(even, odd_moved, expected, 0x96);  // xor of all
  return _mm512_test_epi64_mask(differs, _mm512_load_si512(query.mask)) == 0;
}

ONELINE_TARGET static inline bool Probe(const uint8_t* line, uint64_t hash,
                                        LineContext context) {
  return Matches(_mm512_loadu_si512(line), MakeQuery(line, hash, context));
}

ONELINE_TARGET static inline bool ProbeShort(ShortLine line, uint64_t hash,
                                             LineContext context) {
  const uint32_t missing = kLineBytes - line.num_bytes;
  return Matches(
      _mm512_maskz_loadu_epi8(~uint64_t{0} << missing, line.bytes - missing),
      MakeQuery(line.bytes, hash, context));
}

#include "table/simd/lookups.inc"
}  // namespace avx512

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
