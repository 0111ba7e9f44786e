// Tests of oneline/refilter.h with tables that another compaction holds.

#include <gtest/gtest.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "oneline/refilter.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Options;

constexpr int kHeldTables = 6;
constexpr int kHeldKeys = 1000 * kHeldTables;

// Holds each compaction that the database starts by itself until it is let go.
class HeldCompactions final : public rocksdb::EventListener {
 public:
  void OnCompactionBegin(rocksdb::DB*,
                         const rocksdb::CompactionJobInfo& job) override {
    if (job.compaction_reason == rocksdb::CompactionReason::kManualCompaction) {
      std::unique_lock<std::mutex> lock(mutex_);
      is_held_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_free_; });
    }
  }
  void AwaitOne() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_held_; });
  }
  void LetGo() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_free_ = true;
    changed_.notify_all();
  }
  // Again.
  void Hold() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_held_ = is_free_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false, is_free_ = false;
};

// Beside a compaction that holds two of the tables until it is let go.
class HeldTablesTest : public RefilteredTables {
 protected:
  HeldTablesTest() : RefilteredTables(kHeldTables, 1000, /*level=*/1) {
    Options options = Ours();
    options.listeners.push_back(held_);
    database_.Reopen(options);
    StartIt();
  }
  ~HeldTablesTest() override { EndIt(); }

  void StartIt() {
    compaction_ = std::thread([this] {
      const std::string begin = KeyAt(0), end = KeyAt(1500);
      const rocksdb::Slice first(begin), last(end);
      rocksdb::CompactRangeOptions range;
      range.bottommost_level_compaction =
          rocksdb::BottommostLevelCompaction::kForce;
      EXPECT_TRUE(database_->CompactRange(range, &first, &last).ok());
    });
    held_->AwaitOne();
  }

  void EndIt() {
    held_->LetGo();
    if (compaction_.joinable()) compaction_.join();
  }

  static constexpr uint64_t kFree = kHeldTables - 2;
  const std::shared_ptr<HeldCompactions> held_ =
      std::make_shared<HeldCompactions>();

 private:
  std::thread compaction_;
};

// The held compaction gives its tables our filters itself.
TEST_F(HeldTablesTest, AreTriedAgain) {
  RefilterOptions refilter = Unlimited();
  std::atomic<uint64_t> done{0};
  refilter.progress = [&](const RefilterProgress& progress) {
    done = progress.tables_done;
    if (done == kFree) held_->LetGo();
  };
  EXPECT_TRUE(Call(refilter).ok());
  EndIt();
  EXPECT_EQ(report_.tables_found, kHeldTables);
  EXPECT_EQ(report_.tables_rewritten, kHeldTables);
  EXPECT_EQ(done, report_.tables_rewritten);
  ExpectNothingToDo(database_);
  ExpectFiltered(database_, 0, kHeldKeys);
}

TEST_F(HeldTablesTest, AreLeftByACallThatIsCancelledWhileItWaits) {
  std::atomic<bool> cancel{false};
  std::thread later;
  RefilterOptions refilter = Unlimited();
  refilter.cancel = &cancel;
  refilter.progress = [&](const RefilterProgress& progress) {
    if (progress.tables_done != kFree) return;
    later = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      cancel = true;
    });
  };
  EXPECT_EQ(Call(refilter).ToString(), "Result incomplete: cancelled");
  later.join();
  EXPECT_EQ(report_.tables_found, kHeldTables);
  EXPECT_EQ(report_.tables_rewritten, kFree);
  EXPECT_EQ(report_.left.size(), kHeldTables - kFree);
}

// They have the right filter again, before they are free.
TEST_F(HeldTablesTest, AreForgottenIfTheOptionsChangeBack) {
  EndIt();
  RefilterAll(database_);
  held_->Hold();
  StartIt();
  SetBits("25", database_);
  RefilterOptions refilter = Unlimited();
  refilter.progress = [&](const RefilterProgress& progress) {
    if (progress.tables_done == kFree) SetBits("10", database_);
  };
  EXPECT_EQ(RefilterAll(database_, refilter).tables_rewritten, 2 * kFree);
}

}  // namespace
}  // namespace oneline
