// Tests of oneline/refilter.h: options, and what stands in the way of a table
// or of all. refilter_held_test.cc has tables that another compaction holds,
// refilter_layouts_test.cc the shapes of databases.

#include "oneline/refilter.h"

#include <rocksdb/merge_operator.h>

#include <chrono>

#include "tests/filter_policy/refilter/refiltered_tables.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::Options;
using rocksdb::Status;

constexpr int kTables = 6;
constexpr int kKeys = 1000 * kTables;

class RefilterTest : public RefilteredTables {
 protected:
  RefilterTest() : RefilteredTables(kTables, 1000, /*level=*/1) {}

  void ExpectWritesGoOn() {
    EXPECT_TRUE(database_->Put({}, "key", "value").ok());
    EXPECT_TRUE(database_->Flush({}).ok());
  }
};

TEST_F(RefilterTest, WrongArgumentsAreRefused) {
  EXPECT_TRUE(Refilter(nullptr, Unlimited(), &report_).IsInvalidArgument());
  const auto refuses = [&](const RefilterOptions& options,
                           const std::string& why) {
    EXPECT_EQ(Call(options).ToString(), "Invalid argument: " + why);
  };
  for (const int threads : {-1, 0, 65}) {
    RefilterOptions options = Unlimited();
    options.threads = threads;
    refuses(options,
            "threads=" + std::to_string(threads) + ": must be 1 to 64");
  }
  const auto refuses_handles = [&](const std::vector<ColumnFamilyHandle*>& all,
                                   const std::string& why) {
    RefilterOptions options = Unlimited();
    options.column_families = all;
    refuses(options, "column_families: " + why);
  };
  refuses_handles({nullptr}, "a handle is null");
  ColumnFamilyHandle* const family = database_->DefaultColumnFamily();
  refuses_handles({family, family}, "'default' is there twice");
  const ScratchDatabase other(Rocksdbs(), 1000);
  refuses_handles({other->DefaultColumnFamily()},
                  "'default' is of another database, or was dropped");
  ColumnFamilyHandle* gone = nullptr;
  ASSERT_TRUE(database_->CreateColumnFamily(Rocksdbs(), "gone", &gone).ok());
  database_.WriteTable(0, 2, gone);
  ASSERT_TRUE(database_->DropColumnFamily(gone).ok());
  refuses_handles({gone}, "'gone' is of another database, or was dropped");
  ASSERT_TRUE(database_->DestroyColumnFamilyHandle(gone).ok());
  EXPECT_EQ(KindsOf(database_)["RocksDB Bloom"], kTables);
}

TEST_F(RefilterTest, OtherFamiliesAreCountedAndLeftAlone) {
  database_.WriteFamily("one", Rocksdbs(), 100);
  database_.WriteFamily("two", Rocksdbs(), 100);
  database_.Close();
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
  ASSERT_TRUE(
      rocksdb::DB::Open(Ours(), database_.path(),
                        {{"default", Ours()}, {"one", Ours()}, {"two", Ours()}},
                        &handles, OpenInto(&db))
          .ok());
  ASSERT_TRUE(Refilter(db.get(), Unlimited(), &report_).ok());
  EXPECT_EQ(report_.tables_found, kTables);
  EXPECT_EQ(report_.tables_of_other_families, 2u);
  RefilterOptions options = Unlimited();
  options.column_families = {handles[0], handles[1]};
  ASSERT_TRUE(Refilter(db.get(), options, &report_).ok());
  EXPECT_EQ(report_.tables_found, 1u);
  EXPECT_EQ(report_.tables, kTables + 1u);
  EXPECT_EQ(report_.tables_of_other_families, 1u);
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
}

TEST_F(RefilterTest, AReadOnlyDatabaseIsRefused) {
  database_.Close();
  std::unique_ptr<rocksdb::DB> db;
  ASSERT_TRUE(
      rocksdb::DB::OpenForReadOnly(Ours(), database_.path(), OpenInto(&db))
          .ok());
  RefilterOptions options = Unlimited();
  // Ours, not that of RocksDB, which some read-only databases do not give.
  EXPECT_EQ(Refilter(db.get(), options, &report_).ToString(),
            "Not implemented: the database is read-only");
  EXPECT_EQ(report_.left.size(), kTables);
  options.dry_run = true;
  EXPECT_TRUE(Refilter(db.get(), options, &report_).ok());
  EXPECT_EQ(report_.tables_found, kTables);
}

// Of a tree in which each level has other bits.
TEST(RefilterMemoryTest, ADryRunTellsTheMemoryThatThereWillBe) {
  for (const bool is_rounded : {false, true}) {
    const auto options_with = [&](const char* policy, bool partitioned) {
      rocksdb::BlockBasedTableOptions table;
      table.optimize_filters_for_memory = is_rounded;
      table.partition_filters = partitioned;
      table.index_type =
          partitioned ? rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch
                      : rocksdb::BlockBasedTableOptions::kBinarySearch;
      return OptionsWith(PolicyNamed(policy), table);
    };
    ScratchDatabase database(options_with("bloomfilter:10:false", false));
    database.WriteTableTo(6, 0, 100000);
    database.WriteTableTo(5, 20000, 50000);
    database.WriteTableTo(4, 40000, 50000);
    database.WriteTableTo(4, 120000, 140000);  // nothing is below it
    database.WriteTable(0, 10000);
    for (const char* policy :
         {"oneline:10", "{id=oneline;hits=0.9}", "ribbonfilter:10:2",
          "{id=oneline;level_bits_per_key=20:16:12:8}", "bloomfilter:14:false",
          "{id=oneline;max_filter_bytes=16384}",
          "{id=oneline;kind=bloom;fp_rate=0.01}"}) {
      for (const bool partitioned : {false, true}) {
        SCOPED_TRACE(testing::Message() << policy << is_rounded << partitioned);
        database.Reopen(options_with(policy, partitioned));
        RefilterOptions options = Unlimited();
        options.all_tables = options.dry_run = true;
        const std::vector<std::string> files = database.TableFiles();
        RefilterReport dry;
        ASSERT_TRUE(Refilter(database.get(), options, &dry).ok());
        EXPECT_EQ(database.TableFiles(), files);
        EXPECT_EQ(dry.tables_rewritten, 0u);
        options.dry_run = false;
        // Also those that are as they should be, each once.
        const RefilterReport report = RefilterAll(database, options);
        EXPECT_EQ(report.tables_rewritten, files.size());
        EXPECT_EQ(report.tables_found, dry.tables_found);
        EXPECT_EQ(report.bytes_found, dry.bytes_found);
        EXPECT_EQ(report.filter_bytes_before, dry.filter_bytes_before);
        uint64_t bytes = 0;
        for (const auto& table : database.Tables()) bytes += table->filter_size;
        EXPECT_EQ(report.filter_bytes_after, bytes);
        // How many partitions there will be is not known before.
        const double tolerance = is_rounded ? 0.10 : partitioned ? 0.05 : 0.03;
        EXPECT_NEAR(static_cast<double>(dry.filter_bytes_after), bytes,
                    tolerance * static_cast<double>(bytes));
        ExpectNothingToDo(database);
      }
    }
  }
}

TEST_F(RefilterTest, ACancelledCallLeavesTheRest) {
  std::atomic<bool> cancel{false};
  RefilterOptions options = Unlimited();
  options.cancel = &cancel;
  std::vector<uint64_t> done;
  options.progress = [&](const RefilterProgress& progress) {
    EXPECT_EQ(progress.tables, kTables);
    done.push_back(progress.tables_done);
    cancel = progress.tables_done == 2;
  };
  const Status status = Call(options);
  EXPECT_EQ(status.ToString(), "Result incomplete: cancelled");
  EXPECT_EQ(done, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(report_.tables_rewritten, 2u);
  ASSERT_EQ(report_.left.size(), kTables - 2u);
  EXPECT_EQ(report_.left[0].status.ToString(), status.ToString());
  EXPECT_EQ(KindsOf(database_)["RocksDB Bloom"], kTables - 2);
}

// RocksDB would stop all writes at the first, which a checksum tells. The other
// can't be opened.
TEST_F(RefilterTest, DamagedTablesAreLeftAndWritesGoOn) {
  const std::vector<std::string> files = database_.TableFiles();
  Damage(files[2]);
  database_.Reopen(Ours());
  std::filesystem::resize_file(files[4], 100);
  const Status status = Call();
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_NE(status.ToString().find(files[4]), std::string::npos);
  ASSERT_EQ(report_.left.size(), 2u);
  EXPECT_EQ(report_.left[0].path, files[4]);
  EXPECT_EQ(report_.left[1].path, files[2]);
  EXPECT_EQ(report_.left[1].column_family, "default");
  EXPECT_EQ(report_.left[1].level, 1);
  EXPECT_TRUE(report_.left[1].status.IsCorruption());
  EXPECT_EQ(report_.tables_found, kTables);
  EXPECT_EQ(report_.tables_rewritten, kTables - 2u);
  ExpectWritesGoOn();
}

TEST_F(RefilterTest, WithoutItsMergeOperatorAFamilyIsRefused) {
  const auto with_operator = [](Options options) {
    EXPECT_TRUE(rocksdb::MergeOperator::CreateFromString(
                    rocksdb::ConfigOptions(), "put", &options.merge_operator)
                    .ok());
    return options;
  };
  database_.Reopen(with_operator(Rocksdbs()));
  ASSERT_TRUE(database_->Merge({}, KeyAt(0), ValueAt(0)).ok());
  ASSERT_TRUE(database_->Flush({}).ok());
  database_.Reopen(Ours());
  const Status status = Call();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(status.ToString().find("merge_operator"), std::string::npos);
  EXPECT_EQ(report_.tables_rewritten, 0u);
  ExpectWritesGoOn();
  database_.Reopen(with_operator(Ours()));
  RefilterAll(database_);
  ExpectFiltered(database_, 0, kKeys);
}

TEST_F(RefilterTest, WhatStopsManualCompactionsEndsTheCall) {
  database_->DisableManualCompaction();
  const Status status = Call();
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_EQ(report_.tables_rewritten, 0u);
  EXPECT_EQ(report_.left.size(), kTables);
  database_->EnableManualCompaction();
  rocksdb::CancelAllBackgroundWork(database_.get(), true);
  EXPECT_TRUE(Call().IsShutdownInProgress());
  EXPECT_EQ(report_.left.size(), kTables);
}

TEST_F(RefilterTest, ADroppedFamilyEndsTheCall) {
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(database_->CreateColumnFamily(Ours(), "dropped", &family).ok());
  for (int i = 0; i < 3; ++i) database_.WriteTable(0, 2000, family);
  SetBits("25", database_, family);
  // Found before RocksDB says that there is no such family.
  for (const ListedTable& table : TablesOf(database_, "dropped")) {
    Damage(PathOf(table));
  }
  RefilterOptions options = Unlimited();
  options.column_families = {family};
  options.progress = [&](const RefilterProgress& progress) {
    if (progress.tables_done != 1) return;
    EXPECT_TRUE(database_->DropColumnFamily(family).ok());
  };
  EXPECT_TRUE(Call(options).IsIncomplete());
  EXPECT_EQ(report_.left.size(), 1u);
  EXPECT_EQ(report_.tables_rewritten, 2u);
  EXPECT_EQ(report_.tables_found, 3u);
  EXPECT_TRUE(database_->DestroyColumnFamilyHandle(family).ok());
}

// Has the options of our policy, and writes RocksDB's filters.
class FicklePolicy final : public OuterPolicy {
 public:
  FicklePolicy() : OuterPolicy(PolicyNamed("bloomfilter:10:false")) {}

 protected:
  const void* GetOptionsPtr(const std::string& name) const override {
    return ours_->GetOptions<char>(name);
  }

 private:
  const PolicyPtr ours_ = PolicyNamed("oneline:10");
};

// A program that calls it at each start would else write for ever.
TEST_F(RefilterTest, NoTableIsRewrittenTwice) {
  database_.Reopen(OptionsWith(std::make_shared<FicklePolicy>()));
  std::atomic<bool> is_without_end{false};
  RefilterOptions options = Unlimited();
  options.cancel = &is_without_end;
  options.progress = [&](const RefilterProgress& progress) {
    if (progress.tables > 10 * kTables) is_without_end = true;
  };
  const Status status = Call(options);
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_EQ(report_.tables_rewritten, kTables);
  EXPECT_EQ(report_.tables_found, 2u * kTables);
  ASSERT_EQ(report_.left.size(), kTables);
  EXPECT_NE(report_.left[0].status.ToString().find("was rewritten"),
            std::string::npos);
}

// Those that were rewritten before are rewritten again.
TEST_F(RefilterTest, TheOptionsChangeMeanwhile) {
  RefilterOptions options = Unlimited();
  options.progress = [&](const RefilterProgress& progress) {
    if (progress.tables_done == 2) SetBits("25", database_);
  };
  EXPECT_EQ(RefilterAll(database_, options).tables_rewritten, kTables + 2u);
  EXPECT_GT(database_.FilterBitsPerKey(), 23);
  ExpectNothingToDo(database_);
}

// As while a backup copies them.
TEST_F(RefilterTest, FilesWhoseDeletionIsDisabledStay) {
  const std::vector<std::string> before = database_.TableFiles();
  ASSERT_TRUE(database_->DisableFileDeletions().ok());
  RefilterAll(database_);
  for (const std::string& file : before) {
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
}

// Two threads together, as a dry run without a limit tells how much there is.
TEST_F(RefilterTest, TheRateCountsWholeTables) {
  RefilterOptions options = Unlimited();
  options.dry_run = true;
  ASSERT_TRUE(Call(options).ok());
  options.dry_run = false;
  options.threads = 2;
  options.bytes_per_second = 4 * report_.bytes;
  const auto begin = std::chrono::steady_clock::now();
  RefilterAll(database_, options);
  EXPECT_GE(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(250));
}

TEST(RefilterOtherTablesTest, PlainTablesAreLeftAlone) {
  Options plain;
  plain.create_if_missing = true;
  plain.table_factory.reset(rocksdb::NewPlainTableFactory());
  plain.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(4));
  plain.allow_mmap_reads = true;
  const ScratchDatabase database(plain, 1000);
  ExpectNothingToDo(database);
}

}  // namespace
}  // namespace oneline
