// What building a filter costs in memory at its peak: 8 bytes for each key, the
// block, and 1 MiB. Every allocation of the program is counted.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "bench/measure/peak_memory.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "tests/random_keys.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

class BuilderMemoryTest : public testing::TestWithParam<const KindTraits*> {};

TEST_P(BuilderMemoryTest, PeakIsEightBytesAKeyTheBlockAndAMebibyte) {
  for (size_t n : {0, 1, 1000, 20000, 100000, 1000000, 5000000}) {
    for (double bits_per_key : {3.0, 10.0, 100.0}) {
      if (n * bits_per_key > 1e8) continue;
      ResetPeakMemory();
      FilterBlockBuilder builder(*GetParam(), bits_per_key, 1);
      for (size_t i = 0; i < n; ++i) {
        builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
      }
      const size_t block = builder.Finish().size;
      const size_t peak = PeakMemory();
      const size_t besides = peak - 8 * n - block;
      std::printf("%7zu keys, %3.0f bits per key: %zu KiB besides\n", n,
                  bits_per_key, besides / 1024);
      EXPECT_GE(peak, 8 * n + block) << "not all was counted";
      EXPECT_LE(besides, size_t{1} << 20) << n << " keys";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BuilderMemoryTest, testing::ValuesIn(AllKinds()),
                         [](const auto& kind) {
                           return std::string(kind.param->name);
                         });

}  // namespace
}  // namespace oneline
