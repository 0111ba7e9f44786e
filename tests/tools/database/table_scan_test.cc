// Tests of tools/database/table_scan.h: what is read of a database whose tables
// vanish and come while they are read.

#include "tools/database/table_scan.h"

#include <new>

#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

struct FoundTable {
  bool found = false;
  TableFile file = {};
  bool is_missing() const { return !found; }
};

// The level of each table, "lost" if it is missing, and how many were read, and
// replaced.
struct Scanned {
  std::vector<std::string> tables;
  size_t reads = 0, replaced = 0, replaced_missing = 0;
};

// Scans, and calls `before` with the number of each table before it is read.
Scanned Scan(const ScratchDatabase& database,
             const std::function<void(int)>& before) {
  Scanned result;
  std::set<std::string> paths;
  const auto scanned =
      ScanTables<FoundTable>(database.path(), {}, 1, "",
                             [&](const TableFile& file, const EntryProgress&) {
                               before(static_cast<int>(result.reads++));
                               paths.insert(file.path);
                               return FoundTable{fs::exists(file.path)};
                             });
  EXPECT_EQ(paths.size(), result.reads);  // each once
  EXPECT_TRUE(scanned.ok()) << scanned.status();
  if (!scanned.ok()) return result;
  for (const auto& family : scanned->column_families) {
    for (const FoundTable& table : family.tables) {
      result.tables.push_back(
          table.is_missing() ? "lost" : "L" + std::to_string(table.file.level));
    }
  }
  for (const FoundTable& table : scanned->replaced) {
    ++result.replaced;
    result.replaced_missing += table.is_missing() ? 1 : 0;
  }
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

// Without memory, for example.
TEST_F(TableScanTest, AnExceptionIsPassedOn) {
  const auto fail = [](const TableFile&, const EntryProgress&) -> FoundTable {
    throw std::bad_alloc();
  };
  EXPECT_THROW(
      (void)ScanTables<FoundTable>(database_.path(), {}, 4, "", fail).ok(),
      std::bad_alloc);
}

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
  EXPECT_EQ(scanned.reads, 4u);
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
