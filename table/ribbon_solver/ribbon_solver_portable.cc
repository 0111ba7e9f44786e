// Two lanes, or two columns, are one vector of the compiler's own, which every
// processor has in some form.
#include <cstring>

#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {
namespace portable {

#define ONELINE_TARGET

typedef uint64_t Lanes __attribute__((vector_size(16)));

static inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes{by[0] < 64 ? x[0] >> by[0] : 0, by[1] < 64 ? x[1] >> by[1] : 0};
}
static inline Lanes AreZero(Lanes x) {
#if defined(__SSE2__)
  // SSE2 has no comparison of 64-bit lanes: GCC compares them one by one.
  typedef int64_t Signed __attribute__((vector_size(16)));
  return ~Lanes(reinterpret_cast<Signed>(x | -x) >> 63);
#else
  return Lanes(x == Lanes{});
#endif
}
static inline bool IsZero(Lanes x) { return (x[0] | x[1]) == 0; }
static inline Lanes XorIfCommon(Lanes z, Lanes y, Lanes x, Lanes bits) {
  return z ^ (y & ~AreZero(x & bits));
}
static inline Lanes AddIfNonZero(Lanes count, Lanes x) {
  return count + (AreZero(x) + 1);
}
static inline Lanes Parity(Lanes x) {
  for (int by = 32; by > 0; by /= 2) x ^= x >> by;
  return x;
}

static void RightSides(const uint64_t* hashes, const uint64_t* mask, uint32_t n,
                       uint32_t, uint32_t* right_sides) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t mix = LineMix(hashes[i]);
    uint64_t bits = 0;
    for (uint32_t word = kLineBytes / 8; word-- > 0;) {
      for (uint64_t left = mask[word]; left != 0;) {
        const auto bit = 63 - static_cast<uint32_t>(__builtin_clzll(left));
        left ^= uint64_t{1} << bit;
        bits = bits << 1 | ExpectedBit(mix, 64 * word + bit);
      }
    }
    right_sides[i] = static_cast<uint32_t>(bits);
  }
}

#include "table/ribbon_solver/ribbon_solve.inc"

}  // namespace portable

#define ONELINE_SOLVER(set, name, features, bloom, ribbon, solver) \
  &solver::kSolver,
#define ONELINE_PORTABLE(...) &portable::kSolver,
constexpr Kernels<Solver> kSolvers = {
    &portable::kSolver, ONELINE_SETS(ONELINE_SOLVER, ONELINE_PORTABLE)};
#undef ONELINE_SOLVER
#undef ONELINE_PORTABLE

}  // namespace blocked_ribbon
}  // namespace oneline
