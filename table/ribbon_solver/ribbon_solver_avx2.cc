// Four lanes, or four columns, are one register.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "table/ribbon_line/ribbon_x86.h"
#include "table/ribbon_solver/ribbon_solver.h"

#define ONELINE_TARGET ONELINE_AVX2

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kWidth = 4;

#include "table/ribbon_solver/ribbon_lanes.inc"

ONELINE_TARGET inline __m256i Register(Lanes x) {
  return reinterpret_cast<__m256i>(x);
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes(_mm256_srlv_epi64(Register(x), Register(by)));
}
ONELINE_TARGET inline bool IsZero(Lanes x) {
  return _mm256_testz_si256(Register(x), Register(x)) != 0;
}
// x where y is not zero. Of ~(y == 0) GCC makes more than one instruction.
ONELINE_TARGET inline Lanes WhereNonZero(Lanes x, Lanes y) {
  return Lanes(_mm256_andnot_si256(
      _mm256_cmpeq_epi64(Register(y), _mm256_setzero_si256()), Register(x)));
}
ONELINE_TARGET inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  return z ^ WhereNonZero(y, x & bits);
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return count + WhereNonZero(Broadcast(1), x);
}

// There is no population count of lanes: each byte's by a table of its folded
// four bits, and the sum of these.
ONELINE_TARGET inline Lanes Parity(Lanes x) {
  const __m256i table =
      _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1,
                       0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
  const Lanes folded = (x ^ x >> 4) & Broadcast(0x0f0f0f0f0f0f0f0f);
  return Lanes(_mm256_sad_epu8(_mm256_shuffle_epi8(table, Register(folded)),
                               _mm256_setzero_si256()));
}

#include "table/ribbon_solver/ribbon_right_sides_x86.inc"
#include "table/ribbon_solver/ribbon_solve.inc"

}  // namespace

constexpr Solver kAvx2Solver = {EliminateDense,  EliminateBand, Transpose,
                                SubstituteDense, Substitute,    RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
