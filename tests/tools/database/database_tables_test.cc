// Tests of tools/database/database_tables.h: sound, damaged and running
// databases are read, and never changed.

#include "tools/database/database_tables.h"

#include <gtest/gtest.h>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

using absl::StatusCode;

void Overwrite(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

std::vector<std::string> Shape(const ColumnFamilyTables& family) {
  std::vector<std::string> shape;
  for (const TableFile& table : family.tables) {
    shape.push_back("L" + std::to_string(table.level) + " " +
                    std::filesystem::path(table.path).filename().string());
  }
  return shape;
}

// Orders keys in reverse, under a name that only this test knows.
class TheirComparator final : public rocksdb::Comparator {
 public:
  const char* Name() const override { return "their.Comparator"; }
  int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

// One table in level 1, two in level 0, and keys in the WAL.
class DatabaseTablesTest : public testing::Test {
 protected:
  DatabaseTablesTest() : database_(OptionsWith(OurPolicy(11))) {
    database_.WriteTable(0, 1000);
    CompactToLevelOne();
    database_.WriteTable(0, 100);
    database_.WriteTable(100, 200);
    database_.Put(200, 300);
  }

  void CompactToLevelOne() {
    rocksdb::CompactRangeOptions options;
    options.change_level = true;
    options.target_level = 1;
    ASSERT_TRUE(database_->CompactRange(options, nullptr, nullptr).ok());
  }

  const std::string& path() const { return database_.path(); }

  void ExpectAllTables() const {
    const auto tables = TablesAt(path());
    ASSERT_TRUE(tables.ok()) << tables.status().message();
    ASSERT_EQ(tables->column_families.size(), 1u);
    std::vector<int> levels;
    for (const TableFile& table : tables->column_families[0].tables) {
      levels.push_back(table.level);
    }
    EXPECT_EQ(levels, (std::vector<int>{0, 0, 1}));
  }

  void ExpectDataLoss() const {
    const auto before = FilesIn(path());
    const auto tables = TablesAt(path());
    EXPECT_EQ(tables.status().code(), StatusCode::kDataLoss);
    EXPECT_NE(tables.status().message().find(path()), std::string::npos);
    EXPECT_EQ(FilesIn(path()), before);
  }

  ScratchDatabase database_;
};

TEST_F(DatabaseTablesTest, ListsAllTables) {
  database_.Close();
  const auto tables = TablesAt(path());
  ASSERT_TRUE(tables.ok()) << tables.status().message();
  EXPECT_TRUE(tables->is_database);
  EXPECT_EQ(tables->options_file, FileOf(path(), "OPTIONS-"));
  ASSERT_EQ(tables->column_families.size(), 1u);
  const ColumnFamilyTables& family = tables->column_families[0];
  EXPECT_EQ(family.name, "default");
  ASSERT_EQ(family.tables.size(), 3u);
  for (const TableFile& table : family.tables) {
    EXPECT_EQ(table.bytes, std::filesystem::file_size(table.path));
    EXPECT_EQ(
        std::stoull(std::filesystem::path(table.path).filename().string()),
        table.number);
  }
  EXPECT_EQ(family.tables[0].level, 0);
  EXPECT_GT(family.tables[0].number, family.tables[1].number);
  EXPECT_EQ(family.tables[2].level, 1);
  const auto* options = family.options.table_factory
                            ->GetOptions<rocksdb::BlockBasedTableOptions>();
  ASSERT_NE(options, nullptr);
  ASSERT_NE(options->filter_policy, nullptr);
  EXPECT_STREQ(options->filter_policy->Name(), "oneline");
}

TEST_F(DatabaseTablesTest, ListsColumnFamilies) {
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(
      database_
          ->CreateColumnFamily(OptionsWith(OurPolicy(5)), "a #2 \"b\"", &handle)
          .ok());
  ASSERT_TRUE(database_->Put({}, handle, "key", "value").ok());
  ASSERT_TRUE(database_->Flush({}, handle).ok());
  ASSERT_TRUE(database_->DestroyColumnFamilyHandle(handle).ok());
  database_.Close();
  const auto tables = TablesAt(path());
  ASSERT_TRUE(tables.ok()) << tables.status().message();
  ASSERT_EQ(tables->column_families.size(), 2u);
  EXPECT_EQ(tables->column_families[0].tables.size(), 3u);
  EXPECT_EQ(tables->column_families[1].name, "a #2 \"b\"");
  EXPECT_EQ(tables->column_families[1].tables.size(), 1u);
}

// The MANIFEST has the number of a table's directory. RocksDB asserts that it
// is known.
TEST(DatabaseTablesPathsTest, FindsTablesInManyDirectories) {
  const TemporaryDirectory elsewhere;
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  std::vector<std::string> directories;
  for (const char* name : {"a", "b", "c", "d"}) {
    directories.push_back(elsewhere.File(name));
    options.db_paths.emplace_back(directories.back(), 1 << 30);
  }
  ScratchDatabase database(options);
  database.WriteTable(0, 100);
  rocksdb::CompactRangeOptions compaction;
  compaction.target_path_id = 3;
  compaction.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForce;
  ASSERT_TRUE(database->CompactRange(compaction, nullptr, nullptr).ok());
  database.WriteTable(0, 100);
  database.Close();
  const auto tables = TablesAt(database.path(), directories);
  ASSERT_TRUE(tables.ok()) << tables.status().message();
  const std::vector<TableFile>& files = tables->column_families[0].tables;
  ASSERT_EQ(files.size(), 2u);
  // Where they would be, if nothing else is known.
  const auto missing = TablesAt(database.path());
  EXPECT_EQ(
      missing->column_families[0].tables[0].path.rfind(database.path(), 0), 0u);
  EXPECT_EQ(files[0].path.rfind(directories[0], 0), 0u) << files[0].path;
  EXPECT_EQ(files[1].path.rfind(directories[3], 0), 0u) << files[1].path;
  EXPECT_EQ(TablesAt(database.path(), {elsewhere.File("e")}).status().message(),
            elsewhere.File("e") + ": there is no such directory");
}

TEST(DatabaseTablesPathsTest, UnknownComparatorsAreNoObstacle) {
  const TheirComparator comparator;
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.comparator = &comparator;
  ScratchDatabase database(options);
  for (int i = 0; i < 3; ++i) {
    for (const char* key : {"a", "b", "c"}) {
      ASSERT_TRUE(database->Put({}, key + std::to_string(i), "value").ok());
    }
    ASSERT_TRUE(database->Flush({}).ok());
    if (i == 1) database.CompactAll();
  }
  database.Close();
  const auto tables = TablesAt(database.path());
  ASSERT_TRUE(tables.ok()) << tables.status().message();
  EXPECT_EQ(tables->column_families[0].tables.size(), 2u);
}

TEST(DatabaseTablesPathsTest, UnknownTableFactoriesAreNoObstacle) {
  rocksdb::Options options = OptionsWith(nullptr);
  options.table_factory.reset(
      rocksdb::NewAdaptiveTableFactory(options.table_factory));
  ScratchDatabase database(options);
  database.WriteTable(0, 100);
  database.Close();
  const auto tables = TablesAt(database.path());
  ASSERT_TRUE(tables.ok()) << tables.status().message();
  EXPECT_EQ(tables->column_families[0].tables.size(), 1u);
  EXPECT_EQ(tables->column_families[0].options.table_factory, nullptr);
}

TEST_F(DatabaseTablesTest, LostOptionsAreNoObstacle) {
  database_.Close();
  std::set<std::string> lost;
  for (const auto& file : std::filesystem::directory_iterator(path())) {
    const std::string name = file.path().filename();
    if (name.rfind("OPTIONS-", 0) == 0) lost.insert(file.path());
  }
  for (const std::string& file : lost) std::filesystem::remove(file);
  ExpectAllTables();
  EXPECT_EQ(TablesAt(path())->options_file, "");
}

TEST_F(DatabaseTablesTest, DamagedOptionsAreNoObstacle) {
  database_.Close();
  Overwrite(FileOf(path(), "OPTIONS-"), "[Version\n = ?\n");
  ExpectAllTables();
}

// RocksDB would take memory for as many levels.
TEST_F(DatabaseTablesTest, NonsenseInOptionsIsNoObstacle) {
  database_.Close();
  const std::string file = FileOf(path(), "OPTIONS-");
  std::string options = ReadWholeFile(file);
  const size_t at = options.find("num_levels=");
  ASSERT_NE(at, std::string::npos);
  options.insert(at + std::string("num_levels=").size(), "99999");
  Overwrite(file, options);
  ExpectAllTables();
}

// Opening a FIFO would wait for ever for its other end.
TEST_F(DatabaseTablesTest, AFileThatIsNoneIsAnError) {
  database_.Close();
  for (const char* name : {"OPTIONS-", "MANIFEST-", "CURRENT", "IDENTITY"}) {
    const std::string file = FileOf(path(), name);
    const std::string contents = ReadWholeFile(file);
    std::filesystem::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(TablesAt(path()).status().message(),
              file + ": is not a regular file");
    std::filesystem::remove(file);
    Overwrite(file, contents);
  }
  ExpectAllTables();
}

TEST_F(DatabaseTablesTest, ListsTheRangesOfTables) {
  const auto tables = TablesAt(path());
  ASSERT_TRUE(tables.ok());
  EXPECT_NE(tables->id, "");
  const std::vector<TableFile>& files = tables->column_families[0].tables;
  EXPECT_EQ(files[0].smallest_key, KeyAt(100));
  EXPECT_EQ(files[0].largest_key, KeyAt(198));
  EXPECT_EQ(files[2].smallest_key, KeyAt(0));
  EXPECT_EQ(files[2].largest_key, KeyAt(998));
}

TEST_F(DatabaseTablesTest, DamagedAndMissingTablesAreListed) {
  database_.Close();
  const auto tables = TablesAt(path());
  ASSERT_TRUE(tables.ok());
  const std::vector<TableFile>& files = tables->column_families[0].tables;
  std::filesystem::remove(files[0].path);
  std::filesystem::resize_file(files[1].path, 20);
  Overwrite(files[2].path, "not a table at all");
  const auto before = FilesIn(path());
  const auto again = TablesAt(path());
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(Shape(again->column_families[0]),
            Shape(tables->column_families[0]));
  EXPECT_EQ(FilesIn(path()), before);
}

TEST_F(DatabaseTablesTest, ADamagedManifestIsAnError) {
  database_.Close();
  const std::string manifest = FileOf(path(), "MANIFEST-");
  const std::string intact = ReadWholeFile(manifest);
  std::string damaged = intact;
  damaged[damaged.size() / 2] ^= 1;
  Overwrite(manifest, damaged);
  ExpectDataLoss();
  std::filesystem::remove(manifest);
  ExpectDataLoss();
}

TEST_F(DatabaseTablesTest, ADamagedCurrentIsAnError) {
  database_.Close();
  Overwrite(path() + "/CURRENT", "MANIFEST-999999\n");
  ExpectDataLoss();
  Overwrite(path() + "/CURRENT", "nonsense");
  ExpectDataLoss();
  Overwrite(path() + "/CURRENT", "");
  ExpectDataLoss();
}

TEST_F(DatabaseTablesTest, OneTableIsAPathAsWell) {
  const auto all = TablesAt(path());
  ASSERT_TRUE(all.ok());
  const std::string& file = all->column_families[0].tables[0].path;
  const auto one = TablesAt(file);
  ASSERT_TRUE(one.ok());
  EXPECT_FALSE(one->is_database);
  ASSERT_EQ(one->column_families.size(), 1u);
  ASSERT_EQ(one->column_families[0].tables.size(), 1u);
  EXPECT_EQ(one->column_families[0].tables[0].path, file);
  EXPECT_EQ(one->column_families[0].tables[0].level, -1);
}

}  // namespace
}  // namespace oneline
