// What docs/operations.md lists as features of RocksDB that work and no other
// test has: tables that another process or family wrote, trees that are
// reshaped, the longest keys. Filters are found, used and have their bits.

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/utilities/option_change_migration.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

using rocksdb::CompactionServiceJobInfo;
using rocksdb::CompactionServiceJobStatus;

constexpr int kFeatureKeys = 4000;  // half of them are put
constexpr double kFeatureRounding = 0.3;

PolicyPtr ByLevel() { return PolicyWith(FilterOptions()); }

// A worker in this process, with a policy of its own for each compaction.
class Worker final : public rocksdb::CompactionService {
 public:
  explicit Worker(std::string scratch) : scratch_(std::move(scratch)) {}
  const char* Name() const override { return "Worker"; }
  int jobs() const { return jobs_; }
  std::string path;  // of the database

#if ONELINE_HAS_SCHEDULE
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
    EXPECT_TRUE(IsOk(rocksdb::DB::OpenAndCompact(
        path, scratch_ + std::to_string(++jobs_), input_, result, options)));
    return CompactionServiceJobStatus::kSuccess;
  }

  const std::string scratch_;
  std::string input_;  // there is one compaction at a time
  int jobs_ = 0;
};

TEST(FeaturesTest, ByAWorkersCompaction) {
  const TemporaryDirectory directory;
  const auto worker = std::make_shared<Worker>(directory.File("worker"));
  rocksdb::Options options = OptionsWith(ByLevel());
  options.compaction_service = worker;
  options.num_levels = 3;
  ScratchDatabase database(options);
  worker->path = database.path();
  database.WriteTable(0, kFeatureKeys);
  database.WriteTable(kFeatureKeys / 2, kFeatureKeys);
  database.CompactAll();
  EXPECT_GT(worker->jobs(), 0);
  const auto bits = BitsOfTables(database);
  ASSERT_EQ(bits.size(), 1u);
  EXPECT_GT(bits.begin()->first, 0);
  // 9.36 or 9.57, by the default of RocksDB for dynamic level sizes.
  EXPECT_NEAR(bits.begin()->second.at(0), 9.5, kFeatureRounding);
  ExpectFiltered(database, 0, kFeatureKeys);
  database.Reopen(options);
  ExpectFiltered(database, 0, kFeatureKeys);
}

// The policy of the deep tree stays in use.
TEST(FeaturesTest, ToFewerLevelsAndBack) {
  const PolicyPtr policy = ByLevel();
  rocksdb::Options options = OptionsWith(policy);
  options.level_compaction_dynamic_level_bytes = true;
  ScratchDatabase database(options);
  for (const int num_levels : {7, 3, 9}) {
    SCOPED_TRACE(num_levels);
    rocksdb::Options next = options;
    next.num_levels = num_levels;
    database.Close();
    ASSERT_TRUE(
        IsOk(rocksdb::OptionChangeMigration(database.path(), options, next)));
    options = next;
    database.Reopen(options);
    const int last = num_levels - 1;
    for (const int level : {last, last - 1, 0}) {
      database.WriteTableTo(level, 0, kFeatureKeys);
    }
    const auto bits = BitsOfTables(database);
    EXPECT_NEAR(bits.at(0).at(0), 14, kFeatureRounding);
    EXPECT_NEAR(bits.at(last - 1).at(0), 13.41, kFeatureRounding);
    EXPECT_NEAR(bits.at(last).at(0), 9.57, kFeatureRounding);
    ExpectFiltered(database, 0, kFeatureKeys);
    database.CompactAll();
  }
}

}  // namespace
}  // namespace oneline
