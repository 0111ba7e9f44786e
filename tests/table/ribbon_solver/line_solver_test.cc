// Tests of table/ribbon_solver/line_solver.h: each line, solved with each
// instruction set, passes its keys, and says "maybe" to all if it can't be
// solved. Its bytes, which tests/golden pins, depend on its set of keys, the
// base alone. Faults in elimination and substitution
// (ribbon_solver.h) show as one of these.

#include "table/ribbon_solver/line_solver.h"

#include "table/ribbon_line/ribbon_line.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// More keys at a time under a sanitizer.
constexpr uint32_t kStep = kSlow ? 7 : 1;

bool MayMatch(const LineBytes& line, uint64_t hash, uint8_t base) {
  return SpecifiedRibbonLookup(line.data(), line.size(), hash, base).MayMatch();
}

Header HeaderOf(const LineBytes& line) { return DecodeHeader(line.data()); }

bool IsSolved(const LineBytes& line) {
  return HeaderOf(line).rows_over_base != kUnsolved;
}

// One solver for each different set of functions.
std::vector<const Solver*> Solvers() {
  std::vector<const Solver*> solvers;
  for (InstructionSet set : SupportedSets()) {
    const Solver* solver = &KernelFor(kSolvers, set);
    if (std::find(solvers.begin(), solvers.end(), solver) == solvers.end()) {
      solvers.push_back(solver);
    }
  }
  return solvers;
}

// One line from all hashes, the same with each solver.
LineBytes Solved(const std::vector<uint64_t>& hashes, uint8_t base,
                 size_t line_bytes = kLineBytes) {
  std::vector<LineBytes> lines;
  for (const Solver* solver : Solvers()) {
    std::vector<uint64_t> copy = hashes;
    const auto end = static_cast<uint32_t>(copy.size());
    // A byte more, to be left alone.
    LineBytes line(line_bytes + 1, 0xa5);
    const uint32_t unsolved =
        std::make_unique<LineSolver>(*solver, base,
                                     static_cast<uint32_t>(line_bytes))
            ->Solve(copy.data(), &end, 1, line.data());
    EXPECT_EQ(unsolved == 0, IsSolved(line));
    EXPECT_EQ(line.back(), 0xa5);
    line.pop_back();
    lines.push_back(line);
    EXPECT_EQ(line, lines[0])
        << "solver " << lines.size() << ", " << hashes.size() << " keys, base "
        << int{base} << ", " << line_bytes << " bytes";
  }
  return lines[0];
}

TEST(LineSolverTest, NoFalseNegativeAtAnyLoad) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n = 0; n <= 600; n += kStep) {
    const std::vector<uint64_t> hashes = RandomHashes(n, random);
    for (uint32_t below : {0u, 20u, 40u, 60u, n / 2, n}) {
      const uint8_t base = RibbonBaseBelow(n - std::min(n, below));
      const LineBytes line = Solved(hashes, base);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(MayMatch(line, hash, base)) << n << " " << int{base};
      }
      // With 16 rows to spare next to no line fails; with as many keys as this
      // all do.
      ASSERT_GE(IsSolved(line), n + 16u <= base + 62u) << n << " " << int{base};
      ASSERT_LE(IsSolved(line), n <= base + 62u) << n << " " << int{base};
      if (n != 0 && IsSolved(line)) continue;
      // A line without keys has one row and 32 columns, all of them 0.
      for (uint64_t absent : RandomHashes(20, random)) {
        ASSERT_EQ(MayMatch(line, absent, base), n != 0);
      }
    }
  }
}

// Also lines that are too short for a full column.
TEST(LineSolverTest, LinesOfAnyLength) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t line_bytes = 8; line_bytes <= 64; line_bytes += kStep) {
    for (uint32_t n : {0u, 1u, 4u, line_bytes / 2, line_bytes, 2 * line_bytes,
                       4 * line_bytes}) {
      const std::vector<uint64_t> hashes = RandomHashes(n, random);
      for (uint8_t base : {RibbonBaseBelow(n), RibbonBaseBelow(n / 2)}) {
        const LineBytes line = Solved(hashes, base, line_bytes);
        for (uint64_t hash : hashes) {
          ASSERT_TRUE(MayMatch(line, hash, base)) << n << " " << line_bytes;
        }
      }
    }
  }
}

// Any number of equal hashes, wherever they are, changes no byte.
TEST(LineSolverTest, EqualHashesCountOnce) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n = 1; n <= 254; n += 3 * kStep) {
    const std::vector<uint64_t> hashes = RandomHashes(n, random);
    for (const uint32_t more : {1u, 5u, 300u}) {
      std::vector<uint64_t> with_equal = hashes;
      for (uint32_t i = 0; i < more; ++i) {
        with_equal.push_back(hashes[random() % n]);
      }
      std::shuffle(with_equal.begin(), with_equal.end(), random);
      for (const uint8_t base : {RibbonBaseBelow(n), RibbonBaseBelow(n / 2)}) {
        ASSERT_EQ(Solved(with_equal, base), Solved(hashes, base))
            << n << " and " << more << ", base " << int{base};
      }
    }
  }
}

// 30 different keys whose bits lie in a space of 20 dimensions: no rotation and
// no number of rows makes their equations independent in one window. Such
// hashes are not found by trying, so they are worked out from the keys' bits.
TEST(LineSolverTest, DependentKeysGetSeveralWindows) {
  std::mt19937_64 random = TestRandom();
  uint64_t inverse = 1;  // of the multiplier, modulo 2^64; each step doubles
  for (int i = 0; i < 6; ++i) inverse *= 2 - LineMix(1) * inverse;
  ASSERT_EQ(LineMix(inverse), 1u);
  const std::vector<uint64_t> space = RandomHashes(20, random);
  std::vector<uint64_t> hashes;
  while (hashes.size() < 30) {
    uint64_t mix = 0;
    for (uint64_t vector : space) mix ^= random() % 2 == 0 ? vector : 0;
    hashes.push_back(mix * inverse);
  }
  // With one seed, one line in eleven has too many of them in one window.
  const LineBytes line = Solved(hashes, 0, kMaxSeeds);
  ASSERT_TRUE(IsSolved(line));
  EXPECT_GT(HeaderOf(line).rows_over_base, kWindowRows);
  for (uint64_t hash : hashes) EXPECT_TRUE(MayMatch(line, hash, 0));
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
