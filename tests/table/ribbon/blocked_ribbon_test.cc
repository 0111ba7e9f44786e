// Tests of table/ribbon/blocked_ribbon.h: whole filters, whatever the hashes.
// Single lines: line_solver_test.cc; kernels, and rates: tests/table/block/.

#include "table/ribbon/blocked_ribbon.h"

#include "table/block/line_count.h"
#include "table/hash/hash_list.h"
#include "table/ribbon_line/ribbon_line.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

LineBytes BuildFilter(const std::vector<uint64_t>& hashes, uint8_t base,
                      uint32_t num_lines) {
  HashList list;
  for (uint64_t hash : hashes) list.Append(hash);
  LineBytes lines(kLineBytes * num_lines, 0xa5);
  kLines.build(list, base, lines.data(), num_lines);
  // The hashes are permuted and nothing else.
  std::vector<uint64_t> before = hashes, after;
  list.ForEach([&](uint64_t hash) { after.push_back(hash); });
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
  return lines;
}

// The same filter line by line, with the solver of this instruction set. Sorted
// hashes are in the order of their lines.
LineBytes SolveEachLine(std::vector<uint64_t> hashes, uint8_t base,
                        uint32_t num_lines, InstructionSet set) {
  std::sort(hashes.begin(), hashes.end());
  LineBytes lines;
  auto begin = hashes.begin();
  for (uint32_t i = 0; i < num_lines; ++i) {
    const auto end = std::find_if(begin, hashes.end(), [&](uint64_t hash) {
      return LineIndex(hash, num_lines) != i;
    });
    const LineBytes line =
        SolvedRibbonLine({begin, end}, base, kLineBytes, set);
    lines.insert(lines.end(), line.begin(), line.end());
    begin = end;
  }
  return lines;
}

size_t CountDenied(const LineBytes& lines, const std::vector<uint64_t>& hashes,
                   uint8_t base) {
  const auto num_lines = static_cast<uint32_t>(lines.size() / kLineBytes);
  const LineContext context = kLines.context(base, kLineBytes);
  return static_cast<
      size_t>(std::count_if(hashes.begin(), hashes.end(), [&](uint64_t hash) {
    return !portable::kKernel.hash({lines.data(), num_lines, 0, context}, hash);
  }));
}

TEST(BlockedRibbonTest, LinesAreThoseThatEachSolverMakes) {
  std::mt19937_64 random = TestRandom();
  constexpr size_t kKeys = kSlow ? 1000 : 5000;
  for (double bits_per_key : {2.5, 5.0, 7.0, 10.0, 16.0, 24.0}) {
    const std::vector<uint64_t> hashes = RandomHashes(kKeys, random);
    const uint32_t num_lines = LinesFor(kKeys, bits_per_key);
    const uint8_t base =
        kLines.choose_parameter(bits_per_key, kKeys, num_lines);
    const LineBytes lines = BuildFilter(hashes, base, num_lines);
    EXPECT_EQ(CountDenied(lines, hashes, base), 0u);
    for (InstructionSet set : SupportedSets()) {
      EXPECT_EQ(SolveEachLine(hashes, base, num_lines, set), lines)
          << NameOf(set) << ", " << bits_per_key << " bits per key";
    }
  }
}

// Filters of all sizes, and sets of hashes that are anything but evenly spread.
enum class Spread { kEven, kOneHash, kFirstLine, kHalfInFirstLine };

class HostileSetTest : public testing::TestWithParam<Spread> {};

TEST_P(HostileSetTest, NoFalseNegative) {
  std::mt19937_64 random = TestRandom();
  for (size_t n : {0, 1, 2, 300, 30000, kSlow ? 40000 : 400000}) {
    for (uint32_t num_lines : {1u, 2u, 7u, 1000u, 5000u, 100000u}) {
      std::vector<uint64_t> hashes = RandomHashes(n, random);
      for (size_t i = 0; i < n; ++i) {
        if (GetParam() == Spread::kOneHash) hashes[i] = 0xdeadbeef;
        if (GetParam() == Spread::kFirstLine) hashes[i] >>= 20;
        if (GetParam() == Spread::kHalfInFirstLine && i % 2 == 0) {
          hashes[i] = i % 64;
        }
      }
      const uint8_t base = kLines.choose_parameter(10, n, num_lines);
      const LineBytes lines = BuildFilter(hashes, base, num_lines);
      ASSERT_EQ(CountDenied(lines, hashes, base), 0u)
          << n << " keys, " << num_lines << " lines";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileSetTest,
                         testing::Values(Spread::kEven, Spread::kOneHash,
                                         Spread::kFirstLine,
                                         Spread::kHalfInFirstLine));

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
