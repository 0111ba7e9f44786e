// Tests of optimize_filters_for_memory: of the sizes that
// filter_policy/rocksdb/rocksdb_allocation_rounding.h chooses, and of the
// filters that the policy builds with them.

#include "filter_policy/rocksdb/rocksdb_allocation_rounding.h"

#include "oneline/cache_line_allocator.h"
#include "table/block/filter_block.h"
#include "table/block/line_count.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/size_class_allocator.h"

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
        bool up = false, down = false;
        for (int i = 0; i < 100; ++i) {
          const auto lines = static_cast<uint32_t>(base + random() % vary);
          const uint32_t rounded = rounding.Round(lines, 6, &allocator);
          balance += int64_t{rounded} - lines;
          up |= rounded > lines;
          down |= rounded < lines;
          ASSERT_LE(std::abs(balance), 2 * least / 4);
        }
        // (Not if the size is that of an allocation.)
        EXPECT_TRUE(vary == 1 || (up && down));
      }
    }
  }
}

// They know no more than what they were asked for, or claim too much.
TEST(AllocationRoundingTest, AllocatorsThatKnowNothingChangeNothing) {
  for (size_t (*usable)(size_t) :
       {+[](size_t) { return size_t{0}; }, +[](size_t bytes) { return bytes; },
        +[](size_t bytes) { return 2 * bytes; }}) {
    SizeClassAllocator allocator(usable);
    AllocationRounding rounding;
    for (const uint32_t lines : LineCounts()) {
      EXPECT_EQ(rounding.Round(lines, 1, &allocator), lines);
    }
  }
}

// With the malloc of this program, and 64 bytes for the alignment.
TEST(AllocationRoundingTest, KnowsTheAlignedAllocator) {
  const auto aligned = NewCacheLineAlignedAllocator();
  for (size_t bytes : {1u, 100u, 4069u, 100000u}) {
    EXPECT_NEAR(UsableBytes(bytes, aligned.get()),
                UsableBytes(bytes + kLineBytes, nullptr) - kLineBytes, 32);
    EXPECT_GE(UsableBytes(bytes, nullptr), bytes);
  }
}

class RoundedFilterTest : public testing::TestWithParam<Kind> {
 protected:
  RoundedFilterTest() {
    table_.optimize_filters_for_memory = true;
    table_.detect_filter_construct_corruption = true;
    table_.block_cache = SizeClassCache();
  }
  // Of this many keys. The filter fills its allocation if it is rounded.
  std::string Built(size_t n, rocksdb::FilterBitsBuilder* builder) {
    const Keys keys = MakeKeys("key", n);
    AddKeys(keys, builder);
    const std::string block = FinishBlock(builder);
    EXPECT_TRUE(builder->MaybePostVerify(block).ok());
    EXPECT_EQ(CountMatches(keys, NewReader(policy_, block).get()), n);
    if (table_.optimize_filters_for_memory) {
      EXPECT_LT(SizeClass(block.size() + 5) - block.size() - 5, kLineBytes);
    }
    return block;
  }

  rocksdb::BlockBasedTableOptions table_;
  const PolicyPtr policy_ = OurPolicy(10, GetParam());
};

INSTANTIATE_TEST_SUITE_P(Kinds, RoundedFilterTest,
                         testing::Values(Kind::kRibbon, Kind::kBloom));

// Whether the policy's builders ask for it, and fill what they are given.
TEST_P(RoundedFilterTest, FillsItsAllocationAndHasItsBitsOnAverage) {
  double requested = 0, given = 0;
  size_t other_sizes = 0;
  for (size_t n = 1000; n < 4000; n += 50) {
    const auto trailer =
        DecodeTrailer(Built(n, NewBuilder(policy_, table_).get()));
    ASSERT_TRUE(trailer.has_value());
    EXPECT_NEAR(trailer->asked_bits_per_key, 10, 0.002);
    other_sizes += trailer->num_lines != LinesFor(n, 10);
    requested += LinesFor(n, 10);
    given += trailer->num_lines;
  }
  EXPECT_GT(other_sizes, 30u);
  EXPECT_NEAR(given / requested, 1, 0.02);
  // Nothing is rounded unless the option says so.
  table_.optimize_filters_for_memory = false;
  EXPECT_EQ(Built(3100, NewBuilder(policy_, table_).get()).size(),
            kLineBytes * LinesFor(3100, 10) + kTrailerBytes);
}

TEST_P(RoundedFilterTest, PartitionsHaveTheirBitsAndFillAllocations) {
  const BuilderPtr builder = NewBuilder(policy_, table_);
  for (const size_t size : {600, 4096, 5000, 65536}) {
    const size_t n = builder->ApproximateNumEntries(size);
    const size_t bytes = Built(n, builder.get()).size();
    EXPECT_LE(bytes, size);
    EXPECT_NEAR(8.0 * static_cast<double>(bytes - kTrailerBytes) /
                    static_cast<double>(n) / 10,
                1, 0.02);
  }
  EXPECT_EQ(builder->ApproximateNumEntries(kTrailerBytes - 1), 0u);
}

}  // namespace
}  // namespace oneline
