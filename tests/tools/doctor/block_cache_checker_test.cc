// `oneline doctor` on databases whose filters and block cache do not fit
// together: tools/doctor/block_cache_checker.h.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

TEST(BlockCacheCheckerTest, FindsPartitionsThatAreNotPinned) {
  rocksdb::BlockBasedTableOptions table;
  table.partition_filters = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.cache_index_and_filter_blocks = true;
  table.pin_top_level_index_and_filter = false;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  Fill(database);
  database.Close();
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"not-pinned"});
  // The other option that pins it.
  table.metadata_cache_options.top_level_index_pinning =
      rocksdb::PinningTier::kAll;
  database.Reopen(OptionsWith(OurPolicy(10), table));
  ExpectHealthy(database);
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
  database.Close();
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"filters-outside-cache"});
}

TEST(BlockCacheCheckerTest, SaysWhenItDoesNotKnowTheCache) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 1000);
  database.Close();
  for (const auto& file :
       std::filesystem::directory_iterator(database.path())) {
    const std::string name = file.path().filename();
    if (name.rfind("LOG", 0) == 0) std::filesystem::remove(file.path());
  }
  const DoctorReport report = RunDoctor(database.path());
  EXPECT_EQ(report.kinds(), Kinds{});
  ASSERT_EQ(report.json["notes"].size(), 1u);
  EXPECT_TRUE(Contains(report.json["notes"][0].text(), "--block_cache"));
}

}  // namespace
}  // namespace oneline
