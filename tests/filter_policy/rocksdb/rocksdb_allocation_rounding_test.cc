// Tests of optimize_filters_for_memory: of the sizes that
// filter_policy/rocksdb/rocksdb_allocation_rounding.h chooses, and of the
// filters that the policy builds with them.

#include "filter_policy/rocksdb/rocksdb_allocation_rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "oneline/cache_line_allocator.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_block.h"
#include "table/block/line_count.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/size_class_allocator.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// The bytes that RocksDB allocates for a filter of so many lines.
size_t BytesRead(uint32_t lines) {
  return kLineBytes * lines + kTrailerBytes + 5;
}

std::vector<uint32_t> LineCounts() {
  std::vector<uint32_t> counts;
  for (uint32_t lines = 0; lines < 300; ++lines) counts.push_back(lines);
  std::mt19937_64 random = TestRandom();
  // Sanitizers mark all bytes of large allocations.
  for (int i = 0; i < (kSlow ? 50 : 300); ++i) {
    counts.push_back(random() % (kSlow ? 5000 : 100000));
  }
  return counts;
}

// Partitions are rounded down.
TEST(AllocationRoundingTest, FiltersFillTheirAllocations) {
  SizeClassAllocator allocator;
  AllocationRounding rounding;
  for (const uint32_t lines : LineCounts()) {
    SCOPED_TRACE(lines);
    const uint32_t rounded = rounding.Round(lines, 1, &allocator);
    const uint32_t down = AllocationRounding::RoundDown(lines, &allocator);
    EXPECT_LE(rounded, lines + lines / 3);
    EXPECT_LE(kLineBytes * rounded + kTrailerBytes,
              AllocationRounding::MaxBytes(kLineBytes * lines + kTrailerBytes));
    EXPECT_LE(down, lines);
    EXPECT_GE(down, lines - lines / 4);
    EXPECT_EQ(rounded == 0, lines == 0);
    if (lines < 8) continue;
    EXPECT_GE(rounded, lines - lines / 4);
    for (const size_t bytes : {BytesRead(rounded), BytesRead(down)}) {
      EXPECT_LT(SizeClass(bytes) - bytes, kLineBytes);
    }
  }
}

// Not more than one filter's rounding away, at any time: for filters of one
// size, and for filters of similar sizes.
TEST(AllocationRoundingTest, TheAverageStays) {
  SizeClassAllocator allocator;
  std::mt19937_64 random = TestRandom();
  for (const uint32_t least : {64u, 1024u, kSlow ? 2048u : 32768u}) {
    for (const uint32_t vary : {1u, least / 8, least}) {
      for (int round = 0; round < (kSlow ? 2 : 20); ++round) {
        const auto base = static_cast<uint32_t>(
            least + (vary < least ? random() % (least - vary) : 0));
        SCOPED_TRACE(testing::Message() << base << " + " << vary);
        AllocationRounding rounding;
        int64_t balance = 0;
        uint32_t up = 0, down = 0;
        for (int i = 0; i < 100; ++i) {
          const auto lines = static_cast<uint32_t>(base + random() % vary);
          const uint32_t rounded = rounding.Round(lines, 6, &allocator);
          balance += int64_t{rounded} - lines;
          up += rounded > lines;
          down += rounded < lines;
          ASSERT_LE(std::abs(balance), 2 * least / 4);
        }
        // (Not if the size is that of an allocation.)
        if (vary > 1) {
          EXPECT_GT(up, 0u);
          EXPECT_GT(down, 0u);
        }
      }
    }
  }
}

// Bits by level: what one level has too much is not taken from another one.
TEST(AllocationRoundingTest, EachLevelAndSizeHasABalanceOfItsOwn) {
  SizeClassAllocator allocator;
  AllocationRounding rounding;
  // Nearer to the allocation above, so the first one is rounded up wherever
  // there is no balance yet.
  const uint32_t lines = 1200;
  const uint32_t first = rounding.Round(lines, 0, &allocator);
  ASSERT_GT(first, lines);
  for (const uint8_t level : {1, 2, 3, 4, 5, 6, 7}) {
    EXPECT_EQ(rounding.Round(lines, level, &allocator), first);
  }
  EXPECT_EQ(rounding.Round(16 * lines, 0, &allocator),
            AllocationRounding().Round(16 * lines, 0, &allocator));
  uint32_t least = first;
  for (int i = 0; i < 10; ++i) {
    least = std::min(least, rounding.Round(lines, 0, &allocator));
  }
  EXPECT_LT(least, lines);
  // Deep and unknown levels have one together.
  EXPECT_LT(std::min(rounding.Round(lines, 255, &allocator),
                     rounding.Round(lines, 200, &allocator)),
            lines);
}

// They know no more than what they were asked for, or claim too much.
TEST(AllocationRoundingTest, AllocatorsThatKnowNothingChangeNothing) {
  using Usable = size_t (*)(size_t);
  for (const Usable usable : {Usable([](size_t) { return size_t{0}; }),
                              Usable([](size_t bytes) { return bytes; }),
                              Usable([](size_t bytes) { return 2 * bytes; })}) {
    SizeClassAllocator allocator(usable);
    AllocationRounding rounding;
    for (const uint32_t lines : LineCounts()) {
      EXPECT_EQ(rounding.Round(lines, 1, &allocator), lines);
    }
  }
}

// With the malloc of this program, and 64 bytes for the alignment: the blocks
// lie in no larger allocation than those of the lines asked for. (Only sizes
// that glibc never maps. There it may give 16 bytes more once, which can make
// room for a line.)
TEST(AllocationRoundingTest, KnowsTheAlignedAllocator) {
  const auto aligned = NewCacheLineAlignedAllocator();
  for (size_t bytes : {1u, 100u, 4069u, 100000u}) {
    EXPECT_NEAR(UsableBytes(bytes, aligned.get()),
                UsableBytes(bytes + kLineBytes, nullptr) - kLineBytes, 32);
    EXPECT_GE(UsableBytes(bytes, nullptr), bytes);
  }
  AllocationRounding rounding;
  for (const uint32_t lines : LineCounts()) {
    if (lines > 1500) continue;
    EXPECT_LE(BytesRead(rounding.Round(lines, 1, aligned.get())),
              UsableBytes(BytesRead(lines), aligned.get()) + kLineBytes);
  }
}

class RoundedFilterTest : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, RoundedFilterTest,
                         testing::Values(Kind::kRibbon, Kind::kBloom));

rocksdb::BlockBasedTableOptions Rounding() {
  rocksdb::BlockBasedTableOptions table;
  table.optimize_filters_for_memory = true;
  table.detect_filter_construct_corruption = true;
  table.block_cache = SizeClassCache();
  return table;
}

// Whether the policy's builders ask for it, and fill what they are given.
TEST_P(RoundedFilterTest, FillsItsAllocationAndHasItsBitsOnAverage) {
  rocksdb::BlockBasedTableOptions table = Rounding();
  const PolicyPtr policy = OurPolicy(10, GetParam());
  double asked = 0, given = 0;
  size_t other_sizes = 0;
  for (size_t n = 1000; n < 4000; n += 50) {
    const Keys keys = MakeKeys("key", n);
    const BuilderPtr builder = NewBuilder(policy, table);
    AddKeys(keys, builder.get());
    const std::string block = FinishBlock(builder.get());
    EXPECT_TRUE(builder->MaybePostVerify(block).ok());
    ASSERT_EQ(CountMatches(keys, NewReader(policy, block).get()), n);
    const auto trailer = DecodeTrailer(block);
    ASSERT_TRUE(trailer.has_value());
    EXPECT_NEAR(trailer->asked_bits_per_key, 10, 0.002);
    EXPECT_LT(SizeClass(block.size() + 5) - block.size() - 5, kLineBytes);
    other_sizes += trailer->num_lines != LinesFor(n, 10);
    asked += LinesFor(n, 10);
    given += trailer->num_lines;
  }
  EXPECT_GT(other_sizes, 30u);
  EXPECT_NEAR(given / asked, 1, 0.02);
  // Nothing is rounded unless the option says so.
  table.optimize_filters_for_memory = false;
  const BuilderPtr builder = NewBuilder(policy, table);
  AddKeys(MakeKeys("key", 3100), builder.get());
  EXPECT_EQ(FinishBlock(builder.get()).size(),
            kLineBytes * LinesFor(3100, 10) + kTrailerBytes);
}

TEST_P(RoundedFilterTest, PartitionsHaveTheirBitsAndFillAllocations) {
  const BuilderPtr builder = NewBuilder(OurPolicy(10, GetParam()), Rounding());
  for (const size_t size : {600, 4096, 5000, 65536}) {
    const size_t n = builder->ApproximateNumEntries(size);
    AddKeys(MakeKeys("key", n), builder.get());
    const size_t bytes = FinishBlock(builder.get()).size();
    EXPECT_LT(SizeClass(bytes + 5) - bytes - 5, kLineBytes);
    EXPECT_LE(bytes, size);
    EXPECT_NEAR(8.0 * static_cast<double>(bytes - kTrailerBytes) /
                    static_cast<double>(n) / 10,
                1, 0.02);
  }
  EXPECT_EQ(builder->ApproximateNumEntries(kTrailerBytes - 1), 0u);
}

}  // namespace
}  // namespace oneline
