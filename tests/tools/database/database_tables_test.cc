// Tests of tools/database/database_tables.h: sound, damaged and running
// databases are read, and never changed.

#include "tools/database/database_tables.h"

#include <rocksdb/comparator.h>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

void Overwrite(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
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

DatabaseTables TablesOf(ScratchDatabase& database) {
  database.Close();
  auto tables = TablesAt(database.path());
  EXPECT_TRUE(IsOk(tables.status()));
  return tables.ok() ? *std::move(tables) : DatabaseTables();
}

// One table in level 1, two in level 0, and keys in the WAL.
class DatabaseTablesTest : public testing::Test {
 protected:
  DatabaseTablesTest() : database_(OptionsWith(OurPolicy(11))) {
    database_.WriteTable(0, 1000);
    database_.CompactLevel0To(1);
    database_.WriteTable(0, 100);
    database_.WriteTable(100, 200);
    database_.Put(200, 300);
    database_.Close();
  }

  const std::string& path() const { return database_.path(); }

  void ExpectAllTables() {
    const DatabaseTables tables = TablesOf(database_);
    ASSERT_EQ(tables.column_families.size(), 1u);
    std::vector<int> levels;
    for (const TableFile& table : tables.column_families[0].tables) {
      levels.push_back(table.level);
    }
    EXPECT_EQ(levels, (std::vector<int>{0, 0, 1}));
  }

  ScratchDatabase database_;
};

TEST_F(DatabaseTablesTest, ListsAllTables) {
  ExpectAllTables();
  const auto tables = TablesAt(path());
  ASSERT_TRUE(IsOk(tables.status()));
  EXPECT_TRUE(tables->is_database);
  EXPECT_EQ(tables->options_file, FileOf(path(), "OPTIONS-"));
  EXPECT_NE(tables->id, "");
  const ColumnFamilyTables& family = tables->column_families[0];
  EXPECT_EQ(family.name, "default");
  for (const TableFile& table : family.tables) {
    EXPECT_EQ(table.bytes, std::filesystem::file_size(table.path));
  }
  EXPECT_GT(family.tables[0].number, family.tables[1].number);
  EXPECT_EQ(family.tables[0].smallest_key, KeyAt(100));
  EXPECT_EQ(family.tables[0].largest_key, KeyAt(198));
  EXPECT_STREQ(family.table_options()->filter_policy->Name(), "oneline");
}

TEST(DatabaseTablesComparatorTest, AnUnknownOneIsNoObstacle) {
  const TheirComparator comparator;
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.comparator = &comparator;
  ScratchDatabase database(options);
  // In the order of the comparator. (With assertions RocksDB compares keys of a
  // level in any case, so that others than in reverse are an obstacle there.)
  for (const char* keys : {"cd", "ab", "ad"}) {
    for (const char* key = keys; *key != '\0'; ++key) {
      ASSERT_TRUE(database->Put({}, std::string(1, *key), "value").ok());
    }
    ASSERT_TRUE(database->Flush({}).ok());
    if (keys != std::string("ad")) database.CompactLevel0To(1);
  }
  EXPECT_EQ(TablesOf(database).column_families[0].tables.size(), 3u);
}

TEST(DatabaseTablesComparatorTest, TimestampsAreNoPartOfKeys) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  // In no public header before 8.0.
  ASSERT_TRUE(IsOk(rocksdb::Comparator::CreateFromString(
      rocksdb::ConfigOptions(), "leveldb.BytewiseComparator.u64ts",
      &options.comparator)));
  ScratchDatabase database(options);
  for (const char* key : {"a", "b"}) {
    ASSERT_TRUE(database->Put({}, key, std::string(8, '\1'), "value").ok());
  }
  ASSERT_TRUE(database->Flush({}).ok());
  const auto tables = TablesOf(database).column_families[0].tables;
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].smallest_key, "a");
  EXPECT_EQ(tables[0].largest_key, "b");
}

TEST(DatabaseTablesFamiliesTest, EachHasItsTablesAndOptions) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  ScratchDatabase database(options, 100);
  options.ttl = 2000;
  database.WriteFamily("other", options, 200);
  const auto families = TablesOf(database).column_families;
  ASSERT_EQ(families.size(), 2u);
  for (const ColumnFamilyTables& family : families) {
    const bool is_other = family.name == "other";
    EXPECT_EQ(family.options.ttl == 2000, is_other);
    ASSERT_EQ(family.tables.size(), 1u) << family.name;
    EXPECT_EQ(family.tables[0].largest_key, KeyAt(is_other ? 199 : 98));
  }
}

TEST(DatabaseTablesFamiliesTest, TheChosenOnesAreAllOrThoseNamed) {
  using Names = std::set<std::string>;
  const std::vector<ColumnFamilyTables> all = {
      {"default", {}, {}}, {"a", {}, {}}, {"b", {}, {}}, {"a,b", {}, {}}};
  EXPECT_EQ(*ChosenFamilies(all, ""), (Names{"default", "a", "b", "a,b"}));
  EXPECT_EQ(*ChosenFamilies(all, "b,default"), (Names{"b", "default"}));
  EXPECT_EQ(*ChosenFamilies(all, "a,b"), Names{"a,b"});
  EXPECT_EQ(ChosenFamilies(all, "a,c").status().message(),
            "there is no column family 'c'");
}

TEST_F(DatabaseTablesTest, DamagedOrLostOptionsAreNoObstacle) {
  const std::string file = FileOf(path(), "OPTIONS-");
  // RocksDB would take memory for as many levels.
  ReplaceIn(file, "num_levels=", "num_levels=99999");
  ExpectAllTables();
  Overwrite(file, "[Version\n = ?\n");
  ExpectAllTables();
  RemoveFilesOf(path(), "OPTIONS-");
  ExpectAllTables();
  EXPECT_EQ(TablesAt(path())->options_file, "");
}

// Opening a FIFO would wait for ever for its other end.
TEST_F(DatabaseTablesTest, AFileThatIsNoneIsAnError) {
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
  std::filesystem::create_directory(path() + "/LOGS");
  ExpectAllTables();
}

TEST_F(DatabaseTablesTest, ADamagedManifestOrCurrentIsAnError) {
  const auto expect_data_loss = [this] {
    const auto before = FilesIn(path());
    const auto tables = TablesAt(path());
    EXPECT_EQ(tables.status().code(), absl::StatusCode::kDataLoss);
    EXPECT_NE(tables.status().message().find(path()), std::string::npos);
    EXPECT_EQ(FilesIn(path()), before);
  };
  const std::string manifest = FileOf(path(), "MANIFEST-");
  std::string damaged = ReadWholeFile(manifest);
  damaged[damaged.size() / 2] ^= 1;
  Overwrite(manifest, damaged);
  expect_data_loss();
  std::filesystem::remove(manifest);
  expect_data_loss();
  for (const char* current : {"MANIFEST-999999\n", "nonsense", ""}) {
    Overwrite(path() + "/CURRENT", current);
    expect_data_loss();
  }
}

}  // namespace
}  // namespace oneline
