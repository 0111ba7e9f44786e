// What the x86-64 kernels and solvers of the blocked Ribbon share: expected
// bits as vectors, and short lines as 64 bytes.

#ifndef ONELINE_TABLE_RIBBON_LINE_RIBBON_X86_H_
#define ONELINE_TABLE_RIBBON_LINE_RIBBON_X86_H_

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstdint>

#include "table/hash/little_endian.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/simd/lookups.h"

namespace oneline {
namespace blocked_ribbon {

// The expected bits of a key for half 0 or 1 of a line. Always inlined, so that
// it is compiled for the instruction set of its caller.
__attribute__((always_inline))
ONELINE_WITH(ONELINE_AVX2_FEATURES) inline __m256i
    ExpectedHalf(uint64_t mix, int half) {
  const __m256i bits = _mm256_set1_epi64x(static_cast<int64_t>(mix));
  const auto* const low =
      reinterpret_cast<const __m256i*>(kExpectedBitsLow + 16 * half);
  const auto* const high =
      reinterpret_cast<const __m256i*>(kExpectedBitsHigh + 16 * half);
  return _mm256_xor_si256(_mm256_mullo_epi16(bits, _mm256_load_si256(low)),
                          _mm256_mulhrs_epi16(bits, _mm256_load_si256(high)));
}

// Quarter i, 0 to 3, of a short line that is moved to the end of 64 bytes, with
// zeros before it. No byte outside the line is read. Always inlined: SSE2 is in
// every set.
__attribute__((always_inline)) inline __m128i ShortLineQuarter(ShortLine line,
                                                               uint32_t i) {
  const int32_t first =
      static_cast<int32_t>(line.num_bytes) - 64 + 16 * static_cast<int32_t>(i);
  if (first >= 0) {
    return _mm_loadu_si128(
        reinterpret_cast<const __m128i*>(line.bytes + first));
  }
  if (first <= -16) return _mm_setzero_si128();
  // The line's first 1 to 15 bytes.
  const uint64_t begin = GetLittleEndian<uint64_t>(line.bytes);
  if (first <= -8) {
    return _mm_set_epi64x(static_cast<int64_t>(begin << (8 * (-first - 8))), 0);
  }
  return _mm_set_epi64x(
      static_cast<int64_t>(GetLittleEndian<uint64_t>(line.bytes + first + 8)),
      static_cast<int64_t>(begin << (8 * -first)));
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)

#endif  // ONELINE_TABLE_RIBBON_LINE_RIBBON_X86_H_
