// Tables that another process, database or family wrote, and trees that are
// reshaped: filters are found, used and have the bits that they should have.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/metadata.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/utilities/option_change_migration.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::CompactionServiceJobInfo;
using rocksdb::CompactionServiceJobStatus;
using rocksdb::Status;

constexpr int kKeys = 4000;  // half of them are put
constexpr double kRounding = 0.3;

PolicyPtr ByLevel() { return PolicyWith(FilterOptions()); }

// A worker in this process, with a policy of its own for each compaction.
class Worker final : public rocksdb::CompactionService {
 public:
  explicit Worker(std::string scratch) : scratch_(std::move(scratch)) {}
  const char* Name() const override { return "Worker"; }
  int jobs() const { return jobs_; }
  std::string path;  // of the database

#if ROCKSDB_MAJOR > 9 || (ROCKSDB_MAJOR == 9 && ROCKSDB_MINOR >= 7)
  rocksdb::CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo&, const std::string& input) override {
    input_ = input;
    return {"job", CompactionServiceJobStatus::kSuccess};
  }
  CompactionServiceJobStatus Wait(const std::string&,
                                  std::string* result) override {
    return Run(result);
  }
#else
  CompactionServiceJobStatus StartV2(const CompactionServiceJobInfo&,
                                     const std::string& input) override {
    input_ = input;
    return CompactionServiceJobStatus::kSuccess;
  }
  CompactionServiceJobStatus WaitForCompleteV2(const CompactionServiceJobInfo&,
                                               std::string* result) override {
    return Run(result);
  }
#endif

 private:
  CompactionServiceJobStatus Run(std::string* result) {
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy = ByLevel();
    rocksdb::CompactionServiceOptionsOverride options;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    const Status status = rocksdb::DB::OpenAndCompact(
        path, scratch_ + std::to_string(++jobs_), input_, result, options);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return status.ok() ? CompactionServiceJobStatus::kSuccess
                       : CompactionServiceJobStatus::kFailure;
  }

  const std::string scratch_;
  std::string input_;  // there is one compaction at a time
  int jobs_ = 0;
};

TEST(MovedTablesTest, ByAWorkersCompaction) {
  const TemporaryDirectory directory;
  const auto worker = std::make_shared<Worker>(directory.File("worker"));
  rocksdb::Options options = OptionsWith(ByLevel());
  options.compaction_service = worker;
  options.num_levels = 3;
  ScratchDatabase database(options);
  worker->path = database.path();
  database.WriteTable(0, kKeys);
  database.WriteTable(kKeys / 2, kKeys);
  database.CompactAll();
  EXPECT_GT(worker->jobs(), 0);
  const auto bits = BitsOfTables(database);
  ASSERT_EQ(bits.size(), 1u);
  EXPECT_GT(bits.begin()->first, 0);
  EXPECT_NEAR(bits.begin()->second.at(0), 10, kRounding);
  ExpectFiltered(database, 0, kKeys);
  database.Reopen(options);
  ExpectFiltered(database, 0, kKeys);
}

TEST(MovedTablesTest, ByExportAndImportOfAFamily) {
  const TemporaryDirectory directory;
  ScratchDatabase exported(OptionsWith(OurPolicy(10)));
  exported.WriteTable(0, kKeys);
  rocksdb::Checkpoint* made = nullptr;
  ASSERT_TRUE(rocksdb::Checkpoint::Create(exported.get(), &made).ok());
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  rocksdb::ExportImportFilesMetaData* files = nullptr;
  ASSERT_TRUE(checkpoint
                  ->ExportColumnFamily(exported->DefaultColumnFamily(),
                                       directory.File("export"), &files)
                  .ok());
  const std::unique_ptr<rocksdb::ExportImportFilesMetaData> owner(files);
  exported.Close();

  // Among the tables of another kind.
  const rocksdb::Options options = OptionsWith(OurPolicy(14, Kind::kBloom));
  ScratchDatabase database(options);
  rocksdb::ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(database
                  ->CreateColumnFamilyWithImport(
                      options, "imported", rocksdb::ImportColumnFamilyOptions(),
                      *files, &family)
                  .ok());
  for (const bool compacted : {false, true}) {
    if (compacted) {
      rocksdb::CompactRangeOptions force;
      force.bottommost_level_compaction =
          rocksdb::BottommostLevelCompaction::kForce;
      ASSERT_TRUE(database->CompactRange(force, family, nullptr, nullptr).ok());
    }
    EXPECT_EQ(KindsOfTables(database).at(0).substr(3),
              compacted ? "bloom" : "ribbon");
    const uint64_t before = database.Ticker(rocksdb::BLOOM_FILTER_USEFUL);
    std::string value;
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_EQ(database->Get({}, family, KeyAt(i), &value).ok(), i % 2 == 0);
    }
    EXPECT_GE(database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) - before,
              0.95 * kKeys / 2);
  }
  ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
}

// The policy of the deep tree stays in use.
TEST(MovedTablesTest, ToFewerLevelsAndBack) {
  const PolicyPtr policy = ByLevel();
  rocksdb::Options options = OptionsWith(policy);
  ScratchDatabase database(options);
  for (const int num_levels : {7, 3, 9}) {
    SCOPED_TRACE(num_levels);
    rocksdb::Options next = options;
    next.num_levels = num_levels;
    database.Close();
    Status status =
        rocksdb::OptionChangeMigration(database.path(), options, next);
    ASSERT_TRUE(status.ok()) << status.ToString();
    options = next;
    database.Reopen(options);
    const int last = num_levels - 1;
    for (const int level : {last, last - 1, 0}) {
      database.WriteTable(0, kKeys);
      if (level > 0) database.CompactLevel0To(level);
    }
    const auto bits = BitsOfTables(database);
    EXPECT_NEAR(bits.at(0).at(0), 14, kRounding);
    EXPECT_NEAR(bits.at(last - 1).at(0), 12.25, kRounding);
    EXPECT_NEAR(bits.at(last).at(0), 10, kRounding);
    ExpectFiltered(database, 0, kKeys);
    database.CompactAll();
  }
}

// Tables are dropped, or compacted, by age.
TEST(MovedTablesTest, OutByAge) {
  for (const auto style :
       {rocksdb::kCompactionStyleFIFO, rocksdb::kCompactionStyleUniversal}) {
    SCOPED_TRACE(style);
    rocksdb::BlockBasedTableOptions table;
    table.cache_index_and_filter_blocks = true;
    table.block_cache =
        rocksdb::HyperClockCacheOptions(8 << 20, 4096).MakeSharedCache();
    rocksdb::Options options = OptionsWith(ByLevel(), table);
    options.compaction_style = style;
    options.disable_auto_compactions = false;
    options.max_open_files = -1;
    options.ttl = style == rocksdb::kCompactionStyleFIFO ? 1 : 0;
    options.periodic_compaction_seconds =
        style == rocksdb::kCompactionStyleUniversal ? 1 : 0;
    options.level0_file_num_compaction_trigger = 4;
    ScratchDatabase database(options);
    int rounds = 0;
    // Until a table of the first round is gone; each has its filter till then.
    for (std::string first; rounds < 100 && !HasFailure(); ++rounds) {
      database.WriteTable(rounds * 100, rounds * 100 + 200);
      ExpectFiltered(database, rounds * 100, rounds * 100 + 200);
      const std::vector<std::string> files = database.TableFiles();
      if (first.empty()) first = files.at(0);
      if (std::find(files.begin(), files.end(), first) == files.end()) break;
      rocksdb::Env::Default()->SleepForMicroseconds(100000);
    }
    EXPECT_LT(rounds, 100);
    database.WaitForCompactions();
    EXPECT_GT(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_HIT), 0u);
    EXPECT_EQ(database.PolicyNames(),
              std::vector<std::string>{ByLevel()->Name()});
  }
}

}  // namespace
}  // namespace oneline
