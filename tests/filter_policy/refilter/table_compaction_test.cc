// Nothing but its filter changes of a table that Refilter compacts.

#include "filter_policy/refilter/table_compaction.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/refilter.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using rocksdb::Options;
using rocksdb::Status;

TEST(TableCompactionTest, TablesStayInTheirPaths) {
  const TemporaryDirectory directory;
  Options options = Rocksdbs();
  options.db_paths = {{directory.File("small"), 1},
                      {directory.File("large"), uint64_t{1} << 40}};
  ScratchDatabase database(options);
  for (int i = 0; i < 3; ++i) {
    database.WriteTable(1000 * i, 1000 * (i + 1));
    if (i > 0) continue;
    rocksdb::CompactRangeOptions range;
    range.change_level = true;
    range.target_level = 3;
    range.target_path_id = 1;
    range.bottommost_level_compaction =
        rocksdb::BottommostLevelCompaction::kForce;
    ASSERT_TRUE(database->CompactRange(range, nullptr, nullptr).ok());
  }
  const auto folders = [&] {
    std::vector<std::string> all;
    for (const std::string& file : database.TableFiles()) {
      all.push_back(std::filesystem::path(file).parent_path().filename());
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const std::vector<std::string> before = folders();
  ASSERT_NE(before.front(), before.back());
  Options ours = Ours();
  ours.db_paths = options.db_paths;
  database.Reopen(ours);
  RefilterAll(database);
  EXPECT_EQ(folders(), before);
  EXPECT_EQ(KindsOf(database)["ribbon"], 3);
}

TEST(TableCompactionTest, ATableThatWouldLoseItsTemperatureIsLeft) {
  Options options = Rocksdbs();
  options.num_levels = 3;
  options.last_level_temperature = rocksdb::Temperature::kCold;
  ScratchDatabase database(options);
  database.WriteTableTo(2, 0, 1000);
  database.WriteTable(0, 100);
  const auto temperatures = [&] {
    std::vector<int> all;
    for (const ListedTable& table :
         ListTables(database.get(), database->DefaultColumnFamily())) {
      all.push_back(static_cast<int>(table.temperature));
    }
    return all;
  };
  const std::vector<int> before = temperatures();
  Options ours = Ours();
  ours.num_levels = 3;
  ours.last_level_temperature = rocksdb::Temperature::kCold;
  database.Reopen(ours);
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 2u);
  EXPECT_EQ(temperatures(), before);
  ours = Rocksdbs();
  ours.num_levels = 3;
  database.Reopen(ours);
  RefilterReport report;
  const Status status = Refilter(database.get(), Unlimited(), &report);
  EXPECT_EQ(temperatures(), before);
  EXPECT_EQ(report.tables_found, 2u);
  // RocksDB 10.8 and later can be told the temperature.
  if (report.left.empty()) {
    EXPECT_TRUE(status.ok()) << status.ToString();
  } else {
    EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
    EXPECT_TRUE(report.left[0].status.IsNotSupported());
    EXPECT_EQ(report.left[0].level, 2);
  }
}

TEST(TableCompactionTest, TimestampsBesideAutomaticCompactionsAreLeft) {
  const auto with_timestamps = [](Options options, bool are_automatic) {
    EXPECT_TRUE(rocksdb::Comparator::CreateFromString(
                    rocksdb::ConfigOptions(),
                    "leveldb.BytewiseComparator.u64ts", &options.comparator)
                    .ok());
    options.disable_auto_compactions = !are_automatic;
    return options;
  };
  ScratchDatabase database(with_timestamps(Rocksdbs(), true));
  ASSERT_TRUE(database
                  ->Put({}, database->DefaultColumnFamily(), "key",
                        std::string(8, '\1'), "value")
                  .ok());
  ASSERT_TRUE(database->Flush({}).ok());
  database.Reopen(with_timestamps(Ours(), true));
  RefilterReport report;
  const Status status = Refilter(database.get(), Unlimited(), &report);
  if (!kTimestampsNeedQuiet) {
    EXPECT_TRUE(status.ok()) << status.ToString();
    return;
  }
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  ASSERT_EQ(report.left.size(), 1u);
  EXPECT_TRUE(report.left[0].status.IsNotSupported());
  ASSERT_TRUE(
      database->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 1u);
}

// RocksDB before 9.10 loses all keys in such a compaction.
TEST(TableCompactionTest,
     TablesUnderASnapshotBeforeTheFirstWriteKeepTheirKeys) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("ingested.sst");
  WriteTableFile(Rocksdbs(), file, 1000);
  ScratchDatabase database(Ours());
  ASSERT_TRUE(database->IngestExternalFile({file}, {}).ok());
  const rocksdb::Snapshot* const snapshot = database->GetSnapshot();
  ASSERT_EQ(snapshot->GetSequenceNumber(), 0u);
  RefilterReport report;
  const Status status = Refilter(database.get(), Unlimited(), &report);
  ExpectAllFound(database, 0, 1000);
  if (!kLosesIngestedKeys) {
    EXPECT_TRUE(status.ok()) << status.ToString();
  } else {
    ASSERT_EQ(report.left.size(), 1u) << status.ToString();
    EXPECT_TRUE(report.left[0].status.IsNotSupported());
  }
  database->ReleaseSnapshot(snapshot);
  RefilterAll(database);
  EXPECT_EQ(KindsOf(database)["ribbon"], 1);
  ExpectAllFound(database, 0, 1000);
}

// Tables in level 2 that share keys, which RocksDB rewrites together.
class ChainOfTablesTest : public testing::Test {
 protected:
  ChainOfTablesTest() : database_(WithSmallTables()) {
    for (int i = 0; i < 20; ++i) {
      database_.WriteTableTo(1, 1000 * i, 1000 * (i + 1));
    }
    snapshot_ = database_->GetSnapshot();
    EXPECT_TRUE(database_
                    ->DeleteRange({}, database_->DefaultColumnFamily(),
                                  KeyAt(0), KeyAt(30000))
                    .ok());
    EXPECT_TRUE(database_->Flush({}).ok());
    rocksdb::CompactionOptions compaction;
    compaction.output_file_size_limit = 4 << 10;
    EXPECT_TRUE(
        database_->CompactFiles(compaction, database_.TableFiles(), 2).ok());
    tables_ = TablesByLevel(database_)[2];
    EXPECT_GT(tables_, 5);
  }

  static Options WithSmallTables() {
    Options options = Ours();
    options.target_file_size_base = 4 << 10;
    return options;
  }

  Status RefilterWithMoreBits() {
    SetBits("25", database_);
    return Refilter(database_.get(), Unlimited(), &report_);
  }

  ScratchDatabase database_;
  const rocksdb::Snapshot* snapshot_ = nullptr;
  int tables_ = 0;
  RefilterReport report_;
};

TEST_F(ChainOfTablesTest, DoesNotBecomeOne) {
  EXPECT_TRUE(IsOk(RefilterWithMoreBits()));
  EXPECT_GT(TablesByLevel(database_)[2], tables_ / 5);
  database_->ReleaseSnapshot(snapshot_);
}

// RocksDB would stop all writes.
TEST_F(ChainOfTablesTest, IsLeftWithADamagedOne) {
  const std::string damaged =
      ListTables(database_.get(), database_->DefaultColumnFamily())[3].path();
  Damage(damaged);
  const Status status = RefilterWithMoreBits();
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  ASSERT_EQ(report_.left.size(), static_cast<size_t>(tables_));
  for (const LeftTable& left : report_.left) {
    EXPECT_NE((left.path + left.status.ToString()).find(damaged),
              std::string::npos);
  }
  EXPECT_TRUE(database_->Put({}, "key", "value").ok());
  EXPECT_TRUE(database_->Flush({}).ok());
  database_->ReleaseSnapshot(snapshot_);
}

// As after a cancel. A damaged one would stop all writes.
TEST_F(ChainOfTablesTest, IsNotCompactedWithAnUncheckedOne) {
  rocksdb::ColumnFamilyHandle* const family = database_->DefaultColumnFamily();
  const ListedTable table = ListTables(database_.get(), family)[0];
  const std::vector<std::string> before = database_.TableFiles();
  const CompactedTable compacted = CompactTable(
      database_.get(), family, database_->GetOptions(family), table, 1 << 20,
      [&](const ListedTable& one) {
        return one.number == table.number ? Status::OK()
                                          : Status::Aborted("cancelled");
      });
  EXPECT_TRUE(compacted.outcome == Outcome::kBusy);
  EXPECT_EQ(database_.TableFiles(), before);
  database_->ReleaseSnapshot(snapshot_);
}

TEST(TableCompactionTest, KeysThatWouldLeaveTheLastLevelAreLeft) {
  Options options = Rocksdbs();
  options.num_levels = 3;
  ScratchDatabase database(options);
  database.WriteTableTo(2, 0, 1000);
  options = Ours();
  options.num_levels = 3;
  options.preclude_last_level_data_seconds = 1000;
  database.Reopen(options);
  RefilterReport report;
  EXPECT_TRUE(Refilter(database.get(), Unlimited(), &report).IsIncomplete());
  ASSERT_EQ(report.left.size(), 1u);
  EXPECT_TRUE(report.left[0].status.IsNotSupported());
}

TEST(TableCompactionTest, TheCompressionStays) {
  Options options = Rocksdbs();
  options.compression = rocksdb::kNoCompression;
  ScratchDatabase database(options);
  database.WriteTable(0, 1000);
  options = Ours();
  options.compression = rocksdb::kNoCompression;
  database.Reopen(options);
  RefilterAll(database);
  EXPECT_EQ(database.Tables()[0]->compression_name, "NoCompression");
}

}  // namespace
}  // namespace oneline
