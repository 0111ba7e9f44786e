// Tests of the option max_filter_bytes: filters of more keys than fit have
// fewer bits for each, or are left out, and the LOG tells of it.

#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/filter_policy/size_class_allocator.h"

namespace oneline {
namespace {

constexpr size_t kLimit = 10000;
// 155 lines of the 155.75 that fit.
constexpr size_t kLargest = 155 * kLineBytes + kTrailerBytes;

PolicyPtr LimitedPolicy(Kind kind, std::optional<uint64_t> limit = kLimit) {
  FilterOptions options;
  options.kind = kind;
  options.bits_by_level = false;
  options.max_filter_bytes = limit;
  return PolicyWith(options);
}

class MaxFilterBytesTest : public testing::TestWithParam<Kind> {
 protected:
  PolicyPtr policy() const { return LimitedPolicy(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, MaxFilterBytesTest,
                         testing::Values(Kind::kRibbon, Kind::kBloom));

TEST_P(MaxFilterBytesTest, LargerFiltersHaveFewerBits) {
  double last_rate = 0;
  for (const size_t n : {1, 1000, 7936, 7937, 10000, 20000, 40000, 79360}) {
    SCOPED_TRACE(n);
    const Keys keys = MakeKeys("key", n);
    const std::string block = BuildBlock(policy(), keys);
    if (n <= 7936) {  // 155 lines at 10 bits per key
      EXPECT_EQ(block.size(),
                BuildBlock(LimitedPolicy(GetParam(), {}), keys).size());
    } else {
      EXPECT_EQ(block.size(), kLargest);
    }
    EXPECT_EQ(CountMatches(keys, NewReader(policy(), block).get()), n);
    const double rate = BlockFpRate(block);
    EXPECT_GE(rate, 0.85 * last_rate);
    EXPECT_LT(rate, 0.7);
    if (n >= 7936) last_rate = rate;  // that of few lines is a matter of chance
    EXPECT_NEAR(DecodeTrailer(block)->asked_bits_per_key, 10, 0.01);
  }
  // A bit for each key, with one probe.
  EXPECT_NEAR(last_rate, 0.632, 0.02);
}

TEST_P(MaxFilterBytesTest, BelowOneBitThereIsNoFilter) {
  const Keys keys = MakeKeys("key", 79361);
  const std::string block = BuildBlock(policy(), keys);
  EXPECT_EQ(block.size(), kLineBytes + kTrailerBytes);
  EXPECT_EQ(BlockFpRate(block), 1);
  const ReaderPtr reader = NewReader(policy(), block);
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
  EXPECT_EQ(CountMatches(MakeKeys("absent", 1000), reader.get()), 1000u);
  // RocksDB without this library passes every key, too.
  const ReaderPtr builtin =
      NewReader(PolicyNamed("rocksdb.BuiltinBloomFilter"), block);
  EXPECT_EQ(CountMatches(MakeKeys("absent", 1000), builtin.get()), 1000u);
}

TEST_P(MaxFilterBytesTest, HoldsForRoundedSizes) {
  rocksdb::BlockBasedTableOptions table;
  table.optimize_filters_for_memory = true;
  table.block_cache = SizeClassCache();
  const PolicyPtr limited = policy();
  for (size_t n = 5000; n < 20000; n += 1000) {
    const BuilderPtr builder = NewBuilder(limited, table);
    const Keys keys = MakeKeys("key", n);
    AddKeys(keys, builder.get());
    const std::string block = FinishBlock(builder.get());
    EXPECT_LE(block.size(), kLimit);
    if (n > 7936) {
      EXPECT_LT(SizeClass(block.size() + 5) - block.size() - 5, kLineBytes);
    }
    EXPECT_EQ(CountMatches(keys, NewReader(limited, block).get()), n);
  }
}

// Partitions are cut so that all of their keys have their bits.
TEST_P(MaxFilterBytesTest, PartitionsAreCutByIt) {
  const BuilderPtr builder = NewBuilder(policy());
  const size_t most = builder->ApproximateNumEntries(kLimit);
  EXPECT_EQ(builder->ApproximateNumEntries(1 << 20), most);
  EXPECT_LT(builder->ApproximateNumEntries(4096), most);
}

TEST_P(MaxFilterBytesTest, TheLogHasALineForEachTable) {
  for (const auto& [keys, line] :
       {std::pair(7936, ""),
        {10000, "10000 keys has 7.94 bits per key instead of 10.00"},
        {100000,
         "100000 keys is left out, which would have 0.79 bits per key instead "
         "of 10.00"}}) {
    LinesLogged log;
    rocksdb::BlockBasedTableOptions table;
    table.optimize_filters_for_memory = false;
    const BuilderPtr builder = NewBuilder(policy(), table, &log);
    for (int filter = 0; filter < 2; ++filter) {
      AddKeys(MakeKeys("key", keys), builder.get());
      FinishBlock(builder.get());
    }
    std::vector<std::string> lines;
    if (*line != '\0') {
      lines.push_back(
          "[WARN] [family] oneline: max_filter_bytes=10000: a filter of " +
          std::string(line));
    }
    EXPECT_EQ(log.lines, lines);
  }
}

}  // namespace
}  // namespace oneline
