// Nothing but its filter changes of a table that Refilter compacts.

#include "filter_policy/refilter/table_compaction.h"

#include "tests/filter_policy/refilter/refiltered_tables.h"

namespace oneline {
namespace {

using rocksdb::Options;
using rocksdb::Status;

TEST(TableCompactionTest, TheCompressionStays) {
  Options options = Rocksdbs();
  options.compression = rocksdb::kNoCompression;
  ScratchDatabase database(options, 1000);
  options = Ours();
  options.compression = rocksdb::kNoCompression;
  database.Reopen(options);
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 1u);
  EXPECT_EQ(database.Tables()[0]->compression_name, "NoCompression");
}

TEST(TableCompactionTest, ATableThatWouldLoseItsTemperatureIsLeft) {
  using rocksdb::Temperature;
  const auto with_last = [](Options options, Temperature temperature) {
    options.num_levels = 3;
    options.last_level_temperature = temperature;
    return options;
  };
  ScratchDatabase database(with_last(Rocksdbs(), Temperature::kCold));
  database.WriteTableTo(2, 0, 1000);
  database.WriteTable(0, 100);
  const auto expect_both = [&] {
    const auto tables = TablesOf(database);
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_TRUE(tables[0].temperature == Temperature::kUnknown);
    EXPECT_TRUE(tables[1].temperature == Temperature::kCold);
  };
  expect_both();
  database.Reopen(with_last(Ours(), Temperature::kCold));
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 2u);
  expect_both();
  database.Reopen(with_last(Rocksdbs(), Temperature::kUnknown));
  // Newer versions can be told the temperature.
  if (ONELINE_HAS_TEMPERATURE_OVERRIDE) {
    RefilterAll(database);
  } else {
    ExpectNotSupported(database, 1);
  }
  expect_both();
}

TEST(TableCompactionTest, TimestampsBesideAutomaticCompactionsAreLeft) {
  const auto with_timestamps = [](Options options) {
    EXPECT_TRUE(rocksdb::Comparator::CreateFromString(
                    rocksdb::ConfigOptions(),
                    "leveldb.BytewiseComparator.u64ts", &options.comparator)
                    .ok());
    options.disable_auto_compactions = false;
    return options;
  };
  ScratchDatabase database(with_timestamps(Rocksdbs()));
  for (const std::string key : {"a", "b", "c"}) {
    ASSERT_TRUE(database
                    ->Put({}, database->DefaultColumnFamily(), key,
                          std::string(8, '\1'), "value")
                    .ok());
    ASSERT_TRUE(database->Flush({}).ok());
  }
  database.Reopen(with_timestamps(Ours()));
  if (kTimestampsNeedQuiet) {
    ExpectNotSupported(database, 3);
    ASSERT_TRUE(
        database->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  }
  RefilterOptions three = Unlimited();
  three.threads = 3;
  EXPECT_EQ(RefilterAll(database, three).tables_rewritten, 3u);
}

// RocksDB before 9.10 loses all keys in such a compaction.
TEST(TableCompactionTest, UnderASnapshotBeforeTheFirstWriteNoKeyIsLost) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("ingested.sst");
  WriteTableFile(Rocksdbs(), file, 1000);
  ScratchDatabase database(Ours());
  ASSERT_TRUE(database->IngestExternalFile({file}, {}).ok());
  const rocksdb::Snapshot* const snapshot = database->GetSnapshot();
  ASSERT_EQ(snapshot->GetSequenceNumber(), 0u);
  if (kLosesIngestedKeys) {
    ExpectNotSupported(database, 1);
  } else {
    RefilterAll(database);
  }
  ExpectAllFound(database, 0, 1000);
  database->ReleaseSnapshot(snapshot);
  RefilterAll(database);
  EXPECT_EQ(KindsOf(database)["ribbon"], 1);
  ExpectAllFound(database, 0, 1000);
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
  ExpectNotSupported(database, 1);
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
  const std::string damaged = PathOf(TablesOf(database_)[3]);
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
  const Options options = database_->GetOptions();
  const ListedTable table = TablesOf(database_)[0];
  const std::vector<std::string> before = database_.TableFiles();
  const CompactedTable compacted =
      CompactTable({database_.get(), family, options, table, 1 << 20},
                   [&](const ListedTable& one) {
                     return one.file_number == table.file_number
                                ? Status::OK()
                                : Status::Aborted("cancelled");
                   });
  EXPECT_TRUE(compacted.outcome == Outcome::kBusy);
  EXPECT_EQ(database_.TableFiles(), before);
  database_->ReleaseSnapshot(snapshot_);
}

}  // namespace
}  // namespace oneline
