// The AVX2 kernel of the blocked Bloom filter: eight probes at a time.

#if defined(__x86_64__)

#include <immintrin.h>

#include "table/bloom/blocked_bloom.h"

namespace oneline {
namespace blocked_bloom {
namespace avx2 {

#define ONELINE_TARGET ONELINE_WITH(ONELINE_AVX2_FEATURES)

ONELINE_TARGET static inline bool Probe(const uint8_t* line, uint64_t hash,
                                        LineContext context) {
  const int num_probes = context.parameter;
  const uint64_t mix = LineMix(hash);
  const __m256i low =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line));
  const __m256i high =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line + 32));
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (int first = 0; first < num_probes; first += kGroupProbes) {
    const uint32_t half = HalfOfGroup(mix, first);
    const __m256i product = _mm256_mullo_epi32(
        _mm256_set1_epi32(static_cast<int>(half)),
        _mm256_loadu_si256(
            reinterpret_cast<const __m256i*>(&kMultipliers[first])));
    // A product's top 4 bits are the number of a 32-bit word of the line, its
    // next 5 a bit of that word. The permutations look at 3 bits of the word's
    // number; the fourth, the sign, chooses the half of the line.
    const __m256i word = _mm256_srli_epi32(product, 28);
    const __m256i words = _mm256_castps_si256(_mm256_blendv_ps(
        _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, word)),
        _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, word)),
        _mm256_castsi256_ps(product)));
    // Lanes past the last probe look for no bit, and so find it.
    const __m256i in_use =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(num_probes - first), lane);
    const __m256i bit =
        _mm256_and_si256(_mm256_srli_epi32(product, 23), _mm256_set1_epi32(31));
    const __m256i wanted =
        _mm256_sllv_epi32(_mm256_srli_epi32(in_use, 31), bit);
    if (!_mm256_testc_si256(words, wanted)) return false;
  }
  return true;
}

#include "table/simd/lookups.inc"

}  // namespace avx2
}  // namespace blocked_bloom
}  // namespace oneline

#endif  // __x86_64__
