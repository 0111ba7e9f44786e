// False positives of solved lines are as by independent bits: a line of w rows
// lets an absent key pass with probability 2^-r * (1 - t/2), for r full columns
// and a partial one that is asked for a share t of the keys. For each number of
// rows from 17 on, and for all of them together.
//
// A key's coefficients, windows and expected bits are all made of one product
// of its hash, and the keys of a line share the upper bits of their hashes: if
// the parts depended on each other, this test would show it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_solver/line_solver.h"
#include "table/simd/lookups.h"
#include "tests/sanitizers.h"
#include "tests/table/line_specification.h"
#include "tests/table/random_lines.h"
#include "tests/table/ribbon_lines.h"
#include "tests/test_seed.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kMinRows = 17;
constexpr uint32_t kLinesOfRows = 100;
// Wanted for each number of rows, and the most lookups for that.
constexpr double kPasses = kSlow ? 200 : 10000;
constexpr double kMaxLookups = kSlow ? 100000 : 4000000;

// As in a filter of 2^20 lines, where hashes of a line have these bits alike.
constexpr uint64_t kInLine = ~uint64_t{0} >> 20;

struct SolvedLine {
  LineBytes bytes;
  uint8_t base;
  uint64_t upper_bits;  // of its keys
};

// Adds lines of `num_keys` keys, by the number of rows that they needed.
void AddLines(uint32_t num_keys, std::mt19937_64& random,
              std::map<uint32_t, std::vector<SolvedLine>>* by_rows) {
  const uint8_t base = RibbonBaseBelow(num_keys);
  LineSolver solver(KernelFor(kSolvers, ChosenInstructionSet()), base,
                    kMaxSeeds);
  std::vector<uint64_t> hashes;
  std::vector<uint32_t> ends;
  std::vector<uint64_t> upper_bits;
  for (uint32_t i = 0; i < kLinesOfRows; ++i) {
    upper_bits.push_back(random() & ~kInLine);
    for (uint64_t hash : RandomHashes(num_keys, random)) {
      hashes.push_back(upper_bits[i] | (hash & kInLine));
    }
    ends.push_back(static_cast<uint32_t>(hashes.size()));
  }
  LineBytes lines(kLineBytes * kLinesOfRows);
  solver.Solve(hashes.data(), ends.data(), kLinesOfRows, lines.data());
  for (uint32_t i = 0; i < kLinesOfRows; ++i) {
    const auto line = lines.begin() + static_cast<ptrdiff_t>(kLineBytes * i);
    const Header header = DecodeHeader(&*line);
    if (header.rows_over_base == kUnsolved) continue;
    (*by_rows)[base + header.rows_over_base].push_back(
        {LineBytes(line, line + kLineBytes), base, upper_bits[i]});
  }
}

struct Passes {
  double expected = 0;
  double counted = 0;

  // In standard errors, of counts that are Poisson.
  double Deviation() const {
    return (counted - expected) / std::sqrt(expected);
  }
};

// Absent keys in each of these lines.
Passes LookUp(const std::vector<SolvedLine>& lines, uint64_t lookups_of_line,
              std::mt19937_64& random) {
  const ProbeKernel& kernel = KernelFor(kKernels, ChosenInstructionSet());
  Passes passes;
  std::array<uint64_t, kBatchKeys> hashes;
  std::array<bool, kBatchKeys> answers;
  for (const SolvedLine& line : lines) {
    const LineContext context = ContextFor(line.base, kLineBytes);
    for (uint64_t done = 0; done < lookups_of_line; done += kBatchKeys) {
      for (uint64_t& hash : hashes) {
        hash = line.upper_bits | (random() & kInLine);
      }
      kernel.batch(line.bytes.data(), 1, hashes.data(), kBatchKeys, context,
                   answers.data());
      passes.counted +=
          static_cast<double>(std::count(answers.begin(), answers.end(), true));
    }
    passes.expected += static_cast<double>(lookups_of_line) *
                       LineFpRate(line.bytes.data(), line.base);
  }
  return passes;
}

// Lookups in each of these lines for kPasses in all, in whole batches.
uint64_t LookupsOfLine(const std::vector<SolvedLine>& lines) {
  double rate = 0;
  for (const SolvedLine& line : lines) {
    rate += LineFpRate(line.bytes.data(), line.base);
  }
  const auto num_lines = static_cast<double>(lines.size());
  const double lookups = std::min(kPasses / rate, kMaxLookups / num_lines);
  return kBatchKeys * static_cast<uint64_t>(lookups / kBatchKeys + 1);
}

// The part of a line's absent keys that pass is known from its header.
TEST(IndependentBitsTest, LineFpRateIsThatOfTheColumns) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t rows = 0; rows <= kMaxRows; ++rows) {
    const uint8_t base = RibbonBaseBelow(rows);
    for (uint32_t d = 0; d < kReaches; ++d) {
      LineBytes line = RandomLine(kLineBytes, 8, random);
      PutRibbonHeader(rows - base, random() % 8, d, line.data());
      const SpecifiedRibbonLookup lookup(line.data(), kLineBytes, 0, base);
      const int full = lookup.num_columns() - lookup.asks_partial_column();
      EXPECT_DOUBLE_EQ(LineFpRate(line.data(), base),
                       std::exp2(-full) * (1 - lookup.PartialShare() / 2))
          << rows << " rows, reach " << d;
      PutRibbonHeader(kUnsolved, random() % 8, d, line.data());
      EXPECT_EQ(LineFpRate(line.data(), base), 1);
    }
  }
}

// 6 standard errors are allowed: 200 comparisons fail by chance less than once
// in a million runs.
TEST(IndependentBitsTest, FalsePositivesOfEveryNumberOfRows) {
  constexpr double kDeviations = 6;
  std::mt19937_64 random = TestRandom();
  // Lines need as many rows as they have keys, or some more.
  std::map<uint32_t, std::vector<SolvedLine>> by_rows;
  for (uint32_t n = kMinRows - 1; n < kMaxRows; ++n) {
    AddLines(n, random, &by_rows);
  }
  Passes total;
  uint32_t compared = 0;
  for (uint32_t rows = kMinRows; rows <= kMaxRows; ++rows) {
    const std::vector<SolvedLine>& lines = by_rows[rows];
    ASSERT_FALSE(lines.empty()) << rows << " rows";
    const Passes passes = LookUp(lines, LookupsOfLine(lines), random);
    total.expected += passes.expected;
    total.counted += passes.counted;
    if (passes.expected < 50) continue;
    ++compared;
    EXPECT_LE(std::abs(passes.Deviation()), kDeviations)
        << rows << " rows, " << lines.size() << " lines: expected "
        << passes.expected << " passes, counted " << passes.counted;
  }
  std::printf(
      "expected %.0f passes, counted %.0f: ratio %.4f, %+.1f standard "
      "errors\n",
      total.expected, total.counted, total.counted / total.expected,
      total.Deviation());
  EXPECT_LE(std::abs(total.Deviation()), kDeviations);
  // Lines of few rows have so many columns that next to no key passes.
  EXPECT_GE(compared, kMaxRows - (kSlow ? 45 : 31));
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
