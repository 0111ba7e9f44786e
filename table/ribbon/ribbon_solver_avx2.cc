// Eight lanes are two registers. Columns are read off an echelon form sixteen
// at a time.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

#include "table/ribbon/ribbon_solver.h"
#include "table/ribbon/ribbon_x86.h"

#define ONELINE_TARGET ONELINE_HASWELL

namespace oneline {
namespace blocked_ribbon {
namespace {

struct Lanes {
  __m256i low;
  __m256i high;
};

ONELINE_TARGET inline Lanes Load(const uint64_t* lanes) {
  const __m256i* const halves = reinterpret_cast<const __m256i*>(lanes);
  return {_mm256_load_si256(halves), _mm256_load_si256(halves + 1)};
}
ONELINE_TARGET inline void Store(const Lanes& x, uint64_t* lanes) {
  __m256i* const halves = reinterpret_cast<__m256i*>(lanes);
  _mm256_store_si256(halves, x.low);
  _mm256_store_si256(halves + 1, x.high);
}
ONELINE_TARGET inline Lanes Zero() {
  return {_mm256_setzero_si256(), _mm256_setzero_si256()};
}
ONELINE_TARGET inline Lanes Sub(const Lanes& x, const Lanes& y) {
  return {_mm256_sub_epi64(x.low, y.low), _mm256_sub_epi64(x.high, y.high)};
}
ONELINE_TARGET inline Lanes And(const Lanes& x, const Lanes& y) {
  return {_mm256_and_si256(x.low, y.low), _mm256_and_si256(x.high, y.high)};
}
ONELINE_TARGET inline Lanes Or(const Lanes& x, const Lanes& y) {
  return {_mm256_or_si256(x.low, y.low), _mm256_or_si256(x.high, y.high)};
}
ONELINE_TARGET inline Lanes AllBut(uint64_t bits) {
  const __m256i half = _mm256_set1_epi64x(static_cast<int64_t>(~bits));
  return {half, half};
}
ONELINE_TARGET inline Lanes ShiftRight(const Lanes& x, const Lanes& by) {
  return {_mm256_srlv_epi64(x.low, by.low), _mm256_srlv_epi64(x.high, by.high)};
}
ONELINE_TARGET inline __m256i XorUnlessZero(__m256i z, __m256i y,
                                            __m256i common) {
  return _mm256_xor_si256(
      z, _mm256_andnot_si256(_mm256_cmpeq_epi64(common, _mm256_setzero_si256()),
                             y));
}
ONELINE_TARGET inline Lanes XorIfCommon2(const Lanes& z, const Lanes& y,
                                         const Lanes& x, const Lanes& bits) {
  const Lanes common = And(x, bits);
  return {XorUnlessZero(z.low, y.low, common.low),
          XorUnlessZero(z.high, y.high, common.high)};
}
ONELINE_TARGET inline Lanes XorIfCommon(const Lanes& x, const Lanes& bits,
                                        const Lanes& y) {
  return XorIfCommon2(x, y, x, bits);
}
ONELINE_TARGET inline Lanes AddIfNonZero(const Lanes& count, const Lanes& x) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i one = _mm256_set1_epi64x(1);
  return {
      _mm256_add_epi64(count.low,
                       _mm256_add_epi64(one, _mm256_cmpeq_epi64(x.low, zero))),
      _mm256_add_epi64(
          count.high, _mm256_add_epi64(one, _mm256_cmpeq_epi64(x.high, zero)))};
}

#include "table/ribbon/ribbon_eliminate.inc"

// One column: each row waits for the one before.
ONELINE_TARGET void SubstituteColumn(const Echelon& echelon, uint32_t rows,
                                     Columns* columns) {
  uint64_t window = 0;
  for (uint32_t row = rows; row-- > 0;) {
    window <<= 1;
    window |= (static_cast<uint64_t>(
                   _mm_popcnt_u64(window & echelon.coefficients[row])) ^
               echelon.right_sides[row]) &
              1;
    if (row % 64 == 0) columns->words[row / 64][0] = window;
  }
}

// The sum of those of 64 rows, of 16 columns each, that have a coefficient.
ONELINE_TARGET inline uint32_t SumOfRows(const uint16_t* rows,
                                         uint64_t coefficients) {
  const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
                                        1024, 2048, 4096, 8192, 16384, -32768);
  __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i, coefficients >>= 16) {
    const __m256i chosen = _mm256_cmpeq_epi16(
        _mm256_and_si256(_mm256_set1_epi16(static_cast<int16_t>(coefficients)),
                         bit),
        bit);
    const __m256i sixteen =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + 16 * i));
    sum = _mm256_xor_si256(sum, _mm256_and_si256(chosen, sixteen));
  }
  __m128i x = _mm_xor_si128(_mm256_castsi256_si128(sum),
                            _mm256_extracti128_si256(sum, 1));
  x = _mm_xor_si128(x, _mm_srli_si128(x, 8));
  x = _mm_xor_si128(x, _mm_srli_si128(x, 4));
  x = _mm_xor_si128(x, _mm_srli_si128(x, 2));
  return static_cast<uint32_t>(_mm_cvtsi128_si32(x));
}

// From 64 rows of 16 columns to columns of 64 rows.
ONELINE_TARGET void Transpose(const uint16_t* rows, uint64_t* columns) {
  std::fill_n(columns, 16, 0);
  for (int half = 0; half < 2; ++half) {
    const auto* const from = reinterpret_cast<const __m256i*>(rows + 32 * half);
    const __m256i first = _mm256_loadu_si256(from);
    const __m256i last = _mm256_loadu_si256(from + 1);
    const __m256i low_byte = _mm256_set1_epi16(255);
    __m256i bytes[2] = {_mm256_packus_epi16(_mm256_and_si256(first, low_byte),
                                            _mm256_and_si256(last, low_byte)),
                        _mm256_packus_epi16(_mm256_srli_epi16(first, 8),
                                            _mm256_srli_epi16(last, 8))};
    for (int byte = 0; byte < 2; ++byte) {
      // Packing takes turns between the halves of both.
      __m256i x = _mm256_permute4x64_epi64(bytes[byte], 0xd8);
      for (int bit = 7; bit >= 0; --bit, x = _mm256_add_epi8(x, x)) {
        columns[8 * byte + bit] |=
            uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(x))}
            << (32 * half);
      }
    }
  }
}

// Sixteen columns at a time, a row after the other.
ONELINE_TARGET void Substitute(const Echelon& echelon, uint32_t rows,
                               uint32_t num_columns, Columns* columns) {
  if (num_columns == 1) return SubstituteColumn(echelon, rows, columns);
  for (uint32_t column = 0; column < num_columns; column += 16) {
    uint16_t by_row[kMaxRows + 2 * kWindowRows];
    std::fill_n(by_row, rows + kWindowRows, 0);
    for (uint32_t row = rows; row-- > 0;) {
      by_row[row] = static_cast<uint16_t>(
          SumOfRows(by_row + row, echelon.coefficients[row]) ^
          echelon.right_sides[row] >> column);
    }
    for (uint32_t row = 0; row < rows; row += 64) {
      Transpose(by_row + row, columns->words[row / 64] + column);
    }
  }
}

#include "table/ribbon/ribbon_right_sides_x86.inc"

}  // namespace

constexpr Solver kHaswellSolver = {EliminateDense,
                                   EliminateDenseWithTop,
                                   EliminateDenseWithRight,
                                   EliminateBandWithRight,
                                   Substitute,
                                   RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
