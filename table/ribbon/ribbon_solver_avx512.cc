// Eight lanes are one register; columns are read off an echelon form eight at a
// time, too.
#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/ribbon/ribbon_solver.h"
#include "table/ribbon/ribbon_x86.h"

#define ONELINE_TARGET ONELINE_AVX512

namespace oneline {
namespace blocked_ribbon {
namespace {

using Lanes = __m512i;

ONELINE_TARGET inline Lanes Load(const uint64_t* lanes) {
  return _mm512_load_si512(lanes);
}
ONELINE_TARGET inline void Store(Lanes x, uint64_t* lanes) {
  _mm512_store_si512(lanes, x);
}
ONELINE_TARGET inline Lanes Zero() { return _mm512_setzero_si512(); }
ONELINE_TARGET inline Lanes Sub(Lanes x, Lanes y) {
  return _mm512_sub_epi64(x, y);
}
ONELINE_TARGET inline Lanes And(Lanes x, Lanes y) {
  return _mm512_and_si512(x, y);
}
ONELINE_TARGET inline Lanes Or(Lanes x, Lanes y) {
  return _mm512_or_si512(x, y);
}
ONELINE_TARGET inline Lanes AllBut(uint64_t bits) {
  return _mm512_set1_epi64(static_cast<int64_t>(~bits));
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return _mm512_srlv_epi64(x, by);
}
ONELINE_TARGET inline Lanes XorIfCommon2(Lanes z, Lanes y, Lanes x,
                                         Lanes bits) {
  return _mm512_mask_xor_epi64(z, _mm512_test_epi64_mask(x, bits), z, y);
}
ONELINE_TARGET inline Lanes XorIfCommon(Lanes x, Lanes bits, Lanes y) {
  return XorIfCommon2(x, y, x, bits);
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return _mm512_mask_add_epi64(count, _mm512_test_epi64_mask(x, x), count,
                               _mm512_set1_epi64(1));
}

#include "table/ribbon/ribbon_eliminate.inc"

template <uint32_t kVectors>
ONELINE_TARGET inline void SubstituteVectors(const Echelon& echelon,
                                             uint32_t rows, Columns* columns) {
  const __m512i one = _mm512_set1_epi64(1);
  __m512i windows[kVectors];
  __m512i lanes[kVectors];
  for (uint32_t v = 0; v < kVectors; ++v) {
    windows[v] = _mm512_setzero_si512();
    lanes[v] = _mm512_add_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                _mm512_set1_epi64(8 * v));
  }
  for (uint32_t row = rows; row-- > 0;) {
    const __m512i coefficients =
        _mm512_set1_epi64(static_cast<int64_t>(echelon.coefficients[row]));
    const __m512i right = _mm512_set1_epi64(echelon.right_sides[row]);
    for (uint32_t v = 0; v < kVectors; ++v) {
      const __m512i shifted = _mm512_add_epi64(windows[v], windows[v]);
      const __m512i sum = _mm512_xor_si512(
          _mm512_popcnt_epi64(_mm512_and_si512(shifted, coefficients)),
          _mm512_srlv_epi64(right, lanes[v]));
      windows[v] = _mm512_ternarylogic_epi64(shifted, sum, one,
                                             0xF8);  // shifted | (sum & one)
      if (row % 64 == 0)
        _mm512_store_si512(&columns->words[row / 64][8 * v], windows[v]);
    }
  }
}

ONELINE_TARGET void Substitute(const Echelon& echelon, uint32_t rows,
                               uint32_t num_columns, Columns* columns) {
  switch ((num_columns + 7) / 8) {
    case 1:
      return SubstituteVectors<1>(echelon, rows, columns);
    case 2:
      return SubstituteVectors<2>(echelon, rows, columns);
    case 3:
      return SubstituteVectors<3>(echelon, rows, columns);
    default:
      return SubstituteVectors<4>(echelon, rows, columns);
  }
}

#include "table/ribbon/ribbon_right_sides_x86.inc"

}  // namespace

constexpr Solver kAvx512Solver = {EliminateDense,
                                  EliminateDenseWithTop,
                                  EliminateDenseWithRight,
                                  EliminateBandWithRight,
                                  Substitute,
                                  RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
