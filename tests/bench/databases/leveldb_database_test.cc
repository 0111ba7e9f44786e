// Tests of bench/databases/leveldb_database.h, and with it of leveldb_env.h and
// leveldb_table_filter.h: the tree is the same with every filter and does not
// change, and errors are noticed.

#include "bench/databases/leveldb_database.h"

#include <gtest/gtest.h>
#include <leveldb/filter_policy.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "bench/databases/leveldb_table_filter.h"
#include "bench/keys/data_set.h"
#include "oneline/leveldb_filter_policy.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using Policy = std::shared_ptr<const leveldb::FilterPolicy>;

// They make tables in three levels, and fill level 1 so far that with a filter
// in each table it exceeds its size.
constexpr size_t kRecords = 134000;

Policy Bloom() { return Policy(leveldb::NewBloomFilterPolicy(10)); }
Policy Ours() { return Policy(NewLevelDBFilterPolicy({})); }

class LevelDBDatabaseTest : public testing::Test {
 protected:
  std::unique_ptr<LevelDBDatabase> Loaded(const std::string& name,
                                          const Policy& filter) {
    auto database =
        std::make_unique<LevelDBDatabase>(name, directory_.File(name), filter);
    Progress progress(stderr, 0);
    const auto cost = database->Load(*data_.records, plan_, &progress);
    EXPECT_TRUE(cost.ok()) << cost.status();
    return database;
  }

  static void Open(LevelDBDatabase* database, const Reads& reads = {}) {
    const absl::Status status = database->OpenForLookups(reads);
    ASSERT_TRUE(status.ok()) << status;
  }

  static void GetAll(LevelDBDatabase* database,
                     const std::vector<Lookup>& lookups) {
    for (const Lookup& lookup : lookups) {
      const absl::Status status = database->Get(lookup);
      ASSERT_TRUE(status.ok()) << status;
    }
  }

  const TemporaryDirectory directory_;
  const DataSet data_ = RandomDataSet(kRecords, 100, 20000);
  const LoadPlan plan_ = PlanLoad(LevelDBTree(), kRecords, 1);
};

TEST_F(LevelDBDatabaseTest, TreesAreTheSameWithEveryFilter) {
  const auto none = Loaded("none", nullptr);
  const auto bloom = Loaded("bloom", Bloom());
  const auto ours = Loaded("ours", Ours());
  for (const auto& database : {none.get(), bloom.get(), ours.get()}) {
    Open(database);
    EXPECT_EQ(database->tables(), none->tables());
  }
  std::map<int, int> tables_of_level;
  for (const TableShape& table : none->tables()) {
    ++tables_of_level[std::get<0>(table)];
  }
  EXPECT_EQ(tables_of_level[0], 3);
  EXPECT_GT(tables_of_level[1], 0);
  EXPECT_GT(tables_of_level[2], 0);
  EXPECT_EQ(none->filter_bytes(), 0u);
  EXPECT_GT(bloom->filter_bits_per_key(), 10);
  EXPECT_NEAR(ours->filter_bits_per_key(), bloom->filter_bits_per_key(), 0.5);
}

// LevelDB schedules a compaction after some hundred lookups that search a table
// without success.
TEST_F(LevelDBDatabaseTest, LookupsDoNotChangeTheTree) {
  const auto database = Loaded("none", nullptr);
  Open(database.get());
  GetAll(database.get(), KeyLookups(data_, Presence::kAbsent, 20000, 1));
  // The same lookups read as much again if the tree is the same.
  const uint64_t reads = database->TakeCounts().block_reads;
  GetAll(database.get(), KeyLookups(data_, Presence::kAbsent, 20000, 1));
  EXPECT_EQ(database->TakeCounts().block_reads, reads);
}

TEST_F(LevelDBDatabaseTest, CountsChecksAndReads) {
  const auto database = Loaded("bloom", Bloom());
  for (const bool direct : {false, true}) {
    Reads reads;
    reads.direct = direct;
    Open(database.get(), reads);
    GetAll(database.get(), KeyLookups(data_, Presence::kPresent, 500, 1));
    LookupCounts counts = database->TakeCounts();
    EXPECT_EQ(counts.true_positives, 500u);
    EXPECT_GE(counts.block_reads, 500u);
    GetAll(database.get(), KeyLookups(data_, Presence::kAbsent, 500, 1));
    counts = database->TakeCounts();
    EXPECT_EQ(counts.true_positives, 0u);
    EXPECT_GE(counts.checks, 1500u);
    EXPECT_EQ(counts.block_reads, counts.false_positives());
  }
}

TEST_F(LevelDBDatabaseTest, WarmCachesNeedNoReads) {
  const auto database = Loaded("none", nullptr);
  Reads reads;
  reads.block_cache_bytes = size_t{64} << 20;
  reads.warm = true;
  Open(database.get(), reads);
  GetAll(database.get(), KeyLookups(data_, Presence::kPresent, 500, 1));
  EXPECT_EQ(database->TakeCounts().block_reads, 0u);
}

TEST_F(LevelDBDatabaseTest, NoticesWrongAnswers) {
  const auto database = Loaded("none", nullptr);
  Open(database.get());
  const auto key = data_.records->key(5);
  for (const Lookup& wrong :
       {Lookup{key, "another"}, Lookup{key, {}}, Lookup{"missing", "value"}}) {
    const absl::Status status = database->Get(wrong);
    EXPECT_TRUE(
        absl::StrContains(std::string(status.message()), "wrong answer for"))
        << status;
  }
}

TEST_F(LevelDBDatabaseTest, NoticesFiltersOfAnotherPolicy) {
  Loaded("bloom", Bloom())->Close();
  for (const Policy& policy : {Ours(), Policy()}) {
    LevelDBDatabase other("ours", directory_.File("bloom"), policy);
    const absl::Status status = other.OpenForLookups({});
    EXPECT_TRUE(absl::StrContains(std::string(status.message()),
                                  "leveldb.BuiltinBloomFilter2"))
        << status;
  }
}

TEST_F(LevelDBDatabaseTest, OnlyTablesHaveFilters) {
  const std::string path = directory_.File("text");
  std::ofstream(path) << std::string(100, 'x');
  EXPECT_FALSE(ReadTableFilter(path).ok());
  EXPECT_FALSE(ReadTableFilter(directory_.File("none")).ok());
}

}  // namespace
}  // namespace oneline
