// Eight lanes, or eight columns, are one register.
#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <algorithm>

#include "table/ribbon_line/ribbon_x86.h"
#include "table/ribbon_solver/ribbon_solver.h"

#define ONELINE_TARGET ONELINE_AVX512

namespace oneline {
namespace blocked_ribbon {
namespace {

using Lanes = __m512i;
constexpr uint32_t kWidth = 8;

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
ONELINE_TARGET inline Lanes Add(Lanes x, Lanes y) {
  return _mm512_add_epi64(x, y);
}
ONELINE_TARGET inline Lanes Xor(Lanes x, Lanes y) {
  return _mm512_xor_si512(x, y);
}
ONELINE_TARGET inline Lanes Broadcast(uint64_t x) {
  return _mm512_set1_epi64(static_cast<int64_t>(x));
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return _mm512_srlv_epi64(x, by);
}
template <int kBy>
ONELINE_TARGET inline Lanes ShiftRightBy(Lanes x) {
  return _mm512_srli_epi64(x, kBy);
}
template <int kBy>
ONELINE_TARGET inline Lanes ShiftLeftBy(Lanes x) {
  return _mm512_slli_epi64(x, kBy);
}
ONELINE_TARGET inline bool IsZero(Lanes x) {
  return _mm512_test_epi64_mask(x, x) == 0;
}
ONELINE_TARGET inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  return _mm512_mask_xor_epi64(z, _mm512_test_epi64_mask(x, bits), z, y);
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return _mm512_mask_add_epi64(count, _mm512_test_epi64_mask(x, x), count,
                               _mm512_set1_epi64(1));
}

ONELINE_TARGET inline Lanes Parity(Lanes x) { return _mm512_popcnt_epi64(x); }

#include "table/ribbon_solver/ribbon_eliminate.inc"
#include "table/ribbon_solver/ribbon_right_sides_x86.inc"
#include "table/ribbon_solver/ribbon_substitute.inc"
#include "table/ribbon_solver/ribbon_substitute_dense.inc"

}  // namespace

constexpr Solver kAvx512Solver = {
    EliminateDense, EliminateDenseWithRight, EliminateBandWithRight,
    Transpose,      SubstituteDense,         Substitute,
    RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
