// The kernels of the blocked Ribbon with every header that a line can have, and
// with solved lines of any number of keys: each instruction set that this
// machine can run answers as docs/format.md says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/ribbon/blocked_ribbon.h"
#include "table/simd/lookups.h"
#include "tests/sanitizers.h"
#include "tests/table/line_specification.h"
#include "tests/table/random_lines.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr uint32_t kMaxRows = 254;
constexpr uint32_t kMaxBase = 192;
constexpr uint32_t kUnsolved = 63;

// One lookup by each kernel, as in a filter, in a batch and in a short block.
void ExpectAnswer(const uint8_t* line, uint64_t hash, uint8_t base,
                  bool expected) {
  const LineContext context = blocked_ribbon::ContextFor(base, kLineBytes);
  for (InstructionSet set : SupportedSets()) {
    const ProbeKernel& kernel = KernelFor(blocked_ribbon::kKernels, set);
    bool in_batch = !expected;
    kernel.batch(line, 1, &hash, 1, context, &in_batch);
    ASSERT_EQ(kernel.one(line, hash, context), expected)
        << NameOf(set) << ", hash " << hash << ", base " << int{base};
    ASSERT_EQ(in_batch, expected) << NameOf(set);
    ASSERT_EQ(kernel.short_line({line, kLineBytes}, hash, context), expected)
        << NameOf(set);
  }
}

void ExpectSpecifiedAnswer(const uint8_t* line, uint64_t hash, uint8_t base) {
  ExpectAnswer(line, hash, base,
               SpecifiedRibbonLookup(line, kLineBytes, hash, base).MayMatch());
}

// The key passes this line, and each column that is asked of it can say no.
void ExpectEachColumnDecides(const SpecifiedRibbonLookup& lookup, uint64_t hash,
                             uint8_t base, std::mt19937_64& random,
                             uint8_t* line) {
  ExpectAnswer(line, hash, base, true);
  for (int column = 0; column < lookup.num_columns(); ++column) {
    const std::vector<int> bits = lookup.BitsOf(column);
    if (bits.empty()) continue;  // no bit of a key's few coefficients is set
    const auto row = static_cast<size_t>(bits[random() % bits.size()]);
    if (row < 11) continue;  // of the header
    FlipBit(row, line);
    ExpectAnswer(line, hash, base, false);
    FlipBit(row, line);
  }
  // A row that may be in no column's sum.
  FlipBit(11 + random() % (kLineBits - 11), line);
  ExpectSpecifiedAnswer(line, hash, base);
}

// Keys for all windows of lines with this header, and each of these asked of
// the partial column and not, where there are such keys.
void ExpectEachWindow(uint32_t rows, uint8_t base, uint32_t seed, uint32_t d,
                      std::mt19937_64& random) {
  LineBytes line = RandomLine(kLineBytes, 8, random);
  PutRibbonHeader(rows - base, seed, d, line.data());
  const int num_windows =
      SpecifiedRibbonLookup(line.data(), kLineBytes, 0, base).num_windows();
  std::set<std::pair<int, bool>> seen;
  std::set<int> windows;
  // A window is not found with probability e^-40.
  for (int tries = 0; tries < 40 * num_windows; ++tries) {
    const uint64_t hash = random();
    const SpecifiedRibbonLookup lookup(line.data(), kLineBytes, hash, base);
    const std::pair window = {lookup.window(), lookup.asks_partial_column()};
    if (seen.count(window) != 0) continue;
    ExpectSpecifiedAnswer(line.data(), hash, base);
    LineBytes passed = line;
    if (!LetPass(lookup, passed.data())) continue;
    const SpecifiedRibbonLookup again(passed.data(), kLineBytes, hash, base);
    ExpectEachColumnDecides(again, hash, base, random, passed.data());
    if (testing::Test::HasFatalFailure()) return;
    seen.insert(window);
    windows.insert(window.first);
  }
  EXPECT_EQ(static_cast<int>(windows.size()), num_windows) << rows << " rows";
}

TEST(RibbonKernelsTest, EveryHeaderAndWindow) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t rows = 1; rows <= kMaxRows; rows += kSlow ? 13 : 1) {
    // The largest base for these rows, and the smallest.
    const uint32_t largest = std::min(rows / 4 * 4, kMaxBase);
    const uint32_t smallest = rows <= 62 ? 0 : (rows - 62 + 3) / 4 * 4;
    for (uint32_t base : {largest, smallest}) {
      for (uint32_t seed = 0; seed < 8; ++seed) {
        for (uint32_t d = 0; d < 4; ++d) {
          ExpectEachWindow(rows, static_cast<uint8_t>(base), seed, d, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// All values of the 11 bits, with any bytes after them.
TEST(RibbonKernelsTest, RandomLinesOfEveryHeader) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t base = 0; base <= kMaxBase; base += kSlow ? 24 : 4) {
    for (uint32_t header = 0; header < 2048; ++header) {
      LineBytes line = RandomLine(kLineBytes, random() % 17, random);
      PutRibbonHeader(header / 4 % 64, header / 256, header % 4, line.data());
      for (uint64_t hash : RandomHashes(2, random)) {
        ExpectSpecifiedAnswer(line.data(), hash, static_cast<uint8_t>(base));
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RibbonKernelsTest, LinesWithoutASolutionOrRowsAnswerMaybe) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t base = 0; base <= kMaxBase; base += 4) {
    for (uint32_t rows_over_base : {0u, kUnsolved}) {
      if (rows_over_base == 0 && base > 0) continue;
      for (uint32_t i = 0; i < 32; ++i) {
        LineBytes line = RandomLine(kLineBytes, random() % 17, random);
        PutRibbonHeader(rows_over_base, i / 4, i % 4, line.data());
        ExpectAnswer(line.data(), random(), static_cast<uint8_t>(base), true);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// 0 to 600 keys, more than any line has rows for: each key passes, and any
// other hash gets the specified answer.
TEST(RibbonKernelsTest, SolvedLines) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t n = 0; n <= 600; n += kSlow ? 13 : 1) {
    const std::vector<uint64_t> keys = RandomHashes(n, random);
    for (uint32_t below : {0u, 20u, 61u, 600u}) {
      const uint8_t base = RibbonBaseBelow(n - std::min(n, below));
      const LineBytes line = SolvedRibbonLine(keys, base, 1 + n % 8);
      for (uint64_t hash : keys) ExpectAnswer(line.data(), hash, base, true);
      for (uint64_t hash : RandomHashes(100, random)) {
        ExpectSpecifiedAnswer(line.data(), hash, base);
      }
      if (HasFatalFailure()) return;
    }
  }
}

#if defined(__x86_64__)
// Forgetting one would cost speed but no answer.
TEST(RibbonKernelsTest, EachInstructionSetHasItsOwn) {
  const ProbeKernels& kernels = blocked_ribbon::kKernels;
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool both =
          static_cast<InstructionSet>(j) == InstructionSet::kPortable &&
          static_cast<InstructionSet>(i) == InstructionSet::kNeon;
      EXPECT_EQ(kernels[i] == kernels[j], both)
          << kInstructionSetNames[i] << " and " << kInstructionSetNames[j];
    }
  }
}
#endif

}  // namespace
}  // namespace oneline
