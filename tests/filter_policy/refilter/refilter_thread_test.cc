// Tests of oneline::RefilterThread: a database is closed while it runs.

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <atomic>
#include <memory>
#include <thread>

#include "oneline/refilter.h"
#include "tests/filter_policy/policies.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kTables = 30;

// Closed, with tables of RocksDB's filters.
void Fill(ScratchDatabase* database) {
  for (int i = 0; i < kTables; ++i) {
    database->WriteTable(100 * i, 100 * (i + 1));
  }
  database->Reopen(OptionsWith(PolicyNamed("oneline:10")));
}

ScratchDatabase& NewDatabase(std::unique_ptr<ScratchDatabase>* owner) {
  *owner = std::make_unique<ScratchDatabase>(
      OptionsWith(PolicyNamed("bloomfilter:10:false")));
  Fill(owner->get());
  return **owner;
}

TEST(RefilterThreadTest, TellsWhatItDid) {
  std::unique_ptr<ScratchDatabase> owner;
  ScratchDatabase& database = NewDatabase(&owner);
  std::atomic<bool> is_done{false};
  Status status = Status::Corruption();
  RefilterReport report;
  {
    RefilterThread thread(database.get(), Unlimited(),
                          [&](const Status& s, const RefilterReport& r) {
                            status = s;
                            report = r;
                            is_done = true;
                          });
    while (!is_done) std::this_thread::yield();
  }
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(report.tables_rewritten, kTables);
  ExpectFiltered(database, 0, 100 * kTables);
}

// At any moment: after each number of tables.
TEST(RefilterThreadTest, TheDatabaseIsClosedMeanwhile) {
  std::unique_ptr<ScratchDatabase> owner;
  ScratchDatabase& database = NewDatabase(&owner);
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
      RefilterThread thread(database.get(), options,
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
    database.Reopen(OptionsWith(PolicyNamed("oneline:10")));
  }
  RefilterAll(database);
  ExpectFiltered(database, 0, 100 * kTables);
}

// Without being woken it would sleep for years.
TEST(RefilterThreadTest, StopEndsALongWait) {
  std::unique_ptr<ScratchDatabase> owner;
  ScratchDatabase& database = NewDatabase(&owner);
  RefilterOptions options;
  options.bytes_per_second = 1;
  Status status;
  RefilterReport report;
  RefilterThread thread(database.get(), options,
                        [&](const Status& s, const RefilterReport& r) {
                          status = s;
                          report = r;
                        });
  thread.Stop();
  thread.Stop();
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  EXPECT_EQ(report.tables, kTables);
  EXPECT_EQ(report.tables_rewritten, 0u);
}

// Stopped in another way, by the program's own flag.
TEST(RefilterThreadTest, TheFlagOfTheOptionsCounts) {
  std::unique_ptr<ScratchDatabase> owner;
  ScratchDatabase& database = NewDatabase(&owner);
  const std::atomic<bool> cancel{true};
  std::atomic<bool> is_done{false};
  RefilterOptions options = Unlimited();
  options.cancel = &cancel;
  RefilterThread thread(database.get(), options,
                        [&](const Status& status, const RefilterReport&) {
                          EXPECT_TRUE(status.IsIncomplete());
                          is_done = true;
                        });
  while (!is_done) std::this_thread::yield();
  EXPECT_EQ(KindsOf(database).count("ribbon"), 0u);
}

}  // namespace
}  // namespace oneline
