// Tests of which handles and databases Refilter takes.

#include "filter_policy/refilter/column_family_handles.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <memory>
#include <utility>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;

constexpr int kFamilyTables = 2;

class ColumnFamilyHandlesTest : public RefilteredTables {
 protected:
  ColumnFamilyHandlesTest()
      : RefilteredTables(kFamilyTables, 1000, /*level=*/0) {}
};

TEST_F(ColumnFamilyHandlesTest, WrongHandlesAreRefused) {
  const auto answer = [&](std::vector<ColumnFamilyHandle*> handles) {
    RefilterOptions options = Unlimited();
    options.column_families = std::move(handles);
    return Call(options).ToString();
  };
  EXPECT_EQ(answer({nullptr}),
            "Invalid argument: column_families: a handle is null");
  ColumnFamilyHandle* const family = database_->DefaultColumnFamily();
  EXPECT_EQ(answer({family, family}),
            "Invalid argument: column_families: 'default' is there twice");
  ScratchDatabase other(Rocksdbs());
  other.WriteTable(0, 1000);
  EXPECT_EQ(answer({other->DefaultColumnFamily()}),
            "Invalid argument: column_families: 'default' is of another "
            "database, or was dropped");
  ColumnFamilyHandle* gone = nullptr;
  ASSERT_TRUE(database_->CreateColumnFamily(Rocksdbs(), "gone", &gone).ok());
  ASSERT_TRUE(database_->Put({}, gone, "key", "value").ok());
  ASSERT_TRUE(database_->Flush({}, gone).ok());
  ASSERT_TRUE(database_->DropColumnFamily(gone).ok());
  EXPECT_EQ(answer({gone}),
            "Invalid argument: column_families: 'gone' is of another "
            "database, or was dropped");
  ASSERT_TRUE(database_->DestroyColumnFamilyHandle(gone).ok());
  EXPECT_EQ(KindsOf(database_)["RocksDB Bloom"], kFamilyTables);
}

TEST_F(ColumnFamilyHandlesTest, OtherFamiliesAreCountedAndLeftAlone) {
  database_.WriteFamily("one", Rocksdbs(), 100);
  database_.WriteFamily("two", Rocksdbs(), 100);
  database_.Close();
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
  ASSERT_TRUE(
      rocksdb::DB::Open(Ours(), database_.path(),
                        {{"default", Ours()}, {"one", Ours()}, {"two", Ours()}},
                        &handles, OpenInto(&db))
          .ok());
  RefilterReport report;
  ASSERT_TRUE(Refilter(db.get(), Unlimited(), &report).ok());
  EXPECT_EQ(report.tables_found, kFamilyTables);
  EXPECT_EQ(report.tables_of_other_families, 2u);
  RefilterOptions options = Unlimited();
  options.column_families = {handles[0], handles[1]};
  ASSERT_TRUE(Refilter(db.get(), options, &report).ok());
  EXPECT_EQ(report.tables_found, 1u);
  EXPECT_EQ(report.tables, kFamilyTables + 1u);
  EXPECT_EQ(report.tables_of_other_families, 1u);
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
}

TEST_F(ColumnFamilyHandlesTest, AReadOnlyDatabaseIsRefused) {
  EXPECT_FALSE(IsReadOnly(database_.get()));
  database_.Close();
  std::unique_ptr<rocksdb::DB> db;
  ASSERT_TRUE(
      rocksdb::DB::OpenForReadOnly(Ours(), database_.path(), OpenInto(&db))
          .ok());
  EXPECT_TRUE(IsReadOnly(db.get()));
  RefilterReport report;
  RefilterOptions options = Unlimited();
  // Ours, not that of RocksDB, which some read-only databases do not give.
  EXPECT_EQ(Refilter(db.get(), options, &report).ToString(),
            "Not implemented: the database is read-only");
  EXPECT_EQ(report.left.size(), kFamilyTables);
  options.dry_run = true;
  EXPECT_TRUE(Refilter(db.get(), options, &report).ok());
  EXPECT_EQ(report.tables_found, kFamilyTables);
}

}  // namespace
}  // namespace oneline
