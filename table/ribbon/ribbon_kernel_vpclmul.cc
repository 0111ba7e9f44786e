// The VPCLMULQDQ kernel of the blocked Ribbon: the line in two registers, two
// products of 128 bits at once.

#if defined(__x86_64__)

#include <immintrin.h>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_query.h"
#include "table/ribbon_line/ribbon_x86.h"

#define ONELINE_TARGET ONELINE_VPCLMUL

namespace oneline {
namespace blocked_ribbon {
namespace {

ONELINE_TARGET inline __m256i Load(const void* half) {
  return _mm256_load_si256(static_cast<const __m256i*>(half));
}

// Product i of the line's word i and the coefficients has 128 bits, of which
// the lower half belongs to word i of the whole and the upper one to word i
// + 1. Even products lie as they are, odd ones are moved up by a word.
ONELINE_TARGET inline bool Matches(__m256i low, __m256i high,
                                   const Query& query) {
  const __m256i coefficients =
      _mm256_set1_epi64x(static_cast<int64_t>(query.coefficients));
  const __m256i even_low = _mm256_clmulepi64_epi128(low, coefficients, 0x00);
  const __m256i even_high = _mm256_clmulepi64_epi128(high, coefficients, 0x00);
  // Turned by a word: 3, 0, 1, 2.
  const __m256i odd_low = _mm256_permute4x64_epi64(
      _mm256_clmulepi64_epi128(low, coefficients, 0x01), 0x93);
  const __m256i odd_high = _mm256_permute4x64_epi64(
      _mm256_clmulepi64_epi128(high, coefficients, 0x01), 0x93);
  const __m256i product_low = _mm256_xor_si256(
      even_low, _mm256_blend_epi32(odd_low, _mm256_setzero_si256(), 0x03));
  const __m256i product_high =
      _mm256_xor_si256(even_high, _mm256_blend_epi32(odd_high, odd_low, 0x03));
  const __m256i differs = _mm256_or_si256(
      _mm256_and_si256(
          _mm256_xor_si256(product_low, ExpectedHalf(query.mix, 0)),
          Load(query.mask)),
      _mm256_and_si256(
          _mm256_xor_si256(product_high, ExpectedHalf(query.mix, 1)),
          Load(query.mask + 4)));
  return _mm256_testz_si256(differs, differs) != 0;
}

ONELINE_TARGET inline bool Probe(const uint8_t* line, uint64_t hash,
                                 LineContext context) {
  const auto* const halves = reinterpret_cast<const __m256i*>(line);
  return Matches(_mm256_loadu_si256(halves), _mm256_loadu_si256(halves + 1),
                 MakeQuery(line, hash, context));
}

ONELINE_TARGET inline bool ProbeShort(ShortLine line, uint64_t hash,
                                      LineContext context) {
  return Matches(
      _mm256_set_m128i(ShortLineQuarter(line, 1), ShortLineQuarter(line, 0)),
      _mm256_set_m128i(ShortLineQuarter(line, 3), ShortLineQuarter(line, 2)),
      MakeQuery(line.bytes, hash, context));
}

#include "table/simd/lookups.inc"

}  // namespace

constexpr ProbeKernel kVpclmulKernel = {&Probe, &Batch, &ProbeShort};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
