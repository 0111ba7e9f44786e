// Eight lanes are two registers. Columns are read off an echelon form one after
// the other, by population counts.
#if defined(__x86_64__)

#include <immintrin.h>

#include "table/ribbon/ribbon_solver.h"

#define ONELINE_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

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

// Four columns in step: each one's window waits for its own last bit.
ONELINE_TARGET void Substitute(const Echelon& echelon, uint32_t rows,
                               uint32_t num_columns, Columns* columns) {
  for (uint32_t column = 0; column < num_columns; column += 4) {
    uint64_t windows[4] = {};
    for (uint32_t row = rows; row-- > 0;) {
      const uint64_t coefficients = echelon.coefficients[row];
      const uint32_t right = echelon.right_sides[row] >> column;
#pragma GCC unroll 4
      for (uint32_t k = 0; k < 4; ++k) {
        windows[k] <<= 1;
        windows[k] |=
            (static_cast<uint64_t>(_mm_popcnt_u64(windows[k] & coefficients)) ^
             right >> k) &
            1;
        if (row % 64 == 0) columns->words[row / 64][column + k] = windows[k];
      }
    }
  }
}

}  // namespace

constexpr Solver kAvx2Solver = {EliminateDense, EliminateDenseWithTop,
                                EliminateDenseWithRight, EliminateBandWithRight,
                                Substitute};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
