// Two lanes, or two columns, are one vector of the compiler's own, which every
// processor has in some form.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "table/ribbon_solver/ribbon_solver.h"

#define ONELINE_TARGET

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kWidth = 2;

#include "table/ribbon_solver/ribbon_lanes.inc"

inline Lanes ShiftRight(Lanes x, Lanes by) {
  return Lanes{by[0] < 64 ? x[0] >> by[0] : 0, by[1] < 64 ? x[1] >> by[1] : 0};
}
inline Lanes AreZero(Lanes x) {
#if defined(__SSE2__)
  // SSE2 has no comparison of 64-bit lanes: GCC compares them one by one.
  typedef int64_t Signed __attribute__((vector_size(16)));
  return ~Lanes(reinterpret_cast<Signed>(x | -x) >> 63);
#else
  return Lanes(x == Lanes{});
#endif
}
inline Lanes Parity(Lanes x) {
  for (int by = 32; by > 0; by /= 2) x ^= x >> by;
  return x;
}

#include "table/ribbon_solver/ribbon_compared_lanes.inc"
#include "table/ribbon_solver/ribbon_solve.inc"

void RightSides(const uint64_t* hashes, const uint64_t* mask, uint32_t n,
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

}  // namespace

constexpr Solver kPortableSolver = {EliminateDense,  EliminateBand, Transpose,
                                    SubstituteDense, Substitute,    RightSides};

constexpr KernelOfSet<Solver> kWritten[] = {
    {InstructionSet::kPortable, &kPortableSolver},
#if defined(__x86_64__)
    {InstructionSet::kPclmul, &kPclmulSolver},
    {InstructionSet::kAvx2, &kAvx2Solver},
    {InstructionSet::kAvx512, &kAvx512Solver},
#elif defined(__aarch64__)
    {InstructionSet::kNeon, &kNeonSolver},
#endif
};
constexpr Kernels<Solver> kSolvers = KernelsOf(kWritten);

}  // namespace blocked_ribbon
}  // namespace oneline
