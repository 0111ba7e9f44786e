// A filter that lacks keys never gets into a database: `oneline refilter` finds
// it, whether it keeps the keys in memory or reads them again.

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <memory>
#include <string>
#include <utility>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tests/tools/refilter/closed_database.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/run.h"

namespace oneline {
namespace {

// Forgets one key in three hundred.
class LossyBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  explicit LossyBuilder(rocksdb::FilterBitsBuilder* whole) : whole_(whole) {}

  void AddKey(const rocksdb::Slice& key) override {
    if (++keys_ % 300 != 0) whole_->AddKey(key);
  }
#if ONELINE_ROCKSDB_VERSION >= 90600
  void AddKeyAndAlt(const rocksdb::Slice& key,
                    const rocksdb::Slice& alt) override {
    whole_->AddKeyAndAlt(key, alt);
  }
#endif
  size_t EstimateEntriesAdded() override {
    return whole_->EstimateEntriesAdded();
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return whole_->Finish(buf);
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* buf,
                        rocksdb::Status* status) override {
    return whole_->Finish(buf, status);
  }
  rocksdb::Status MaybePostVerify(const rocksdb::Slice& filter) override {
    return whole_->MaybePostVerify(filter);
  }
  size_t ApproximateNumEntries(size_t bytes) override {
    return whole_->ApproximateNumEntries(bytes);
  }
#if ONELINE_ROCKSDB_VERSION >= 100900
  size_t CalculateSpace(size_t entries) override {
    return whole_->CalculateSpace(entries);
  }
  double EstimatedFpRate(size_t entries, size_t bytes) override {
    return whole_->EstimatedFpRate(entries, bytes);
  }
#endif

 private:
  const std::unique_ptr<rocksdb::FilterBitsBuilder> whole_;
  int keys_ = 0;
};

class LossyPolicy final : public rocksdb::FilterPolicy {
 public:
  explicit LossyPolicy(PolicyPtr whole) : whole_(std::move(whole)) {}

  const char* Name() const override { return whole_->Name(); }
  const char* CompatibilityName() const override {
    return whole_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return new LossyBuilder(whole_->GetBuilderWithContext(context));
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    return whole_->GetFilterBitsReader(block);
  }

 private:
  const PolicyPtr whole_;
};

using RefilterLossyFilterTest = ClosedDatabaseTest;

TEST_F(RefilterLossyFilterTest, IsFound) {
  for (const bool has_checksums : {true, false}) {
    for (const bool partitioned : {false, true}) {
      SCOPED_TRACE(testing::Message() << has_checksums << partitioned);
      rocksdb::BlockBasedTableOptions table;
      if (!has_checksums) table.checksum = rocksdb::kNoChecksum;
      if (partitioned) {
        table.index_type =
            rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
        table.partition_filters = true;
        table.metadata_block_size = 256;
      }
      Make(OptionsWith(PolicyNamed("bloomfilter:10:false"), table));
      const auto files = FilesIn(path_);
      const Disk disk(rocksdb::FileSystem::Default());
      RefilterTask task;
      task.database = path_;
      task.policy = "oneline:20";
      absl::StatusOr<RefilterPlan> plan = MakePlan(disk, task);
      ASSERT_TRUE(plan.ok()) << plan.status();
      plan->families[0].request = std::make_shared<FilterRequest>(
          "default", std::make_shared<LossyPolicy>(PolicyNamed("oneline:20")),
          rocksdb::ColumnFamilyOptions(),
          plan->families[0].request->table_options());
      RunOptions options;
      options.may_go_on = [] { return absl::OkStatus(); };
      Progress progress(stderr, 0);
      RunResult result;
      const absl::Status run =
          RunPlan(disk, path_, *plan, options, &progress, &result);
      EXPECT_EQ(run.code(), absl::StatusCode::kDataLoss) << run;
      EXPECT_TRUE(Contains(std::string(run.message()), "does not pass")) << run;
      EXPECT_EQ(FilesIn(path_), files);
    }
  }
}

}  // namespace
}  // namespace oneline
