// Eight lanes are four pairs, in the compiler's own vectors, which every
// processor has in some form.
#include <cstddef>
#include <cstring>

#include "table/ribbon/ribbon_solver.h"

#define ONELINE_TARGET

namespace oneline {
namespace blocked_ribbon {
namespace {

typedef uint64_t Pair __attribute__((vector_size(16)));

struct Lanes {
  Pair pairs[4];
};

template <typename Operation>
inline Lanes ForPairs(const Operation& operation) {
  return {{operation(0), operation(1), operation(2), operation(3)}};
}

inline Lanes Load(const uint64_t* lanes) {
  Lanes x;
  std::memcpy(&x, lanes, sizeof(x));
  return x;
}
inline void Store(const Lanes& x, uint64_t* lanes) {
  std::memcpy(lanes, &x, sizeof(x));
}
inline Lanes Zero() { return {}; }
inline Lanes Sub(const Lanes& x, const Lanes& y) {
  return ForPairs([&](int i) { return x.pairs[i] - y.pairs[i]; });
}
inline Lanes And(const Lanes& x, const Lanes& y) {
  return ForPairs([&](int i) { return x.pairs[i] & y.pairs[i]; });
}
inline Lanes Or(const Lanes& x, const Lanes& y) {
  return ForPairs([&](int i) { return x.pairs[i] | y.pairs[i]; });
}
inline Lanes AllBut(uint64_t bits) {
  return ForPairs([&](int) { return Pair{~bits, ~bits}; });
}
inline Lanes ShiftRight(const Lanes& x, const Lanes& by) {
  return ForPairs([&](int i) {
    const Pair p = x.pairs[i];
    const Pair b = by.pairs[i];
    return Pair{b[0] < 64 ? p[0] >> b[0] : 0, b[1] < 64 ? p[1] >> b[1] : 0};
  });
}
// 1 where not zero. Many processors have no comparison of 64-bit lanes.
inline Pair IsNonZero(Pair x) { return (x | -x) >> 63; }
inline Lanes XorIfCommon2(const Lanes& z, const Lanes& y, const Lanes& x,
                          const Lanes& bits) {
  return ForPairs([&](int i) {
    return z.pairs[i] ^ (y.pairs[i] & -IsNonZero(x.pairs[i] & bits.pairs[i]));
  });
}
inline Lanes XorIfCommon(const Lanes& x, const Lanes& bits, const Lanes& y) {
  return XorIfCommon2(x, y, x, bits);
}
inline Lanes AddIfNonZero(const Lanes& count, const Lanes& x) {
  return ForPairs(
      [&](int i) { return count.pairs[i] + IsNonZero(x.pairs[i]); });
}

#include "table/ribbon/ribbon_eliminate.inc"

void SubstituteColumn(const Echelon& echelon, uint32_t rows, uint32_t column,
                      Columns* columns) {
  uint64_t window = 0;
  for (uint32_t row = rows; row-- > 0;) {
    window <<= 1;
    uint64_t bits = window & echelon.coefficients[row];
    bits ^= bits >> 32;
    bits ^= bits >> 16;
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    window |= (0x6996 >> (bits & 15) ^ echelon.right_sides[row] >> column) & 1;
    if (row % 64 == 0) columns->words[row / 64][column] = window;
  }
}

void Substitute(const Echelon& echelon, uint32_t rows, uint32_t num_columns,
                Columns* columns) {
  for (uint32_t column = 0; column < num_columns; ++column)
    SubstituteColumn(echelon, rows, column, columns);
}

void RightSides(const uint64_t* hashes, const uint64_t* const* masks,
                uint32_t n, uint32_t, uint64_t* right_sides) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t key_bits = KeyBits(hashes[i]);
    uint64_t bits = 0;
    for (uint32_t word = kLineBytes / 8; word-- > 0;) {
      for (uint64_t left = masks[i][word]; left != 0;) {
        const auto bit = 63 - static_cast<uint32_t>(__builtin_clzll(left));
        left ^= uint64_t{1} << bit;
        bits = bits << 1 | ExpectedBit(key_bits, 64 * word + bit);
      }
    }
    right_sides[size_t{i} * kLanes] = bits;
  }
}

}  // namespace

constexpr Solver kPortableSolver = {EliminateDense,
                                    EliminateDenseWithTop,
                                    EliminateDenseWithRight,
                                    EliminateBandWithRight,
                                    Substitute,
                                    RightSides};

#if defined(__x86_64__)
constexpr Kernels<Solver> kSolvers = {&kPortableSolver, &kPortableSolver,
                                      &kHaswellSolver,  &kHaswellSolver,
                                      &kAvx512Solver,   &kPortableSolver};
#else
constexpr Kernels<Solver> kSolvers = {&kPortableSolver, &kPortableSolver,
                                      &kPortableSolver, &kPortableSolver,
                                      &kPortableSolver, &kPortableSolver};
#endif

}  // namespace blocked_ribbon
}  // namespace oneline
