// Four lanes, or four columns, are one register.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

#include "table/ribbon_line/ribbon_x86.h"
#include "table/ribbon_solver/ribbon_solver.h"

#define ONELINE_TARGET ONELINE_HASWELL

namespace oneline {
namespace blocked_ribbon {
namespace {

using Lanes = __m256i;
constexpr uint32_t kWidth = 4;

ONELINE_TARGET inline Lanes Load(const uint64_t* lanes) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes));
}
ONELINE_TARGET inline void Store(Lanes x, uint64_t* lanes) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), x);
}
ONELINE_TARGET inline Lanes Zero() { return _mm256_setzero_si256(); }
ONELINE_TARGET inline Lanes Sub(Lanes x, Lanes y) {
  return _mm256_sub_epi64(x, y);
}
ONELINE_TARGET inline Lanes And(Lanes x, Lanes y) {
  return _mm256_and_si256(x, y);
}
ONELINE_TARGET inline Lanes Or(Lanes x, Lanes y) {
  return _mm256_or_si256(x, y);
}
ONELINE_TARGET inline Lanes Add(Lanes x, Lanes y) {
  return _mm256_add_epi64(x, y);
}
ONELINE_TARGET inline Lanes Xor(Lanes x, Lanes y) {
  return _mm256_xor_si256(x, y);
}
ONELINE_TARGET inline Lanes Broadcast(uint64_t x) {
  return _mm256_set1_epi64x(static_cast<int64_t>(x));
}
ONELINE_TARGET inline Lanes ShiftRight(Lanes x, Lanes by) {
  return _mm256_srlv_epi64(x, by);
}
template <int kBy>
ONELINE_TARGET inline Lanes ShiftRightBy(Lanes x) {
  return _mm256_srli_epi64(x, kBy);
}
template <int kBy>
ONELINE_TARGET inline Lanes ShiftLeftBy(Lanes x) {
  return _mm256_slli_epi64(x, kBy);
}
ONELINE_TARGET inline bool IsZero(Lanes x) {
  return _mm256_testz_si256(x, x) != 0;
}
ONELINE_TARGET inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  const Lanes none = _mm256_cmpeq_epi64(And(x, bits), Zero());
  return _mm256_xor_si256(z, _mm256_andnot_si256(none, y));
}
ONELINE_TARGET inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  const Lanes none = _mm256_cmpeq_epi64(x, Zero());
  return Sub(count, _mm256_andnot_si256(none, Broadcast(~uint64_t{0})));
}

// There is no population count of lanes: each byte's by a table of its folded
// four bits, and the sum of these.
ONELINE_TARGET inline Lanes Parity(Lanes x) {
  const __m256i table =
      _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1,
                       0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
  const __m256i folded =
      And(Xor(x, _mm256_srli_epi64(x, 4)), _mm256_set1_epi8(15));
  return _mm256_sad_epu8(_mm256_shuffle_epi8(table, folded), Zero());
}

#include "table/ribbon_solver/ribbon_eliminate.inc"
#include "table/ribbon_solver/ribbon_right_sides_x86.inc"
#include "table/ribbon_solver/ribbon_substitute.inc"
#include "table/ribbon_solver/ribbon_substitute_dense.inc"

}  // namespace

constexpr Solver kHaswellSolver = {
    EliminateDense, EliminateDenseWithRight, EliminateBandWithRight,
    Transpose,      SubstituteDense,         Substitute,
    RightSides};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
