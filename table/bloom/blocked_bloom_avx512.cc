// The AVX-512 kernel of the blocked Bloom filter: the line in one register,
// sixteen probes at a time.

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/bloom/blocked_bloom.h"

#define ONELINE_TARGET ONELINE_AVX512

namespace oneline {
namespace blocked_bloom {
namespace {

// True if the bits that the lanes of `products` name are set, in those lanes
// that `in_use` has.
ONELINE_TARGET inline bool AllSet(__m512i line, __m512i products,
                                  __mmask16 in_use) {
  // A product's top 4 bits are the number of a 32-bit word of the line, its
  // next 5 a bit of that word (a rotation counts modulo 32 by itself).
  const __m512i words =
      _mm512_permutexvar_epi32(_mm512_srli_epi32(products, 28), line);
  const __m512i bits =
      _mm512_rolv_epi32(_mm512_set1_epi32(1), _mm512_srli_epi32(products, 23));
  return _mm512_mask_testn_epi32_mask(in_use, words, bits) == 0;
}

ONELINE_TARGET inline bool Probe(const uint8_t* line, uint64_t hash,
                                 LineContext context) {
  const uint32_t num_probes = context.parameter;
  const uint64_t mix = LineMix(hash);
  const __m512i a = _mm512_set1_epi32(static_cast<int>(mix >> 32));
  const __m512i b = _mm512_set1_epi32(static_cast<int>(mix));
  const __m512i whole = _mm512_loadu_si512(line);
  const uint32_t in_use = (1u << num_probes) - 1;
  const __m512i first =
      _mm512_mullo_epi32(_mm512_mask_mov_epi32(a, 0xff00, b),
                         _mm512_loadu_si512(kMultipliers.data()));
  if (!AllSet(whole, first, static_cast<__mmask16>(in_use))) return false;
  if (num_probes <= 16) return true;
  const __m512i last = _mm512_mullo_epi32(
      a, _mm512_maskz_loadu_epi32(0x00ff, kMultipliers.data() + 16));
  return AllSet(whole, last, static_cast<__mmask16>(in_use >> 16));
}

ONELINE_TARGET inline bool ProbeShort(ShortLine line, uint64_t hash,
                                      LineContext context) {
  return ShortLineMayMatch(line, hash, context.parameter);
}

#include "table/simd/lookups.inc"

}  // namespace

ONELINE_TARGET bool MayMatchAvx512(const uint8_t* line, uint64_t hash,
                                   LineContext context) {
  return Probe(line, hash, context);
}

constexpr ProbeKernel kAvx512Kernel = {&MayMatchAvx512, &Batch, &Short};

}  // namespace blocked_bloom
}  // namespace oneline

#endif  // __x86_64__
