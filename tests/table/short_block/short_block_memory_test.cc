// The tables that lookups in short blocks make: what crafted blocks take for
// ever, which is not all that a block can name, and lookups without memory. In
// a program of its own, which has no tables from elsewhere.

#include <new>

#include "table/ribbon_line/ribbon_masks.h"
#include "table/short_block/short_block.h"
#include "table/simd/instruction_sets.h"
#include "tests/testing.h"

namespace {

bool g_no_memory = false;

}  // namespace

// As tables are allocated.
void* operator new(size_t bytes, std::align_val_t alignment) {
  const auto multiple = static_cast<size_t>(alignment);
  void* const memory =
      g_no_memory ? nullptr
                  : std::aligned_alloc(
                        multiple, (bytes + multiple - 1) / multiple * multiple);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

namespace oneline {
namespace {

// And lookups with memory find what they say.
TEST(ShortBlockMemoryTest, WithoutMemoryTheAnswerIsMaybe) {
  const ShortBlockKernels kernels =
      ShortBlockKernelsFor(ChosenInstructionSet());
  // One line of 20 rows, all of them 0.
  const std::string block =
      std::string(24, '\0') + static_cast<char>(kShortRibbon + 5);
  for (const bool no_memory : {true, false}) {
    g_no_memory = no_memory;
    int passed = 0;
    for (uint64_t i = 1; i <= 1000; ++i) {
      passed += ShortBlockMayMatch(block, LineMix(i), kernels);
    }
    g_no_memory = false;
    EXPECT_EQ(passed == 1000, no_memory) << passed;
  }
}

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
      const auto& table = blocked_ribbon::FindRibbonMasks(4 * i, bytes);
      maybe += table.rows[4].num_windows == 0;
    }
  }
  EXPECT_EQ(blocks - maybe, blocked_ribbon::kMaxShortTables);
}

}  // namespace
}  // namespace oneline
