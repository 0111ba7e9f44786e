// The AVX-512 kernel of the blocked Ribbon: the line in one register, four
// carry-less products of 128 bits at once.
//
// Other multiplications have 256 bits. Those of 512 lower the processor's
// clock: on an Intel Xeon (Sapphire Rapids) by 8 %, for all that runs on the
// core, and still by 6 % with one every 0.1 ms. Moves, permutations, logic and
// carry-less products of 512 bits do not (bench/filters/wide_instructions.cc).

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_query.h"
#include "table/ribbon_line/ribbon_x86.h"

#define ONELINE_TARGET ONELINE_AVX512

namespace oneline {
namespace blocked_ribbon {
namespace {

// Product i of the line's word i and the coefficients has 128 bits, of which
// the lower half belongs to word i of the whole and the upper one to word i
// + 1. Even products lie as they are, odd ones are moved up by a word.
ONELINE_TARGET inline bool Matches(__m512i line, const Query& query) {
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

ONELINE_TARGET inline bool Probe(const uint8_t* line, uint64_t hash,
                                 LineContext context) {
  return Matches(_mm512_loadu_si512(line), MakeQuery(line, hash, context));
}

ONELINE_TARGET inline bool ProbeShort(ShortLine line, uint64_t hash,
                                      LineContext context) {
  const uint32_t missing = kLineBytes - line.num_bytes;
  return Matches(
      _mm512_maskz_loadu_epi8(~uint64_t{0} << missing, line.bytes - missing),
      MakeQuery(line.bytes, hash, context));
}

#include "table/simd/lookups.inc"

}  // namespace

constexpr ProbeKernel kAvx512Kernel = {&Probe, &Batch, &ProbeShort};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
