// Refilter where RocksDB moves a table that it found, before its turn. (The
// library's refilter_test.cc has tables that another compaction holds.)

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>

#include <string>
#include <vector>

#include "oneline/refilter.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

constexpr int kKeys = 2000;  // of a table; half of them are put

int TablesIn(const ScratchDatabase& database, int level) {
  std::string number;
  EXPECT_TRUE(database->GetProperty(
      "rocksdb.num-files-at-level" + std::to_string(level), &number));
  return std::stoi(number);
}

// Down, without rewriting it.
TEST(RefilterBesideCompactionsTest, AMovedTable) {
  // One table in level 1, and one in level 0.
  ScratchDatabase database(
      OptionsWith(PolicyPtr(rocksdb::NewBloomFilterPolicy(10))), kKeys);
  database.CompactLevel0To(1);
  database.WriteTable(kKeys, 2 * kKeys);
  database.Reopen(OptionsWith(OurPolicy(10)));
  RefilterOptions options;
  options.progress = [&](const RefilterProgress& progress) {
    if (progress.tables_done > 1) return;
    const std::string first = KeyAt(0), last = KeyAt(kKeys - 1);
    const rocksdb::Slice begin = first, end = last;
    rocksdb::CompactRangeOptions move;
    move.change_level = true;
    move.target_level = 3;
    move.bottommost_level_compaction =
        rocksdb::BottommostLevelCompaction::kSkip;
    EXPECT_TRUE(IsOk(database->CompactRange(move, &begin, &end)));
    EXPECT_EQ(TablesIn(database, 1), 0);
    EXPECT_EQ(database.PolicyNames().size(), 2u);
  };
  RefilterReport report;
  EXPECT_TRUE(IsOk(Refilter(database.get(), options, &report)));
  EXPECT_EQ(TablesIn(database, 1), 0);
  EXPECT_TRUE(report.left.empty());
  EXPECT_EQ(report.tables_found, 2u);
  EXPECT_EQ(report.tables_rewritten, 2u);
  EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{"oneline"});
  ExpectFiltered(database, 0, 2 * kKeys);
}

}  // namespace
}  // namespace oneline
