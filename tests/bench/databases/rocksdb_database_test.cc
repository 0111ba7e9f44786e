// Tests of bench/databases/rocksdb_database.h: the tree is the same with every
// filter, and above all, wrong answers and missing filters are noticed.

#include "bench/databases/rocksdb_database.h"

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>

#include <memory>
#include <string>
#include <vector>

#include "oneline/rocksdb_filter_policy.h"
#include "tests/bench/numbered_records.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;

constexpr size_t kRecords = 20000;

Policy Bloom(double bits_per_key) {
  return Policy(rocksdb::NewBloomFilterPolicy(bits_per_key));
}

class RocksDBDatabaseTest : public testing::Test {
 protected:
  RocksDBDatabaseTest() : plan_(PlanLoad(TenfoldTree(), kRecords, 1)) {}

  std::unique_ptr<RocksDBDatabase> Loaded(const std::string& name,
                                          const Policy& filter,
                                          size_t prefix_bytes = 0) {
    auto database = std::make_unique<RocksDBDatabase>(
        name,
        RocksDBDatabase::Settings{directory_.File(name), filter, prefix_bytes});
    Progress progress(stderr, 0);
    const auto cost = database->Load(records_, plan_, &progress);
    EXPECT_TRUE(cost.ok()) << cost.status();
    EXPECT_GT(cost->flushes.wall_seconds, 0);
    EXPECT_GT(cost->compactions.cpu_seconds, 0);
    return database;
  }

  std::unique_ptr<RocksDBDatabase> Opened(const std::string& name,
                                          const Policy& filter,
                                          size_t prefix_bytes = 0) {
    auto database = Loaded(name, filter, prefix_bytes);
    const absl::Status status = database->OpenForLookups({});
    EXPECT_TRUE(status.ok()) << status;
    return database;
  }

  Lookup Present(size_t i) const {
    return {records_.key(i), records_.value(i)};
  }

  // Looks up in each of the three ways.
  static std::vector<absl::Status> LookUpEachWay(RocksDBDatabase* database,
                                                 const Lookup& lookup) {
    return {database->Get(lookup), database->MultiGet(&lookup, 1),
            database->SeekPrefix(lookup)};
  }

  const TemporaryDirectory directory_;
  const NumberedRecords records_{kRecords};
  const LoadPlan plan_;
};

TEST_F(RocksDBDatabaseTest, TreesAreTheSameWithEveryFilter) {
  const auto none = Opened("none", nullptr);
  const auto bloom = Opened("bloom", Bloom(20));
  FilterOptions options;
  options.bits_by_level = false;
  const auto ours = Opened("ours", NewRocksDBFilterPolicy(options));
  EXPECT_GE(none->tables().size(), 7u);
  EXPECT_EQ(none->tables(), bloom->tables());
  EXPECT_EQ(none->tables(), ours->tables());
  EXPECT_EQ(none->filter_bits_per_key(), 0);
  EXPECT_NEAR(bloom->filter_bits_per_key(), 20, 0.5);
  EXPECT_NEAR(ours->filter_bits_per_key(), 10, 0.5);
}

TEST_F(RocksDBDatabaseTest, FindsAllRecordsAndCountsAbsentKeys) {
  const auto database = Opened("ours", NewRocksDBFilterPolicy({}));
  for (size_t i = 0; i < kRecords; ++i) {
    const absl::Status status = database->Get(Present(i));
    ASSERT_TRUE(status.ok()) << status;
  }
  LookupCounts counts = database->TakeCounts();
  EXPECT_EQ(counts.true_positives, kRecords);
  EXPECT_GE(counts.checks, counts.skipped + counts.true_positives);

  const absl::Status status = database->Get({"key00500x", {}});
  ASSERT_TRUE(status.ok()) << status;
  counts = database->TakeCounts();
  EXPECT_EQ(counts.true_positives, 0u);
  EXPECT_GE(counts.checks, 3u);
}

TEST_F(RocksDBDatabaseTest, LooksUpManyKeysAtOnce) {
  const auto database = Opened("ours", NewRocksDBFilterPolicy({}));
  const Lookup lookups[] = {
      Present(5), {"key00500x", {}}, Present(19999), {"x", {}}};
  const absl::Status status = database->MultiGet(lookups, 4);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(database->TakeCounts().true_positives, 2u);
}

// Ten keys share each prefix of 7 bytes.
TEST_F(RocksDBDatabaseTest, FiltersPrefixes) {
  const auto database = Opened("ours", NewRocksDBFilterPolicy({}), 7);
  EXPECT_GT(database->filter_bits_per_key(), 10.5);
  absl::Status status = database->SeekPrefix(Present(120));
  EXPECT_TRUE(status.ok()) << status;
  database->TakeCounts();
  status = database->SeekPrefix({"key012x", {}});
  EXPECT_TRUE(status.ok()) << status;
  const LookupCounts counts = database->TakeCounts();
  EXPECT_GE(counts.checks, 3u);
  EXPECT_GT(counts.skipped, 0u);
}

TEST_F(RocksDBDatabaseTest, WarmCachesNeedNoReads) {
  const auto database = Loaded("ours", nullptr);
  Reads reads;
  reads.block_cache_bytes = size_t{64} << 20;
  for (const bool warm : {false, true}) {
    reads.warm = warm;
    absl::Status status = database->OpenForLookups(reads);
    ASSERT_TRUE(status.ok()) << status;
    status = database->Get(Present(5));
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(database->TakeCounts().block_reads == 0, warm);
  }
}

TEST_F(RocksDBDatabaseTest, NoticesWrongAnswers) {
  const auto database = Opened("none", nullptr, 8);
  for (const Lookup& wrong :
       {Lookup{records_.key(5), "another"}, Lookup{records_.key(5), {}},
        Lookup{"missing.", "value"}}) {
    for (const absl::Status& status : LookUpEachWay(database.get(), wrong)) {
      ASSERT_FALSE(status.ok());
      EXPECT_NE(std::string(status.message()).find("wrong answer for"),
                std::string::npos);
    }
  }
}

// Below half a bit per key RocksDB writes no filter, without an error.
TEST_F(RocksDBDatabaseTest, NoticesTablesWithoutFilter) {
  const auto database = Loaded("bloom", Bloom(0.1));
  const absl::Status status = database->OpenForLookups({});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("has 0 bytes of filter"),
            std::string::npos)
      << status;
}

TEST_F(RocksDBDatabaseTest, NoticesFiltersOfAnotherPolicy) {
  Loaded("bloom", Bloom(10));
  RocksDBDatabase ours(
      "ours", {directory_.File("bloom"), NewRocksDBFilterPolicy({}), 0});
  const absl::Status status = ours.OpenForLookups({});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("should be 'oneline'"),
            std::string::npos)
      << status;
}

}  // namespace
}  // namespace oneline
