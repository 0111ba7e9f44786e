// The AVX-512 kernel of the blocked Bloom filter: the line in one register,
// eight probes at a time.
//
// Sixteen at a time would need a multiplication of 512 bits, and those lower
// the processor's clock: on an Intel Xeon (Sapphire Rapids) by 8 %, for all
// that runs on the core, and still by 6 % with one every 0.1 ms. Moves,
// permutations, logic and carry-less products of 512 bits do not
// (bench/filters/wide_instructions.cc).

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

ONELINE_TARGET inline bool Probe(const uint8_t* line, uint64_t hash,
                                 LineContext context) {
  const int num_probes = context.parameter;
  const uint64_t mix = LineMix(hash);
  const __m512i whole = _mm512_loadu_si512(line);
  for (int first = 0; first < num_probes; first += kGroupProbes) {
    const uint32_t half = HalfOfGroup(mix, first);
    const __m256i product = _mm256_mullo_epi32(
        _mm256_set1_epi32(static_cast<int>(half)),
        _mm256_loadu_si256(
            reinterpret_cast<const __m256i*>(&kMultipliers[first])));
    // A product's top 4 bits are the number of a 32-bit word of the line, its
    // next 5 a bit of that word (a rotation counts modulo 32 by itself).
    const __m512i word = _mm512_castsi256_si512(_mm256_srli_epi32(product, 28));
    const __m256i words =
        _mm512_castsi512_si256(_mm512_permutexvar_epi32(word, whole));
    const __m256i bits =
        _mm256_rolv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(product, 23));
    const auto in_use = static_cast<__mmask8>((1u << (num_probes - first)) - 1);
    if (_mm256_mask_testn_epi32_mask(in_use, words, bits) != 0) return false;
  }
  return true;
}

ONELINE_TARGET inline bool ProbeShort(ShortLine line, uint64_t hash,
                                      LineContext context) {
  return ShortLineMayMatch(line, hash, context.parameter);
}

#include "table/simd/lookups.inc"

}  // namespace

constexpr ProbeKernel kAvx512Kernel = {&One, &Batch, &Short};

}  // namespace blocked_bloom
}  // namespace oneline

#endif  // __x86_64__
