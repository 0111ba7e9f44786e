// Tests of oneline/refilter.h with tables that another compaction holds.

#include <rocksdb/listener.h>

#include <condition_variable>
#include <mutex>

#include "tests/filter_policy/refilter/refiltered_tables.h"

namespace oneline {
namespace {

using rocksdb::Options;

constexpr int kHeldTables = 6;

// Holds each compaction that does not come from Refilter until it is let go.
class HeldCompactions final : public rocksdb::EventListener {
 public:
  void OnCompactionBegin(rocksdb::DB*,
                         const rocksdb::CompactionJobInfo& job) override {
    if (job.compaction_reason == rocksdb::CompactionReason::kManualCompaction) {
      Set(&is_held_, true);
      Await(is_free_);
    }
  }
  void AwaitOne() { Await(is_held_); }
  void LetGo() { Set(&is_free_, true); }
  void HoldAgain() { is_held_ = is_free_ = false; }

 private:
  void Set(bool* flag, bool value) {
    std::lock_guard<std::mutex> lock(mutex_);
    *flag = value;
    changed_.notify_all();
  }
  void Await(const bool& flag) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return flag; });
  }

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

  // Calls `then` when all tables but those are done.
  RefilterOptions WhenOthersAreDone(const std::function<void()>& then) {
    RefilterOptions options = Unlimited();
    options.progress = [then](const RefilterProgress& progress) {
      if (progress.tables_done == kFree) then();
    };
    return options;
  }

  static constexpr uint64_t kFree = kHeldTables - 2;
  const std::shared_ptr<HeldCompactions> held_ =
      std::make_shared<HeldCompactions>();

 private:
  std::thread compaction_;
};

// The held compaction gives its tables our filters itself.
TEST_F(HeldTablesTest, AreTriedAgain) {
  EXPECT_TRUE(Call(WhenOthersAreDone([&] { held_->LetGo(); })).ok());
  EndIt();
  EXPECT_EQ(report_.tables_found, kHeldTables);
  EXPECT_EQ(report_.tables_rewritten, kHeldTables);
  ExpectNothingToDo(database_);
  ExpectFiltered(database_, 0, 1000 * kHeldTables);
}

// They have the right filter again, before they are free.
TEST_F(HeldTablesTest, AreForgottenIfTheOptionsChangeBack) {
  EndIt();
  RefilterAll(database_);
  held_->HoldAgain();
  StartIt();
  SetBits("25", database_);
  EXPECT_EQ(RefilterAll(database_,
                        WhenOthersAreDone([&] { SetBits("10", database_); }))
                .tables_rewritten,
            2 * kFree);
}

}  // namespace
}  // namespace oneline
