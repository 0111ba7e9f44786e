// `oneline doctor` on databases whose filters and block cache do not fit
// together: tools/doctor/block_cache_checker.cc.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/table.h>

#include <string>
#include <tuple>
#include <utility>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

// By either of two options: kFallback means the flag. kFlushedAndSimilar pins
// those of level 0 only.
TEST(BlockCacheCheckerTest, FindsPartitionsThatAreNotPinned) {
  using rocksdb::PinningTier;
  rocksdb::BlockBasedTableOptions table;
  table.partition_filters = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.cache_index_and_filter_blocks = true;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  Fill(database);
  for (const auto& [tier, flag, remedy] :
       {std::tuple(PinningTier::kFallback, true, ""),
        {PinningTier::kAll, false, ""},
        {PinningTier::kFallback, false, "pin_top_level_index_and_filter=true"},
        {PinningTier::kNone, true, "top_level_index_pinning=kAll"},
        {PinningTier::kFlushedAndSimilar, true,
         "top_level_index_pinning=kAll"}}) {
    table.metadata_cache_options.top_level_index_pinning = tier;
    table.pin_top_level_index_and_filter = flag;
    database.Reopen(OptionsWith(OurPolicy(10), table));
    const DoctorReport report = RunDoctor(database.path());
    if (remedy == std::string()) {
      EXPECT_EQ(report.kinds(), Kinds{});
      continue;
    }
    ASSERT_EQ(report.kinds(), Kinds{"not-pinned"});
    EXPECT_TRUE(Contains(report.finding(0)["remedy"].text(), remedy));
  }
}

// Without --block_cache the capacity comes from the LOG.
TEST(BlockCacheCheckerTest, FindsFiltersThatExceedTheCache) {
  for (const bool inside : {true, false}) {
    rocksdb::BlockBasedTableOptions table;
    table.cache_index_and_filter_blocks = inside;
    table.block_cache = rocksdb::NewLRUCache(7000);
    ScratchDatabase database(OptionsWith(OurPolicy(10), table));
    Fill(database);  // 7,506 keys, 9.4 kB of filters
    database.Close();
    const std::string kind =
        inside ? "filters-exceed-cache" : "filters-outside-cache";
    EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{kind});
    EXPECT_EQ(RunDoctor(database.path(), "--block_cache=10MiB").kinds(),
              Kinds{});
    table.block_cache = rocksdb::NewLRUCache(1 << 20);
    database.Reopen(OptionsWith(OurPolicy(10), table));
    ExpectHealthy(database);
    EXPECT_EQ(RunDoctor(database.path(), "--block_cache=7kB").kinds(),
              Kinds{kind});
  }
}

void GetOften(const ScratchDatabase& database) {
  std::string value;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(database->Get({}, KeyAt(0), &value).ok());
  }
}

// Filters or indexes of about 5 kB and a cache with shards of 4 KiB.
class ShardTest : public testing::Test {
 protected:
  ShardTest() {
    table_.cache_index_and_filter_blocks = true;
    table_.block_cache = rocksdb::NewLRUCache(64 << 10, 4);
  }

  static Kinds Exceeds() { return {"exceeds-shard"}; }

  rocksdb::BlockBasedTableOptions table_;
};

// By the statistics each lookup reads the filter. One shard would keep it, and
// pinning does.
TEST_F(ShardTest, FindsAFilter) {
  for (const auto& [shard_bits, is_pinned] :
       {std::pair(4, false), {0, false}, {4, true}}) {
    table_.block_cache = rocksdb::NewLRUCache(64 << 10, shard_bits);
    table_.metadata_cache_options.unpartitioned_pinning =
        is_pinned ? rocksdb::PinningTier::kAll : rocksdb::PinningTier::kNone;
    ScratchDatabase database(OptionsWith(OurPolicy(10), table_));
    database.WriteTable(0, 8000);  // a filter of 5 kB
    GetOften(database);
    const bool exceeds = shard_bits > 0 && !is_pinned;
    EXPECT_EQ(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_ADD) >= 100, exceeds);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), exceeds ? Exceeds() : Kinds{});
    if (!exceeds) continue;
    EXPECT_TRUE(report.has_fault());
    EXPECT_TRUE(Contains(report.what(0), "64.0 KiB in 16 shards"));
  }
}

// Options that changed since do not change the tables. The index as a whole
// exceeds a shard, too.
TEST_F(ShardTest, CountsWhatTablesHave) {
  table_.block_size = 256;
  const auto partition = [this](bool on) {
    table_.partition_filters = on;
    table_.metadata_cache_options.top_level_index_pinning =
        rocksdb::PinningTier::kAll;
    table_.index_type =
        on ? rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch
           : rocksdb::BlockBasedTableOptions::kBinarySearch;
  };
  for (const bool partitioned : {false, true}) {
    partition(partitioned);
    table_.metadata_block_size = 1000;
    ScratchDatabase database(OptionsWith(OurPolicy(10), table_));
    database.WriteTable(0, 8000);
    partition(!partitioned);
    database.Reopen(OptionsWith(OurPolicy(10), table_));
    EXPECT_EQ(RunDoctor(database).kinds(), partitioned ? Kinds{} : Exceeds());
  }
}

// The statistics say so, too. (If the filter has the same shard, the index
// evicts it as well.)
TEST_F(ShardTest, FindsAnIndex) {
  table_.block_size = 100;
  ScratchDatabase database(OptionsWith(OurPolicy(2), table_));
  database.WriteTable(0, 8000);
  GetOften(database);
  EXPECT_GE(database.Ticker(rocksdb::BLOCK_CACHE_INDEX_ADD), 100u);
  const DoctorReport report = RunDoctor(database);
  ASSERT_EQ(report.kinds(), Exceeds());
  EXPECT_TRUE(ContainsAll(report.what(0), {"In 1 table ", ".sst"}));
}

// Only those of small tables of level 0, as flushes write them.
TEST_F(ShardTest, PinnedLevel0) {
  table_.pin_l0_filter_and_index_blocks_in_cache = true;
  rocksdb::Options options = OptionsWith(OurPolicy(10), table_);
  options.write_buffer_size = 64 << 20;
  ScratchDatabase database(options);
  database.WriteTable(0, 24000);
  EXPECT_EQ(RunDoctor(database).kinds(), Kinds{});
  options.write_buffer_size = 64 << 10;
  database.Reopen(options);
  EXPECT_EQ(RunDoctor(database).kinds(), Exceeds());
  options.write_buffer_size = 64 << 20;
  database.Reopen(options);
  database.CompactLevel0To(1);
  EXPECT_EQ(RunDoctor(database).kinds(), Exceeds());
}

TEST_F(ShardTest, OfAHyperClockCache) {
  table_.block_cache =
      rocksdb::HyperClockCacheOptions(64 << 10, 6000, 4).MakeSharedCache();
  ScratchDatabase database(OptionsWith(OurPolicy(10), table_));
  database.WriteTable(0, 8000);
  GetOften(database);
  EXPECT_GE(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_ADD), 100u);
  EXPECT_EQ(RunDoctor(database).kinds(), Exceeds());
}

// 9.4 kB of filters and some 11 of indexes.
TEST(BlockCacheCheckerTest, IndexesTakeRoomWhereTheyAreCached) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 256;
  table.cache_index_and_filter_blocks = true;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  Fill(database);
  EXPECT_EQ(RunDoctor(database, "--block_cache=12kB").kinds(),
            Kinds{"filters-exceed-cache"});
  EXPECT_EQ(RunDoctor(database.path(), "--block_cache=40kB").kinds(), Kinds{});
  table.cache_index_and_filter_blocks = false;
  database.Reopen(OptionsWith(OurPolicy(10), table));
  EXPECT_EQ(RunDoctor(database, "--block_cache=12kB").kinds(), Kinds{});
}

TEST(BlockCacheCheckerTest, PartitionsAreAlwaysCached) {
  rocksdb::BlockBasedTableOptions table;
  table.partition_filters = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  Fill(database);
  EXPECT_EQ(RunDoctor(database, "--block_cache=7kB").kinds(),
            Kinds{"filters-exceed-cache"});
}

// Which holds the filters of one of them, but not of both.
TEST(BlockCacheCheckerTest, ColumnFamiliesShareACache) {
  rocksdb::BlockBasedTableOptions table;
  table.cache_index_and_filter_blocks = true;
  for (const bool shared : {true, false}) {
    table.block_cache = rocksdb::NewLRUCache(10000);
    ScratchDatabase database(OptionsWith(OurPolicy(10), table), 8000);
    if (!shared) table.block_cache = rocksdb::NewLRUCache(10000);
    database.WriteFamily("other", OptionsWith(OurPolicy(10), table), 4000);
    const DoctorReport report = RunDoctor(database);
    EXPECT_EQ(report.kinds(), shared ? Kinds{"filters-exceed-cache"} : Kinds{});
    if (!shared) continue;
    EXPECT_TRUE(Contains(report.what(0), "default, other"));
  }
}

// With few open files, few filters are in memory.
TEST(BlockCacheCheckerTest, CountsOpenFilesOnly) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(10000);
  rocksdb::Options options = OptionsWith(OurPolicy(10), table);
  options.max_open_files = 20;
  ScratchDatabase database(options);
  for (int i = 0; i < 40; ++i) database.WriteTable(600 * i, 600 * i + 600);
  ExpectHealthy(database);
  options.max_open_files = -1;
  database.Reopen(options);
  EXPECT_EQ(RunDoctor(database).kinds(), Kinds{"filters-outside-cache"});
}

TEST(BlockCacheCheckerTest, SaysWhenItDoesNotKnowTheCache) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  database.Close();
  RemoveFilesOf(database.path(), "LOG");
  const DoctorReport report = RunDoctor(database.path());
  EXPECT_EQ(report.kinds(), Kinds{});
  ASSERT_EQ(report.json["notes"].size(), 1u);
  EXPECT_TRUE(Contains(report.json["notes"][0].text(), "--block_cache"));
}

}  // namespace
}  // namespace oneline
