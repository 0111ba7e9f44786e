// What lookups in crafted short blocks take for ever: the tables of some bases
// and lengths, not of all that a block can name. In a program of its own, which
// has no tables from elsewhere.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/short_block/short_block.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace {

TEST(ShortBlockMemoryTest, CraftedBlocksMakeFewTables) {
  const ShortBlockKernels kernels =
      ShortBlockKernelsFor(ChosenInstructionSet());
  uint32_t maybe = 0, blocks = 0;
  for (uint32_t bytes = 8; bytes < kLineBytes; ++bytes) {
    for (uint32_t i = 0; i <= blocked_ribbon::kMaxBase / 4; ++i) {
      // No equation holds in a line of ones.
      std::string block(bytes, '\xff');
      block[0] = 0;
      block += static_cast<char>(kShortRibbon + i);
      ++blocks;
      ShortBlockMayMatch(block, 12345 * bytes + i, kernels);
      maybe += blocked_ribbon::FindRibbonMasks(4 * i, bytes) == nullptr;
    }
  }
  EXPECT_EQ(blocks - maybe, blocked_ribbon::kMaxShortTables);

  // A block that this process writes is still filtered.
  std::vector<uint64_t> hashes;
  for (uint64_t i = 1; i <= 20; ++i) hashes.push_back(LineMix(i));
  std::string block;
  AppendShortBlock(*FindKind("ribbon"), 10, kDefaultEffort, &hashes, &block);
  int passed = 0;
  for (uint64_t i = 1000; i < 2000; ++i) {
    passed += ShortBlockMayMatch(block, LineMix(i), kernels);
  }
  EXPECT_LT(passed, 30);
  for (uint64_t i = 1; i <= 20; ++i) {
    EXPECT_TRUE(ShortBlockMayMatch(block, LineMix(i), kernels));
  }
}

}  // namespace
}  // namespace oneline
