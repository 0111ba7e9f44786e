// Tests of oneline::RefilterThread: a database is closed while it runs.

#include <chrono>

#include "tests/filter_policy/refilter/refiltered_tables.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kTables = 30;

class RefilterThreadTest : public RefilteredTables {
 protected:
  RefilterThreadTest() : RefilteredTables(kTables, 100, /*level=*/0) {}

  // Keeps what a thread tells at its end.
  const RefilterThread::Done keep_ = [this](const Status& status,
                                            const RefilterReport& report) {
    status_ = status;
    report_ = report;
    is_done_ = true;
  };
  Status status_;
  std::atomic<bool> is_done_{false};
};

// At any moment: after each number of tables. Beside other bits.
TEST_F(RefilterThreadTest, TheDatabaseIsClosedMeanwhile) {
  uint64_t rewritten = 0;
  for (int i = 0; i < 10; ++i) {
    std::atomic<uint64_t> tables{0};
    RefilterOptions options = Unlimited();
    options.threads = 1 + i % 3;
    options.progress = [&](const RefilterProgress& progress) {
      tables = progress.tables_done;
    };
    is_done_ = false;
    {
      RefilterThread thread(database_.get(), options, keep_);
      if (i % 2 == 0) SetBits("25", database_);
      const uint64_t until = i % 4;
      while (!is_done_ && tables < until) std::this_thread::yield();
    }
    EXPECT_TRUE(is_done_);
    EXPECT_TRUE(status_.ok() || status_.IsIncomplete()) << status_.ToString();
    rewritten += report_.tables_rewritten;
    EXPECT_EQ(report_.tables_found,
              report_.tables_rewritten + report_.left.size());
    database_.Reopen(Ours());
  }
  EXPECT_GE(rewritten + RefilterAll(database_).tables_rewritten, kTables);
  ExpectNothingToDo(database_);
  ExpectFiltered(database_, 0, 100 * kTables);
}

// Without being woken it would sleep for hours.
TEST_F(RefilterThreadTest, StopEndsALongWait) {
  database_.WriteTable(0, 20000);  // the newest, whose filter it reads first
  RefilterOptions options;
  options.bytes_per_second = 1;
  RefilterThread thread(database_.get(), options, keep_);
  // It has read a filter by then, and waits.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  thread.Stop();
  thread.Stop();
  EXPECT_TRUE(status_.IsIncomplete()) << status_.ToString();
  EXPECT_EQ(report_.tables, kTables + 1u);
  EXPECT_EQ(report_.tables_rewritten, 0u);
}

}  // namespace
}  // namespace oneline
