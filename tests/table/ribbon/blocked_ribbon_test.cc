// Tests of table/ribbon/blocked_ribbon.h: whole filters, whatever the hashes,
// and a reader written from the specification. Single lines:
// ribbon_lines_test.cc; kernels: probe_test.cc; rates:
// blocked_ribbon_fp_rate_test.cc.

#include "table/ribbon/blocked_ribbon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "table/block/line_count.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/ribbon/ribbon_partition.h"
#include "table/ribbon/ribbon_solver.h"
#include "table/simd/probe.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// One lookup as docs/format.md describes it, bit by bit, with no part of the
// code.
class SpecifiedLine {
 public:
  SpecifiedLine(const uint8_t* line, int base) : line_(line), base_(base) {}

  bool MayMatch(uint64_t hash) const {
    const int difference = Number(0, 6);
    if (difference == 63) return true;
    const int w = base_ + difference;
    if (w == 0) return false;
    const uint64_t c = Fold(hash, 0x9e3779b97f4a7c15);
    const uint64_t f = Fold(hash, 0x243f6a8885a308d3);
    const int s = Number(6, 3), d = Number(9, 2);
    for (int j = 0; j < 32 && 11 + j * w < 512; ++j) {
      const int begin = 11 + j * w;
      const int v = std::min(w, 512 - begin);
      const int group = static_cast<int>(f / (uint64_t{1} << 32) % 256);
      if (v < w && (group + 40 - 16 * d) * w >= 256 * v) continue;
      const int window = std::min(v, 56);
      int place = RotatedBits(c, s, 56, 8) * 284 / 256 - 14;
      place = std::max(0, std::min(255, place));
      const int start = place * (v - window + 1) / 256;
      int sum = Bit(begin + start);
      for (int i = 1; i < window; ++i) {
        sum += RotatedBits(c, s, i, 1) * Bit(begin + start + i);
      }
      if (sum % 2 != static_cast<int>(f >> j & 1)) return false;
    }
    return true;
  }

 private:
  static uint64_t Fold(uint64_t hash, uint64_t multiplier) {
    const auto product = static_cast<unsigned __int128>(hash) * multiplier;
    return static_cast<uint64_t>(product >> 64) ^
           static_cast<uint64_t>(product);
  }
  // Bits from..from+n-1 of c rotated left by 8*s.
  static int RotatedBits(uint64_t c, int s, int from, int n) {
    int number = 0;
    for (int i = 0; i < n; ++i) {
      number += static_cast<int>(c >> ((from + i + 64 - 8 * s) % 64) & 1) << i;
    }
    return number;
  }
  int Bit(int i) const { return line_[i / 8] >> (i % 8) & 1; }
  int Number(int from, int n) const {
    int number = 0;
    for (int i = 0; i < n; ++i) number += Bit(from + i) << i;
    return number;
  }

  const uint8_t* const line_;
  const int base_;
};

std::vector<uint64_t> RandomHashes(size_t n, std::mt19937_64& random) {
  std::vector<uint64_t> hashes(n);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

std::vector<uint8_t> BuildWith(InstructionSet set,
                               const std::vector<uint64_t>& hashes,
                               uint8_t parameter, int effort,
                               uint32_t num_lines) {
  HashList list;
  for (uint64_t hash : hashes) list.Append(hash);
  std::vector<uint8_t> lines(kLineBytes * num_lines, 0xa5);
  std::make_unique<blocked_ribbon::PartitionedBuild>(
      blocked_ribbon::SolverFor(set), parameter, static_cast<uint32_t>(effort),
      list, lines.data(), num_lines)
      ->Run();
  // The hashes are permuted and nothing else.
  std::vector<uint64_t> before = hashes, after;
  list.ForEach([&](uint64_t hash) { after.push_back(hash); });
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
  return lines;
}

size_t CountDenied(const std::vector<uint8_t>& lines,
                   const std::vector<uint64_t>& hashes, uint8_t parameter) {
  const auto num_lines = static_cast<uint32_t>(lines.size() / kLineBytes);
  return static_cast<size_t>(
      std::count_if(hashes.begin(), hashes.end(), [&](uint64_t hash) {
        return !blocked_ribbon::kPortableKernel.one(
            lines.data() + kLineBytes * LineIndex(hash, num_lines), hash,
            parameter);
      }));
}

TEST(BlockedRibbonTest, AnswersAreThoseOfTheSpecification) {
  std::mt19937_64 random = TestRandom();
  size_t passed = 0;
  for (uint32_t n = 0; n <= 320; n += kSanitized ? 20 : 1) {
    for (uint32_t parameter : {n, n > 30 ? n - 30 : 0}) {
      const auto base = static_cast<uint8_t>(std::min(parameter, 255u));
      std::vector<uint64_t> hashes = RandomHashes(n, random);
      std::vector<uint8_t> line =
          BuildWith(BestInstructionSet(), hashes, base, 2, 1);
      for (uint64_t absent : RandomHashes(100, random)) {
        hashes.push_back(absent);
      }
      // As built, then with more and more bits changed.
      for (int change = 0; change < 8; ++change) {
        const SpecifiedLine specified(line.data(), base);
        for (uint64_t hash : hashes) {
          const bool expected = specified.MayMatch(hash);
          passed += expected;
          ASSERT_EQ(
              blocked_ribbon::kPortableKernel.one(line.data(), hash, base),
              expected)
              << n << " keys, base " << int{base};
        }
        const size_t bit = random() % kLineBits;
        line[bit / 8] = static_cast<uint8_t>(line[bit / 8] ^ 1u << bit % 8);
      }
    }
  }
  EXPECT_GT(passed, 1000u);
}

TEST(BlockedRibbonTest, BytesAreTheSameWithEachInstructionSetAndOrder) {
  std::mt19937_64 random = TestRandom();
  constexpr size_t kKeys = kSanitized ? 3000 : 30000;
  for (double bits_per_key : {2.5, 5.0, 7.0, 10.0, 16.0, 24.0}) {
    for (int effort : {1, 2, 4, 8}) {
      std::vector<uint64_t> hashes = RandomHashes(kKeys, random);
      const uint32_t num_lines = LinesFor(kKeys, bits_per_key);
      const uint8_t parameter =
          blocked_ribbon::ChooseParameter(bits_per_key, kKeys, num_lines);
      const std::vector<uint8_t> expected = BuildWith(
          InstructionSet::kPortable, hashes, parameter, effort, num_lines);
      EXPECT_EQ(CountDenied(expected, hashes, parameter), 0u);
      for (size_t i = 1; i <= static_cast<size_t>(BestInstructionSet()); ++i) {
        std::shuffle(hashes.begin(), hashes.end(), random);
        EXPECT_EQ(BuildWith(static_cast<InstructionSet>(i), hashes, parameter,
                            effort, num_lines),
                  expected)
            << kInstructionSetNames[i] << ", " << bits_per_key
            << " bits per key, effort " << effort;
      }
      HashList list;
      for (uint64_t hash : hashes) list.Append(hash);
      std::vector<uint8_t> lines(kLineBytes * num_lines);
      blocked_ribbon::Build(list, parameter, effort, lines.data(), num_lines);
      EXPECT_EQ(lines, expected);
    }
  }
}

// Filters of all sizes, and sets of hashes that are anything but evenly spread.
enum class Spread { kEven, kOneHash, kFirstLine, kHalfInFirstLine };

class HostileSetTest : public testing::TestWithParam<Spread> {};

TEST_P(HostileSetTest, NoFalseNegative) {
  std::mt19937_64 random = TestRandom();
  for (size_t n : {0, 1, 2, 300, 30000, kSanitized ? 40000 : 400000}) {
    for (uint32_t num_lines : {1u, 2u, 7u, 1000u, 5000u, 100000u}) {
      std::vector<uint64_t> hashes = RandomHashes(n, random);
      for (size_t i = 0; i < n; ++i) {
        if (GetParam() == Spread::kOneHash) hashes[i] = 0xdeadbeef;
        if (GetParam() == Spread::kFirstLine) hashes[i] >>= 20;
        if (GetParam() == Spread::kHalfInFirstLine && i % 2 == 0) {
          hashes[i] = i % 64;
        }
      }
      const uint8_t parameter =
          blocked_ribbon::ChooseParameter(10, n, num_lines);
      const std::vector<uint8_t> lines =
          BuildWith(BestInstructionSet(), hashes, parameter, 1, num_lines);
      ASSERT_EQ(CountDenied(lines, hashes, parameter), 0u)
          << n << " keys, " << num_lines << " lines";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileSetTest,
                         testing::Values(Spread::kEven, Spread::kOneHash,
                                         Spread::kFirstLine,
                                         Spread::kHalfInFirstLine));

TEST(BlockedRibbonTest, EveryParameterIsValidAndAnyNumbersGiveOne) {
  for (int parameter = 0; parameter <= 255; ++parameter) {
    EXPECT_TRUE(
        blocked_ribbon::ValidParameter(static_cast<uint8_t>(parameter)));
  }
  EXPECT_EQ(blocked_ribbon::ChooseParameter(10, 0, 1), 0);
  EXPECT_EQ(blocked_ribbon::ChooseParameter(10, 1, 1), 1);
  EXPECT_EQ(blocked_ribbon::ChooseParameter(1, 0, kMaxLines), 0);
  EXPECT_EQ(blocked_ribbon::ChooseParameter(1, ~size_t{0}, 1), 255);
  EXPECT_EQ(blocked_ribbon::ChooseParameter(1, ~size_t{0}, kMaxLines), 255);
}

// The base follows the keys that a line really has, which in small filters are
// fewer than the bits asked for say: one line of 55 keys has room for 9
// columns.
TEST(BlockedRibbonTest, SmallFiltersUseTheirBits) {
  EXPECT_EQ(blocked_ribbon::ChooseParameter(5, 55, 1), 55);
  EXPECT_EQ(blocked_ribbon::ChooseParameter(5, 102, 1), 102);
  EXPECT_LE(blocked_ribbon::ChooseParameter(5, 110, 2), 55);
  std::mt19937_64 random = TestRandom();
  for (size_t n : {1, 20, 55, 80, 102}) {
    const uint8_t parameter = blocked_ribbon::ChooseParameter(5, n, 1);
    for (int i = 0; i < 20; ++i) {
      const std::vector<uint8_t> line = BuildWith(
          BestInstructionSet(), RandomHashes(n, random), parameter, 4, 1);
      EXPECT_LE(line[0] & 63, 6) << n << " keys";
    }
  }
}

#if defined(__x86_64__)
// Forgetting one would cost speed but no answer.
TEST(BlockedRibbonTest, HasAKernelAndASolverForEachInstructionSet) {
  const std::set<const ProbeKernel*> kernels(blocked_ribbon::kKernels.begin(),
                                             blocked_ribbon::kKernels.end());
  EXPECT_EQ(kernels.size(), kNumInstructionSets);
  std::set<const blocked_ribbon::Solver*> solvers;
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    solvers.insert(&blocked_ribbon::SolverFor(static_cast<InstructionSet>(i)));
  }
  EXPECT_EQ(solvers.size(), kNumInstructionSets);
}
#endif

}  // namespace
}  // namespace oneline
