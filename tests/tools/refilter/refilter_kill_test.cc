// A run of `oneline refilter` that dies at each of its operations, and may lose
// what was not synced: the database opens and has every key, and a second run
// goes on.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "tests/filter_policy/fault_file_system.h"
#include "tests/test_seed.h"
#include "tests/tools/refilter/refilter_database.h"
#include "tests/tools/run_oneline.h"
#include "tools/refilter/kept_state.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/run.h"

namespace oneline {
namespace {

using Fault = FaultFileSystem::Fault;
using Names = FaultFileSystem::Names;

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
                   const std::function<absl::Status()>& may_go_on = GoOn,
                   Disk::CopyRange copy_range = nullptr) {
    const Disk disk(std::move(files), copy_range);
    return WithPlan(disk, [&](const RefilterPlan& plan) {
      RunOptions options;
      options.batch_bytes = 1;
      options.may_go_on = may_go_on;
      Progress progress(stderr, 0);
      result_ = RunResult();
      return RunPlan(disk, path_, plan, options, &progress, &result_);
    });
  }
  absl::Status Keep(std::shared_ptr<rocksdb::FileSystem> files,
                    const std::string& directory) {
    const Disk disk(std::move(files));
    return WithPlan(disk, [&](const RefilterPlan& plan) {
      return KeepState(disk, path_, plan, directory);
    });
  }
  absl::Status WithPlan(
      const Disk& disk,
      const std::function<absl::Status(const RefilterPlan&)>& use) {
    const auto lock = disk.TakeLock(path_ + "/LOCK");
    if (!lock.ok()) return lock.status();
    RefilterTask task;
    task.database = path_;
    task.policy = "oneline:10";
    const absl::StatusOr<RefilterPlan> plan = MakePlan(disk, task);
    if (!plan.ok()) return plan.status();
    EXPECT_TRUE(plan->refusals.empty());
    return use(*plan);
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

// Once, and for ever, with and without a loss of what was not synced.
TEST_F(RefilterKillTest, AtEveryOperation) {
  CopyOriginal();
  std::mt19937_64 random = TestRandom();
  const auto counting = std::make_shared<FaultFileSystem>(0);
  ASSERT_TRUE(Run(counting).ok());
  EXPECT_EQ(result_.tables, 3u);
  EXPECT_EQ(result_.batches.size(), 3u);
  EXPECT_TRUE(result_.left.empty());
  ExpectDone();
  ASSERT_GT(counting->operations(), 50u);
  for (uint64_t n = 0; n < counting->operations() && !HasFailure(); ++n) {
    for (int round = 0; round < 7; ++round) {
      const auto fault = round == 0 ? Fault::kOnce : Fault::kPower;
      SCOPED_TRACE(testing::Message() << "operation " << n << ", " << round);
      CopyOriginal();
      const auto faults = std::make_shared<FaultFileSystem>(random());
      faults->FailAt(n, fault);
      const absl::Status run = Run(faults);
      EXPECT_TRUE(faults->failed());
      // Old files that can't be deleted are no error.
      EXPECT_TRUE(!run.ok() || !result_.left.empty()) << run;
      if (round > 1) {
        faults->LosePower(round % 2 == 0 ? Names::kAny : Names::kLast);
      }
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
  const absl::Status stopped = Run(rocksdb::FileSystem::Default(), [&] {
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
    const absl::Status run = Run(rocksdb::FileSystem::Default(), [&] {
      return ++calls < stop ? absl::OkStatus()
                            : absl::CancelledError("interrupted");
    });
    ExpectWhole(path_);
    const uint64_t done = result_.tables;
    ASSERT_TRUE(Run(rocksdb::FileSystem::Default()).ok());
    EXPECT_EQ(done + result_.tables, 3u);
    if (run.ok()) break;
    ASSERT_LT(stop, 200);
  }
  ExpectDone();
}

// The system copies nothing, a part, or more than it says; and then reads and
// writes go on, or fail.
TEST_F(RefilterKillTest, CopyingBySystem) {
  static int calls = 0;
  const auto fails = [](int, int, size_t) -> ssize_t {
    ++calls;
    errno = EXDEV;
    return -1;
  };
  const auto ends = [](int, int, size_t) -> ssize_t {
    ++calls;
    return 0;
  };
  const auto copies_a_part = [](int from, int to, size_t most) -> ssize_t {
    if (++calls % 5 == 0) return -1;
    char bytes[1000];
    const ssize_t n = read(from, bytes, std::min(most, sizeof(bytes)));
    return write(to, bytes, static_cast<size_t>(n));
  };
  const auto writes_and_fails = [](int, int to, size_t) -> ssize_t {
    ++calls;
    EXPECT_EQ(write(to, "garbage", 7), 7);
    errno = EIO;
    return -1;
  };
  for (const Disk::CopyRange copy :
       {Disk::CopyRange(fails), Disk::CopyRange(ends),
        Disk::CopyRange(copies_a_part), Disk::CopyRange(writes_and_fails)}) {
    CopyOriginal();
    calls = 0;
    const auto counting = std::make_shared<FaultFileSystem>(0);
    const absl::Status run = Run(counting, GoOn, copy);
    EXPECT_TRUE(run.ok()) << run;
    EXPECT_GE(calls, 3);
    ExpectDone();
    for (uint64_t n = 0; n < counting->operations() && !HasFailure(); n += 5) {
      SCOPED_TRACE(n);
      CopyOriginal();
      const auto faults = std::make_shared<FaultFileSystem>(n);
      faults->FailAt(n, Fault::kPower);
      EXPECT_TRUE(!Run(faults, GoOn, copy).ok() || !result_.left.empty());
      faults->LosePower();
      ExpectWhole(path_);
    }
  }
}

// Other bytes than those of the old table are noticed, although their number is
// right.
TEST_F(RefilterKillTest, AWrongCopyIsFound) {
  CopyOriginal();
  const auto files = FilesIn(path_);
  const auto zeros = [](int, int to, size_t bytes) -> ssize_t {
    const std::string written(bytes, '\0');
    return write(to, written.data(), bytes);
  };
  const absl::Status run = Run(rocksdb::FileSystem::Default(), GoOn, zeros);
  EXPECT_EQ(run.code(), absl::StatusCode::kDataLoss) << run;
  EXPECT_TRUE(Contains(std::string(run.message()), "differs")) << run;
  EXPECT_EQ(FilesIn(path_), files);
}

TEST_F(RefilterKillTest, TheOldStateIsKept) {
  CopyOriginal();
  const std::string kept = directory_.File("kept");
  const absl::Status keep = Keep(rocksdb::FileSystem::Default(), kept);
  ASSERT_TRUE(keep.ok()) << keep;
  ASSERT_TRUE(Run(rocksdb::FileSystem::Default()).ok());
  ExpectWhole(path_);
  ExpectWhole(kept);
  const Finished plan =
      RunOneline("refilter " + kept + " --filter_policy=oneline:10");
  EXPECT_TRUE(Contains(plan.out, ": 3 tables to rewrite")) << plan.out;
  // An existing directory is not touched.
  CopyOriginal();
  EXPECT_EQ(Keep(rocksdb::FileSystem::Default(), kept).code(),
            absl::StatusCode::kFailedPrecondition);
}

// What was begun of the old state is no database, unless all of it is there.
TEST_F(RefilterKillTest, AtEveryOperationOfKeeping) {
  const std::string kept = directory_.File("kept");
  CopyOriginal();
  for (uint64_t n = 0;; ++n) {
    ASSERT_LT(n, 100u);
    const auto faults = std::make_shared<FaultFileSystem>(n);
    faults->FailAt(n, Fault::kPower);
    if (Keep(faults, kept).ok()) break;
    faults->LosePower();
    ExpectWhole(path_);
    if (std::filesystem::exists(kept + "/CURRENT") &&
        !ReadWholeFile(kept + "/CURRENT").empty()) {
      ExpectWhole(kept);
    }
    std::filesystem::remove_all(kept);
  }
  ExpectWhole(kept);
}

}  // namespace
}  // namespace oneline
