// A run of `oneline refilter` that dies at each of its operations, and may lose
// what was not synced: the database opens and has every key, and a second run
// goes on.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/tools/refilter/refilter_database.h"
#include "tests/tools/refilter/small_faults.h"
#include "tests/tools/run_oneline.h"
#include "tools/refilter/kept_state.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/run.h"

namespace oneline {
namespace {

constexpr int kKeys = 600;

absl::Status GoOn() { return absl::OkStatus(); }

class RefilterKillTest : public testing::Test {
 protected:
  RefilterKillTest()
      : original_(directory_.File("original")), path_(directory_.File("db")) {
    OpenedDatabase db = OpenParanoid(original_, {}, With("bloomfilter:10"));
    for (int i = 0; i < 3; ++i) WriteTable(db, 0, 0, kKeys, "a");
    CompactTo(db, 0, 2);
    WriteTable(db, 0, 100, 300, "b");
    WriteTable(db, 0, 200, 400, "c");
    WriteTable(db, 0, 300, 310, "only in the log", false);
    digest_ = Digest(db);
  }

  static Families With(const char* policy) {
    rocksdb::Options options = OptionsWith(PolicyNamed(policy));
    options.file_checksum_gen_factory =
        rocksdb::GetFileChecksumGenCrc32cFactory();
    return {{"default", options}};
  }

  void CopyOriginal() {
    std::filesystem::remove_all(path_);
    std::filesystem::copy(original_, path_);
  }

  // With batches of one table.
  absl::Status Run(std::shared_ptr<rocksdb::FileSystem> files,
                   const std::string& keep = "",
                   const std::function<absl::Status()>& may_go_on = GoOn) {
    const Disk disk(std::move(files));
    const auto lock = disk.TakeLock(path_ + "/LOCK");
    if (!lock.ok()) return lock.status();
    RefilterTask task;
    task.database = path_;
    task.policy = "oneline:10";
    const absl::StatusOr<RefilterPlan> plan = MakePlan(disk, task);
    if (!plan.ok()) return plan.status();
    EXPECT_TRUE(plan->refusals.empty());
    if (!keep.empty()) {
      const absl::Status kept = KeepState(disk, path_, *plan, keep);
      if (!kept.ok()) return kept;
    }
    RunOptions options;
    options.batch_bytes = 1;
    options.may_go_on = may_go_on;
    Progress progress(stderr, 0);
    return RunPlan(disk, path_, *plan, options, &progress, &result_);
  }

  // Opens a copy, since opening a database changes it.
  void ExpectWhole(const std::string& path) {
    const std::string copy = directory_.File("copy");
    std::filesystem::remove_all(copy);
    std::filesystem::copy(path, copy);
    OpenedDatabase db = OpenParanoid(copy, {}, With("oneline:10"));
    if (HasFailure()) return;
    EXPECT_EQ(Digest(db), digest_);
    const rocksdb::Status checksums = db.db->VerifyChecksum();
    EXPECT_TRUE(checksums.ok()) << checksums.ToString();
  }

  void ExpectDone() {
    const Finished plan =
        RunOneline("refilter " + path_ + " --filter_policy=oneline:10");
    EXPECT_TRUE(Contains(plan.out, ": 0 tables to rewrite"))
        << plan.out << plan.err;
    ExpectWhole(path_);
  }

  const TemporaryDirectory directory_;
  const std::string original_, path_;
  uint64_t digest_ = 0;
  RunResult result_;
};

TEST_F(RefilterKillTest, AtEveryOperation) {
  CopyOriginal();
  const auto counting = std::make_shared<FaultFileSystem>();
  ASSERT_TRUE(Run(counting).ok());
  EXPECT_EQ(result_.tables, 3u);
  EXPECT_EQ(result_.batches, 3u);
  EXPECT_TRUE(result_.left.empty());
  ExpectDone();
  using Names = FaultFileSystem::Names;
  const std::vector<std::optional<Names>> losses = {
      std::nullopt, Names::kAll, Names::kNone, Names::kDeletionsOnly,
      Names::kReplacementsOnly};
  ASSERT_GT(counting->operations(), 50);
  for (int n = 1; n <= counting->operations() && !HasFailure(); ++n) {
    for (const std::optional<Names>& names : losses) {
      SCOPED_TRACE(counting->log()[static_cast<size_t>(n) - 1] + ", " +
                   (names.has_value() ? std::to_string(static_cast<int>(*names))
                                      : "no loss"));
      CopyOriginal();
      const auto faults = std::make_shared<FaultFileSystem>();
      faults->FailAt(n);
      const absl::Status run = Run(faults);
      // Old files that can't be deleted are no error.
      const bool is_late = run.ok();
      EXPECT_TRUE(!is_late || !result_.left.empty()) << run;
      if (names.has_value()) faults->LosePower(*names);
      ExpectWhole(path_);
    }
    if (n % 7 != 0) continue;
    const absl::Status again = Run(rocksdb::FileSystem::Default());
    EXPECT_TRUE(again.ok()) << again;
    ExpectDone();
  }
}

// Without a kill nothing is left behind but what the database needs.
TEST_F(RefilterKillTest, AFailedRunDeletesWhatItWrote) {
  CopyOriginal();
  const auto files = FilesIn(path_);
  int calls = 0;
  const absl::Status stopped = Run(rocksdb::FileSystem::Default(), "", [&] {
    return ++calls < 3 ? absl::OkStatus() : absl::CancelledError("interrupted");
  });
  EXPECT_EQ(stopped.code(), absl::StatusCode::kCancelled) << stopped;
  EXPECT_EQ(FilesIn(path_), files);
  ExpectWhole(path_);
}

TEST_F(RefilterKillTest, StoppedAtEveryCheckASecondRunGoesOn) {
  for (int stop = 1;; ++stop) {
    CopyOriginal();
    int calls = 0;
    const auto stop_there = [&] {
      return ++calls < stop ? absl::OkStatus()
                            : absl::CancelledError("interrupted");
    };
    result_ = RunResult();
    const absl::Status run =
        Run(rocksdb::FileSystem::Default(), "", stop_there);
    ExpectWhole(path_);
    const uint64_t done = result_.tables;
    result_ = RunResult();
    ASSERT_TRUE(Run(rocksdb::FileSystem::Default()).ok());
    EXPECT_EQ(done + result_.tables, 3u);
    if (run.ok()) break;
    ASSERT_LT(stop, 100);
  }
  ExpectDone();
}

TEST_F(RefilterKillTest, TheOldStateIsKept) {
  CopyOriginal();
  const std::string kept = directory_.File("kept");
  const absl::Status run = Run(rocksdb::FileSystem::Default(), kept);
  ASSERT_TRUE(run.ok()) << run;
  ExpectWhole(path_);
  ExpectWhole(kept);
  const Finished plan =
      RunOneline("refilter " + kept + " --filter_policy=oneline:10");
  EXPECT_TRUE(Contains(plan.out, ": 3 tables to rewrite")) << plan.out;
  // An existing directory is not touched.
  CopyOriginal();
  EXPECT_EQ(Run(rocksdb::FileSystem::Default(), kept).code(),
            absl::StatusCode::kFailedPrecondition);
}

// A directory for the old state that can't be written is no harm.
TEST_F(RefilterKillTest, AtEveryOperationOfKeeping) {
  const std::string kept = directory_.File("kept");
  for (int n = 1; n <= 12; ++n) {
    CopyOriginal();
    const auto faults = std::make_shared<FaultFileSystem>();
    faults->FailAt(n);
    EXPECT_FALSE(Run(faults, kept).ok());
    ExpectWhole(path_);
    std::filesystem::remove_all(kept);
  }
}

}  // namespace
}  // namespace oneline
