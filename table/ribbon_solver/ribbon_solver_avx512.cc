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
#include <cstring>

#include "table/ribbon_line/ribbon_x86.h"
#include "table/ribbon_solver/ribbon_solver.h"

#define ONELINE_TARGET ONELINE_AVX512

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kWidth = 8;

#include "table/ribbon_solver/ribbon_lanes.inc"

ONELINE_TARGET inline __m512i Register(Lanes x) {
  return reinterpret_cast<__m512i>(x);
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(_mm512_srlv_epi64(Register(x), Register(by)));
}
ONELINE_TARGET inline __mmask8 HaveCommon(Lanes x, Lanes y) {
  return _mm512_test_epi64_mask(Register(x), Register(y));
}
ONELINE_TARGET inline bool IsZero(Lanes x) { return HaveCommon(x, x) == 0; }
ONELINE_TARGET inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  return Lanes(_mm512_mask_xor_epi64(Register(z), HaveCommon(x, bits),
                                     Register(z), Register(y)));
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return Lanes(_mm512_mask_add_epi64(Register(count), HaveCommon(x, x),
                                     Register(count), _mm512_set1_epi64(1)));
}
ONELINE_TARGET inline Lanes Parity(Lanes x) {
  return Lanes(_mm512_popcnt_epi64(Register(x)));
}

#include "table/ribbon_solver/ribbon_right_sides_x86.inc"
#include "table/ribbon_solver/ribbon_solve.inc"

}  // namespace

constexpr Solver kAvx512Solver = {EliminateDense,  EliminateBand, Transpose,
                                  SubstituteDense, Substitute,    RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
