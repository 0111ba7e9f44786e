// Tests of table/ribbon/ribbon_lines.h: each line, solved with each instruction
// set, passes its keys, and says "maybe" to all if it can't be solved.

#include "table/ribbon/ribbon_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_line.h"
#include "table/ribbon/ribbon_solver.h"
#include "table/simd/probe.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

using LineBytes = std::array<uint8_t, kLineBytes>;

// More keys at a time under a sanitizer.
constexpr uint32_t kStep = kSanitized ? 7 : 1;

std::vector<uint64_t> RandomHashes(size_t n, std::mt19937_64& random) {
  std::vector<uint64_t> hashes(n);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

std::vector<InstructionSet> Sets() {
  std::vector<InstructionSet> sets;
  for (size_t i = 0; i <= static_cast<size_t>(BestInstructionSet()); ++i) {
    sets.push_back(static_cast<InstructionSet>(i));
  }
  return sets;
}

bool MayMatch(const LineBytes& line, uint64_t hash, uint32_t parameter) {
  return kPortableKernel.one(line.data(), hash,
                             static_cast<uint8_t>(parameter));
}

Header HeaderOf(const LineBytes& line) { return DecodeHeader(line.data()); }

// One line from all hashes, the same with each instruction set.
LineBytes Solved(const std::vector<uint64_t>& hashes, uint32_t parameter,
                 uint32_t effort) {
  std::vector<LineBytes> lines;
  for (InstructionSet set : Sets()) {
    std::vector<uint64_t> copy = hashes;
    const auto end = static_cast<uint32_t>(copy.size());
    LineBytes line;
    line.fill(0xa5);
    const auto solver = std::make_unique<LinesSolver>(
        SolverFor(set), static_cast<uint8_t>(parameter), effort);
    const uint32_t unsolved = solver->Solve(copy.data(), &end, 1, line.data());
    EXPECT_EQ(unsolved, HeaderOf(line).rows_over_base == kUnsolved);
    lines.push_back(line);
    EXPECT_EQ(line, lines[0]) << kInstructionSetNames[static_cast<size_t>(set)];
  }
  return lines[0];
}

TEST(LinesSolverTest, NoFalseNegativeAtAnyLoad) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n = 0; n <= 600; n += kStep) {
    const std::vector<uint64_t> hashes = RandomHashes(n, random);
    for (uint32_t parameter : {0u, n, n / 2, n > 40 ? n - 40 : 0u}) {
      parameter = std::min(parameter, 255u);
      const LineBytes line = Solved(hashes, parameter, 1 + n % 8);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(MayMatch(line, hash, parameter)) << n << " " << parameter;
      }
      // With 12 rows to spare next to no line fails; with as many keys as this
      // all do.
      const bool solved = HeaderOf(line).rows_over_base != kUnsolved;
      ASSERT_GE(solved, n + 12 <= parameter + 62) << n << " " << parameter;
      ASSERT_LE(solved, n < parameter + 63) << n << " " << parameter;
      if (solved) continue;
      for (uint64_t absent : RandomHashes(20, random)) {
        ASSERT_TRUE(MayMatch(line, absent, parameter));
      }
    }
  }
}

// Seeds beyond the effort are not used, and more of them save rows.
TEST(LinesSolverTest, EveryEffort) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n = 1; n <= 300; n += 3 * kStep) {
    const std::vector<uint64_t> hashes = RandomHashes(n, random);
    const uint32_t parameter = n > 20 ? n - 20 : 0;
    uint32_t rows = kUnsolved;
    for (uint32_t effort = 1; effort <= kMaxSeeds; ++effort) {
      const LineBytes line = Solved(hashes, parameter, effort);
      ASSERT_LE(HeaderOf(line).rows_over_base, rows) << n;
      ASSERT_LT(HeaderOf(line).seed, effort);
      rows = HeaderOf(line).rows_over_base;
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(MayMatch(line, hash, parameter)) << n << " " << effort;
      }
    }
  }
}

// A line of random equations needs 1.6 rows more than it has keys with one
// seed, with a standard deviation of 1.7, and less with more. The bounds leave
// seven standard errors; with fewer lines as many of those.
TEST(LinesSolverTest, RowsAreFew) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n : {20u, 51u, 73u, 102u}) {
    for (auto [effort, most] : {std::pair{1u, 2.2}, {4u, 0.9}, {8u, 0.7}}) {
      constexpr int kLines = kSanitized ? 40 : 400;
      constexpr double kForFewerLines = kSanitized ? 1.3 : 0;
      double excess = 0;
      for (int i = 0; i < kLines; ++i) {
        const LineBytes line = Solved(RandomHashes(n, random), n, effort);
        excess += HeaderOf(line).rows_over_base;
      }
      EXPECT_LT(excess / kLines, most + kForFewerLines)
          << n << " keys, effort " << effort;
    }
  }
}

TEST(LinesSolverTest, LineWithoutKeysOrRowsMatchesNothing) {
  std::mt19937_64 random = TestRandom();
  const LineBytes line = Solved({}, 0, 4);
  EXPECT_EQ(line, LineBytes{});
  for (uint64_t hash : RandomHashes(1000, random)) {
    EXPECT_FALSE(MayMatch(line, hash, 0));
  }
}

TEST(LinesSolverTest, OrderAndRepetitionDoNotMatter) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n : {1u, 40u, 56u, 57u, 60u, 110u, 250u}) {
    const std::vector<uint64_t> once = RandomHashes(n, random);
    std::vector<uint64_t> often;
    for (int i = 0; i < 5; ++i) {
      often.insert(often.end(), once.begin(), once.end());
    }
    std::shuffle(often.begin(), often.end(), random);
    EXPECT_EQ(Solved(often, n - n / 8, 4), Solved(once, n - n / 8, 4));
  }
}

TEST(LinesSolverTest, OneHashManyTimes) {
  const std::vector<uint64_t> hashes(1000, 0xdeadbeef);
  const LineBytes line = Solved(hashes, 0, 4);
  EXPECT_EQ(HeaderOf(line).rows_over_base, 1u);
  EXPECT_TRUE(MayMatch(line, 0xdeadbeef, 0));
}

// Many lines at once, of all loads, give the bytes that each gives alone.
TEST(LinesSolverTest, LinesDoNotDependOnOneAnother) {
  std::mt19937_64 random = TestRandom();
  constexpr uint8_t kParameter = 60;
  std::vector<uint64_t> hashes;
  std::vector<uint32_t> ends;
  for (uint32_t n = 0; n <= 130; ++n) {
    for (uint64_t hash : RandomHashes(n, random)) hashes.push_back(hash);
    ends.push_back(static_cast<uint32_t>(hashes.size()));
  }
  std::vector<uint64_t> permuted = hashes;
  std::vector<LineBytes> lines(ends.size());
  const auto solver = std::make_unique<LinesSolver>(
      SolverFor(BestInstructionSet()), kParameter, 2);
  solver->Solve(permuted.data(), ends.data(), 131, lines[0].data());
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::vector<uint64_t> own(hashes.begin() + (i == 0 ? 0 : ends[i - 1]),
                                    hashes.begin() + ends[i]);
    EXPECT_EQ(lines[i], Solved(own, kParameter, 2)) << i << " keys";
  }
}

// Keys that need not come from hashes.
struct FreeKeys {
  std::vector<uint64_t> coefficient_bits;
  std::vector<uint64_t> fingerprint_bits;

  LineKeys First(uint32_t n) const {
    return {coefficient_bits.data(), fingerprint_bits.data(), n};
  }
};

// The last key asks for the same rows as the first but for another sum: no seed
// helps. Hashes that do this are not to be found by trying.
TEST(LinesSolverTest, ContradictionGivesMaybe) {
  std::mt19937_64 random = TestRandom();
  for (InstructionSet set : Sets()) {
    for (uint32_t n : {2u, 30u, 56u, 70u, 120u, 200u}) {
      for (uint32_t parameter : {n / 2 + n / 4, std::min(n + 20, 255u)}) {
        // A bit of a full column, or one that is in the partial column only.
        for (int bit : {0, static_cast<int>(FullColumns(n))}) {
          FreeKeys keys = {RandomHashes(n, random), RandomHashes(n, random)};
          keys.coefficient_bits[n - 1] = keys.coefficient_bits[0];
          keys.fingerprint_bits[n - 1] =
              keys.fingerprint_bits[0] ^ uint64_t { 1 } << bit;
          const auto solver = std::make_unique<LinesSolver>(
              SolverFor(set), static_cast<uint8_t>(parameter), kMaxSeeds);
          LineBytes line;
          EXPECT_FALSE(solver->SolveKeys(keys.First(n), line.data()));
          for (uint64_t hash : RandomHashes(100, random)) {
            EXPECT_TRUE(MayMatch(line, hash, parameter));
          }
          // The solver is as good as new.
          EXPECT_TRUE(solver->SolveKeys(keys.First(n - 1), line.data()));
          EXPECT_NE(HeaderOf(line).rows_over_base, kUnsolved);
        }
      }
    }
  }
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
