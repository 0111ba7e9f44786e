// Refilter where other compactions move, hold and replace the tables that it
// found.

#include <gtest/gtest.h>
#include <rocksdb/compaction_filter.h>
#include <rocksdb/filter_policy.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "oneline/refilter.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kKeys = 2000;  // of a table; half of them are put

// A compaction of the first table waits here while the gate is closed.
class Gate final : public rocksdb::CompactionFilter {
 public:
  const char* Name() const override { return "Gate"; }
  bool Filter(int, const rocksdb::Slice& key, const rocksdb::Slice&,
              std::string*, bool*) const override {
    if (key.compare(KeyAt(kKeys)) >= 0) return false;
    waiting = waiting || closed;
    while (closed) Nap();
    return false;
  }
  static void Nap() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  mutable std::atomic<bool> closed{false}, waiting{false};
};

class RefilterBesideCompactionsTest : public testing::Test {
 protected:
  RefilterBesideCompactionsTest()
      : database_(Options(PolicyPtr(rocksdb::NewBloomFilterPolicy(10)))) {
    // One in level 1, and one in level 0.
    database_.WriteTable(0, kKeys);
    database_.CompactLevel0To(1);
    database_.WriteTable(kKeys, 2 * kKeys);
    database_.Reopen(Options(OurPolicy(10)));
  }

  rocksdb::Options Options(const PolicyPtr& policy) {
    rocksdb::Options options = OptionsWith(policy);
    options.compaction_filter = &gate_;
    return options;
  }

  // All keys of the table in level 1.
  void CompactFirstTable(bool rewrite) {
    const std::string first = KeyAt(0), last = KeyAt(kKeys - 1);
    const rocksdb::Slice begin = first, end = last;
    rocksdb::CompactRangeOptions options;
    if (rewrite) {
      options.bottommost_level_compaction =
          rocksdb::BottommostLevelCompaction::kForce;
    } else {
      options.change_level = true;
      options.target_level = 3;
      options.bottommost_level_compaction =
          rocksdb::BottommostLevelCompaction::kSkip;
    }
    const Status status = database_->CompactRange(options, &begin, &end);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  int TablesIn(int level) const {
    std::string number;
    EXPECT_TRUE(database_->GetProperty(
        "rocksdb.num-files-at-level" + std::to_string(level), &number));
    return std::stoi(number);
  }

  void ExpectAllDone(const Status& status, const RefilterReport& report) {
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(report.left.empty());
    EXPECT_EQ(report.tables_found, 2u);
    EXPECT_EQ(report.tables_rewritten, 2u);
    EXPECT_EQ(database_.PolicyNames(), std::vector<std::string>{"oneline"});
    ExpectFiltered(database_, 0, 2 * kKeys);
  }

  Gate gate_;
  ScratchDatabase database_;
};

// RocksDB moves a table down without rewriting it, before its turn.
TEST_F(RefilterBesideCompactionsTest, AMovedTable) {
  RefilterOptions options;
  options.progress = [this](const RefilterProgress& progress) {
    if (progress.tables_done > 1) return;
    CompactFirstTable(/*rewrite=*/false);
    EXPECT_EQ(TablesIn(1), 0);
    EXPECT_EQ(database_.PolicyNames().size(), 2u);
  };
  RefilterReport report;
  const Status status = Refilter(database_.get(), options, &report);
  EXPECT_EQ(TablesIn(1), 0);
  ExpectAllDone(status, report);
}

// Another compaction holds a table when its turn comes, and then replaces it.
TEST_F(RefilterBesideCompactionsTest, ATableThatAnotherCompactionReplaces) {
  gate_.closed = true;
  std::thread other([this] { CompactFirstTable(/*rewrite=*/true); });
  while (!gate_.waiting) Gate::Nap();
  std::thread opener([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    gate_.closed = false;
  });
  RefilterReport report;
  const Status status = Refilter(database_.get(), RefilterOptions(), &report);
  other.join();
  opener.join();
  ExpectAllDone(status, report);
}

}  // namespace
}  // namespace oneline
