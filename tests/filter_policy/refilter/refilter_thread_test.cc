// Tests of oneline::RefilterThread: a database is closed while it runs.

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "oneline/refilter.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kTables = 30;

class RefilterThreadTest : public RefilteredTables {
 protected:
  RefilterThreadTest() : RefilteredTables(kTables, 100, /*level=*/0) {}
};

TEST_F(RefilterThreadTest, TellsWhatItDid) {
  std::atomic<bool> is_done{false};
  Status status = Status::Corruption();
  RefilterReport report;
  {
    RefilterThread thread(database_.get(), Unlimited(),
                          [&](const Status& s, const RefilterReport& r) {
                            status = s;
                            report = r;
                            is_done = true;
                          });
    while (!is_done) std::this_thread::yield();
  }
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(report.tables_rewritten, kTables);
  ExpectFiltered(database_, 0, 100 * kTables);
}

// At any moment: after each number of tables.
TEST_F(RefilterThreadTest, TheDatabaseIsClosedMeanwhile) {
  uint64_t rewritten = 0;
  for (int i = 0; i < 10; ++i) {
    std::atomic<uint64_t> tables{0};
    RefilterOptions options = Unlimited();
    options.threads = 1 + i % 3;
    options.progress = [&](const RefilterProgress& progress) {
      tables = progress.tables_done;
    };
    std::atomic<bool> is_done{false};
    Status status;
    {
      RefilterThread thread(database_.get(), options,
                            [&](const Status& s, const RefilterReport& report) {
                              status = s;
                              rewritten += report.tables_rewritten;
                              EXPECT_EQ(
                                  report.tables_found,
                                  report.tables_rewritten + report.left.size());
                              is_done = true;
                            });
      const uint64_t until = i % 4;
      while (!is_done && tables < until) std::this_thread::yield();
    }
    EXPECT_TRUE(status.ok() || status.IsIncomplete()) << status.ToString();
    database_.Reopen(Ours());
  }
  EXPECT_EQ(rewritten + RefilterAll(database_).tables_rewritten, kTables);
  ExpectFiltered(database_, 0, 100 * kTables);
}

// Without being woken it would sleep for hours.
TEST_F(RefilterThreadTest, StopEndsALongWait) {
  database_.WriteTable(0, 20000);  // the newest, whose filter it reads first
  RefilterOptions options;
  options.bytes_per_second = 1;
  Status status;
  RefilterReport report;
  RefilterThread thread(database_.get(), options,
                        [&](const Status& s, const RefilterReport& r) {
                          status = s;
                          report = r;
                        });
  // It has read a filter by then, and waits.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  thread.Stop();
  thread.Stop();
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_EQ(report.tables, kTables + 1u);
  EXPECT_EQ(report.tables_rewritten, 0u);
}

// Stopped in another way, by the program's own flag.
TEST_F(RefilterThreadTest, TheFlagOfTheOptionsCounts) {
  const std::atomic<bool> cancel{true};
  std::atomic<bool> is_done{false};
  RefilterOptions options = Unlimited();
  options.cancel = &cancel;
  RefilterThread thread(database_.get(), options,
                        [&](const Status& status, const RefilterReport&) {
                          EXPECT_TRUE(status.IsIncomplete());
                          is_done = true;
                        });
  while (!is_done) std::this_thread::yield();
  EXPECT_EQ(KindsOf(database_).count("ribbon"), 0u);
}

}  // namespace
}  // namespace oneline
