// The kernels of both kinds in lines of short blocks: with each instruction set
// that this machine can run, lines of every length get the answers of
// docs/format.md, whatever their bytes, and nothing outside them is read.
// Lookups in any number of random lines, also short ones: tests/table/block/
// kernels_differential_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/ribbon/blocked_ribbon.h"
#include "table/short_block/short_block.h"
#include "table/simd/lookups.h"
#include "tests/guarded_bytes.h"
#include "tests/sanitizers.h"
#include "tests/table/line_specification.h"
#include "tests/table/random_lines.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr uint32_t kStep = kSlow ? 9 : 1;

ShortLine LineOf(const LineBytes& bytes) {
  return {bytes.data(), static_cast<uint32_t>(bytes.size())};
}

// A valid one.
uint8_t RandomBase(std::mt19937_64& random) {
  return static_cast<uint8_t>(random() % 49 * 4);
}

class ShortLineKernelTest : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!IsSupported(GetParam())) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }

  bool RibbonMayMatch(ShortLine line, uint64_t hash, uint8_t base) const {
    return ShortBlockKernelsFor(GetParam())
        .ribbon.short_line(line, hash,
                           blocked_ribbon::ContextFor(base, line.num_bytes));
  }
  bool BloomMayMatch(ShortLine line, uint64_t hash, uint8_t probes) const {
    return ShortBlockKernelsFor(GetParam())
        .bloom.short_line(line, hash,
                          blocked_bloom::ContextFor(probes, line.num_bytes));
  }

  void ExpectRibbon(ShortLine line, uint64_t hash, uint8_t base) const {
    ASSERT_EQ(RibbonMayMatch(line, hash, base),
              SpecifiedRibbonLookup(line.bytes, line.num_bytes, hash, base)
                  .MayMatch())
        << line.num_bytes << " bytes, base " << int{base} << ", hash " << hash;
  }
  void ExpectBloom(ShortLine line, uint64_t hash, uint8_t probes) const {
    ASSERT_EQ(BloomMayMatch(line, hash, probes),
              BloomBySpecification(line.bytes, line.num_bytes, hash, probes))
        << line.num_bytes << " bytes, " << int{probes} << " probes, hash "
        << hash;
  }
};

// Also rows that leave no full column, and all values of the header.
TEST_P(ShortLineKernelTest, RibbonAnswersAsSpecifiedForAnyBytes) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t num_bytes = 8; num_bytes <= 64; num_bytes += kStep) {
    for (uint32_t rows_over_base = 0; rows_over_base < 64; ++rows_over_base) {
      for (uint32_t i = 0; i < 8; ++i) {
        const uint8_t base =
            i < 4 ? static_cast<uint8_t>(4 * i) : RandomBase(random);
        const uint64_t hash = random();
        LineBytes line = RandomLine(num_bytes, random() % 17, random);
        PutRibbonHeader(rows_over_base, random() % 8, i % 4, line.data());
        ExpectRibbon(LineOf(line), hash, base);
        // Where a key passes, each column is looked at.
        LetPass({line.data(), num_bytes, hash, base}, line.data());
        ExpectRibbon(LineOf(line), hash, base);
        FlipBit(11 + random() % (8 * num_bytes - 11), line.data());
        ExpectRibbon(LineOf(line), hash, base);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Keys of a solved line pass all of its columns; once a bit is changed, some
// don't, and each bit comes to decide about one of them.
TEST_P(ShortLineKernelTest, RibbonAnswersAsSpecifiedOnDamagedLines) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t num_bytes = 8; num_bytes <= 64; num_bytes += 2 * kStep) {
    for (size_t num_keys : {1, 2, 3, 5, 10, 20, 35, 60, 150}) {
      const uint8_t base = RibbonBaseBelow(num_keys);
      std::vector<uint64_t> hashes = RandomHashes(num_keys, random);
      LineBytes line = SolvedRibbonLine(hashes, base, 4, num_bytes);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(RibbonMayMatch(LineOf(line), hash, base))
            << num_bytes << " bytes, " << num_keys << " keys";
      }
      hashes.resize(std::min<size_t>(num_keys, 6));
      hashes.push_back(random());
      for (size_t bit = 0; bit < 8 * num_bytes; ++bit) {
        FlipBit(bit, line.data());
        for (uint64_t hash : hashes) ExpectRibbon(LineOf(line), hash, base);
        if (HasFatalFailure()) return;
        FlipBit(bit, line.data());
      }
    }
  }
}

TEST_P(ShortLineKernelTest, BloomAnswersAsSpecifiedForAnyBytes) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t num_bytes = 8; num_bytes <= 64; num_bytes += kStep) {
    for (uint8_t probes = 1; probes <= 24; ++probes) {
      for (size_t sixteenths : {4, 8, 14, 15, 16}) {
        const LineBytes line = RandomLine(num_bytes, sixteenths, random);
        for (uint64_t hash : RandomHashes(20, random)) {
          ExpectBloom(LineOf(line), hash, probes);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// A line of 64 bytes is one of a filter block.
TEST_P(ShortLineKernelTest, WholeLinesAreThoseOfFilterBlocks) {
  std::mt19937_64 random = TestRandom();
  const ShortBlockKernels kernels = ShortBlockKernelsFor(GetParam());
  for (size_t num_keys : {1, 5, 20, 51, 80, 150}) {
    const uint8_t base = RibbonBaseBelow(num_keys);
    std::vector<uint64_t> hashes = RandomHashes(num_keys, random);
    const LineBytes line = SolvedRibbonLine(hashes, base, 4);
    for (uint64_t absent : RandomHashes(2000, random)) hashes.push_back(absent);
    for (uint64_t hash : hashes) {
      EXPECT_EQ(RibbonMayMatch(LineOf(line), hash, base),
                kernels.ribbon.one(line.data(), hash,
                                   blocked_ribbon::ContextFor(base, 64)));
      EXPECT_EQ(BloomMayMatch(LineOf(line), hash, 2),
                kernels.bloom.one(line.data(), hash,
                                  blocked_bloom::ContextFor(2, 64)));
    }
  }
}

// The unreadable pages end the test if another byte is read.
TEST_P(ShortLineKernelTest, ReadTheLineAndNothingElse) {
  std::mt19937_64 random = TestRandom();
  for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
    for (uint32_t num_bytes = 8; num_bytes <= 64; ++num_bytes) {
      const GuardedBytes guarded(num_bytes, edge);
      const ShortLine line = {guarded.data(), num_bytes};
      for (int i = 0; i < 40; ++i) {
        const LineBytes bytes = RandomLine(num_bytes, 8 + random() % 9, random);
        std::memcpy(guarded.data(), bytes.data(), num_bytes);
        const uint64_t hash = random();
        ExpectRibbon(line, hash, RandomBase(random));
        ExpectBloom(line, hash, static_cast<uint8_t>(1 + random() % 24));
        if (HasFatalFailure()) return;
      }
      // Keys that pass look at every column.
      const std::vector<uint64_t> hashes = RandomHashes(num_bytes / 2, random);
      const LineBytes solved = SolvedRibbonLine(hashes, 4, 4, num_bytes);
      std::memcpy(guarded.data(), solved.data(), num_bytes);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(RibbonMayMatch(line, hash, 4)) << num_bytes;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShortLineKernelTest, testing::ValuesIn(AllSets()),
                         [](const auto& set) {
                           return std::string(NameOf(set.param));
                         });

}  // namespace
}  // namespace oneline
