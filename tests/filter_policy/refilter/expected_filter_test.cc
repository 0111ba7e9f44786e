// What Refilter expects of a table's filter where the policy or its size alone
// says little: it must not rewrite the same tables at each call.

#include "filter_policy/refilter/expected_filter.h"

#include <gtest/gtest.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <memory>
#include <string>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/filter_policy/policies.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

rocksdb::Options PartitionedOptions(const char* policy, size_t metadata_bytes,
                                    size_t block_bytes = 4096) {
  rocksdb::BlockBasedTableOptions table;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = metadata_bytes;
  table.block_size = block_bytes;
  return OptionsWith(PolicyNamed(policy), table);
}

// Partitions end with those of the index, which a few long keys fill.
class ShortPartitionsTest : public testing::TestWithParam<size_t> {
 protected:
  static void Fill(const ScratchDatabase& database) {
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(database
                      ->Put({}, KeyAt(2 * i) + std::string(700, 'k'),
                            std::string(300, 'v'))
                      .ok());
    }
    ASSERT_TRUE(database->Flush({}).ok());
  }
};

TEST_P(ShortPartitionsTest, AreRewrittenOnce) {
  ScratchDatabase database(
      PartitionedOptions("bloomfilter:10:false", GetParam()));
  Fill(database);
  ASSERT_FALSE(HasFatalFailure());
  ExpectNothingToDo(database);
  for (const char* policy :
       {"oneline:10", "oneline:14", "{id=oneline;kind=bloom}",
        "bloomfilter:10:false", "oneline:10"}) {
    SCOPED_TRACE(policy);
    database.Reopen(PartitionedOptions(policy, GetParam()));
    EXPECT_EQ(RefilterAll(database).tables_rewritten, 1u);
    ExpectNothingToDo(database);
  }
}

TEST(ExpectedFilterTest, FiltersOfOtherLibrariesAreKnownByTheirNames) {
  const PolicyPtr first = ForeignPolicy("first");
  ScratchDatabase database(OptionsWith(first), 10000);
  ExpectNothingToDo(database);
  const PolicyPtr second = ForeignPolicy("second");
  for (const PolicyPtr& policy :
       {second, PolicyNamed("oneline:10"), first, PolicyPtr()}) {
    SCOPED_TRACE(policy == nullptr ? "none" : policy->Name());
    database.Reopen(OptionsWith(policy));
    EXPECT_EQ(RefilterAll(database).tables_rewritten, 1u);
    ExpectNothingToDo(database);
  }
}

// A partition ends with a data block, which can hold more keys than the limit
// leaves bits for.
TEST(ExpectedFilterTest, PartitionsThatTheLimitCutsAreRewrittenOnce) {
  constexpr size_t kBlockBytes = 64 << 10;
  ScratchDatabase database(
      PartitionedOptions("bloomfilter:10:false", 4096, kBlockBytes), 100000);
  bool is_first = true;
  for (const char* policy : {"{id=oneline;max_filter_bytes=4096}", "oneline:10",
                             "{id=oneline;max_filter_bytes=4096}"}) {
    SCOPED_TRACE(policy);
    database.Reopen(PartitionedOptions(policy, 4096, kBlockBytes));
    const uint64_t rewritten = RefilterAll(database).tables_rewritten;
    // Newer versions of RocksDB end partitions elsewhere, and nothing is cut.
    EXPECT_TRUE(rewritten == 1 || (kRocksDBMajor >= 9 && !is_first));
    is_first = false;
    ExpectNothingToDo(database);
  }
}

// Rounded to whole lines, the sample lies on one side of what a Ribbon needs,
// and the table on the other.
TEST(ExpectedFilterTest, WhereTheKindHangsOnAThousandthOfABitEitherIsRight) {
  const char* const policy =
      "{id=oneline;bits_per_key=2.148;bits_by_level=false}";
  ScratchDatabase database(OptionsWith(PolicyNamed(policy)), 600000);
  ExpectNothingToDo(database);
}

// Flushes of a load have fewer bits than those between compactions.
TEST(ExpectedFilterTest, ALoadIsAsItsFlushesWroteIt) {
  const rocksdb::Options options =
      OptionsWith(PolicyNamed("{id=oneline;bloom_before_level=0}"));
  ScratchDatabase database(options);
  for (int i = 0; i < 6; ++i) {
    database.WriteTable(2000 * i, 2000 * (i + 1));
    rocksdb::CompactRangeOptions move;
    move.change_level = true;
    move.target_level = 6;
    move.bottommost_level_compaction =
        rocksdb::BottommostLevelCompaction::kSkip;
    ASSERT_TRUE(database->CompactRange(move, nullptr, nullptr).ok());
  }
  ASSERT_EQ(KindsOf(database)["bloom"], 6);
  ASSERT_EQ(TablesByLevel(database)[6], 6);
  ExpectNothingToDo(database);
}

TEST(ExpectedFilterTest, APolicyAroundOursWritesOtherBitsAboveTheLastLevel) {
  ScratchDatabase database(Rocksdbs());
  for (const int level : {6, 5, 4}) database.WriteTableTo(level, 0, 10000);
  const PolicyPtr ours = PolicyNamed("oneline:6");
  database.Reopen(OptionsWith(std::make_shared<OuterPolicy>(
      ours, "Wrapped", ours->CompatibilityName())));
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 3u);
  ExpectNothingToDo(database);
}

INSTANTIATE_TEST_SUITE_P(MetadataBlockSize, ShortPartitionsTest,
                         testing::Values(512, 4096));

}  // namespace
}  // namespace oneline
