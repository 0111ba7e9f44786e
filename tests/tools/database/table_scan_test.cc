// Tests of tools/database/table_scan.h: what is read of a database whose tables
// vanish and come while they are read.

#include "tools/database/table_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

struct FoundTable {
  bool found = false;
  TableFile file = {};
  bool is_missing() const { return !found; }
};

// The level of each table, "lost" if it is missing, and the number of tables
// that were replaced.
struct Scanned {
  std::vector<std::string> tables;
  size_t replaced = 0, replaced_missing = 0;
  std::map<std::string, int> reads;  // by path
};

// Scans, and calls `before` with the number of each table before it is read.
Scanned Scan(const ScratchDatabase& database,
             const std::function<void(int)>& before) {
  Scanned result;
  int number = 0;
  const auto scanned =
      ScanTables<FoundTable>(database.path(), {}, 1, "",
                             [&](const TableFile& file, const EntryProgress&) {
                               before(number++);
                               ++result.reads[file.path];
                               return FoundTable{fs::exists(file.path)};
                             });
  EXPECT_TRUE(scanned.ok()) << scanned.status();
  if (!scanned.ok()) return result;
  EXPECT_TRUE(scanned->is_database);
  for (const auto& family : scanned->column_families) {
    for (const FoundTable& table : family.tables) {
      result.tables.push_back(
          table.is_missing() ? "lost" : "L" + std::to_string(table.file.level));
    }
  }
  result.replaced = scanned->replaced.size();
  result.replaced_missing = static_cast<size_t>(
      std::count_if(scanned->replaced.begin(), scanned->replaced.end(),
                    [](const auto& one) { return one.is_missing(); }));
  for (const auto& [path, times] : result.reads) EXPECT_EQ(times, 1) << path;
  return result;
}

class TableScanTest : public testing::Test {
 protected:
  TableScanTest() : database_(OptionsWith(OurPolicy(10))) {
    database_.WriteTable(0, 1000);
    database_.WriteTable(500, 1500);
    database_.WriteTable(1000, 2000);
  }

  ScratchDatabase database_;
};

using Tables = std::vector<std::string>;

TEST_F(TableScanTest, ATableThatIsStillListedIsLost) {
  fs::remove(database_.TableFiles()[1]);
  const Scanned scanned = Scan(database_, [](int) {});
  EXPECT_EQ(scanned.tables, (Tables{"L0", "lost", "L0"}));
  EXPECT_EQ(scanned.replaced, 0u);
}

// The first table was read before the compaction, the others are gone.
TEST_F(TableScanTest, NewTablesTakeThePlaceOfThoseThatWereReplaced) {
  const Scanned scanned = Scan(database_, [this](int number) {
    if (number == 1) database_.CompactLevel0To(3);
  });
  EXPECT_EQ(scanned.tables, Tables{"L3"});
  EXPECT_EQ(scanned.reads.size(), 4u);
  EXPECT_EQ(scanned.replaced, 3u);
  EXPECT_EQ(scanned.replaced_missing, 2u);
}

// Each list is out of date when it is read: the scan ends all the same, and
// tells of no table as lost.
TEST_F(TableScanTest, ADatabaseThatIsNeverAtRestIsReadAtLast) {
  int compactions = 0;
  const Scanned scanned = Scan(database_, [&](int) {
    ++compactions;
    database_.CompactAll();
  });
  EXPECT_EQ(scanned.tables, Tables{});
  EXPECT_GE(compactions, 10);
  EXPECT_LT(compactions, 20);
}

}  // namespace
}  // namespace oneline
