// A database with all that tables may have, and a digest of what it holds.

#ifndef ONELINE_TESTS_TOOLS_REFILTER_REFILTER_DATABASE_H_
#define ONELINE_TESTS_TOOLS_REFILTER_REFILTER_DATABASE_H_

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "table/hash/key_hash.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"

namespace oneline {

// An open database; closed with its object.
struct OpenedDatabase {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::shared_ptr<rocksdb::Statistics> statistics;

  OpenedDatabase() = default;
  OpenedDatabase(OpenedDatabase&&) = default;
  ~OpenedDatabase() { Close(); }
  void Close() {
    for (rocksdb::ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    handles.clear();
    db.reset();
  }
};

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

// Opens all column families with all of RocksDB's checks; fails the test on an
// error.
inline OpenedDatabase OpenParanoid(const std::string& path,
                                   rocksdb::DBOptions options,
                                   const Families& families) {
  OpenedDatabase opened;
  opened.statistics = rocksdb::CreateDBStatistics();
  options.statistics = opened.statistics;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  options.max_open_files = -1;
  options.verify_sst_unique_id_in_manifest = true;
  EXPECT_TRUE(IsOk(rocksdb::DB::Open(options, path, families, &opened.handles,
                                     OpenInto(&opened.db))));
  return opened;
}

// Of all keys and values of all families, in the order of a scan.
inline uint64_t Digest(const OpenedDatabase& opened) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  uint64_t digest = 0;
  for (rocksdb::ColumnFamilyHandle* handle : opened.handles) {
    const std::unique_ptr<rocksdb::Iterator> it(
        opened.db->NewIterator(options, handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      digest =
          KeyHash(it->key().ToString() + '=' + it->value().ToString(), digest);
    }
    EXPECT_TRUE(IsOk(it->status()));
  }
  return digest;
}

// Even keys of [first, last) with the values of `version`, in one table.
inline void WriteTable(OpenedDatabase& opened, size_t family, int first,
                       int last, const std::string& version,
                       bool flush = true) {
  for (int i = first; i < last; i += 2) {
    ASSERT_TRUE(
        IsOk(opened.db->Put({}, opened.handles[family], KeyAt(i),
                            version + ValueAt(i) + std::string(40, 'v'))));
  }
  if (!flush) return;
  ASSERT_TRUE(IsOk(opened.db->Flush({}, opened.handles[family])));
}

// The tables of level 0 of a family into one of `level`.
inline void CompactTo(OpenedDatabase& opened, size_t family, int level) {
  rocksdb::ColumnFamilyMetaData tree;
  opened.db->GetColumnFamilyMetaData(opened.handles[family], &tree);
  std::vector<std::string> files;
  for (const auto& file : tree.levels[0].files) files.push_back(file.name);
  ASSERT_TRUE(
      IsOk(opened.db->CompactFiles({}, opened.handles[family], files, level)));
}

// Looks up even keys of [0, n), which must be found, and odd ones; returns how
// often filters answered.
inline uint64_t UsefulAnswers(OpenedDatabase& opened, size_t family, int n) {
  const auto useful = [&] {
    return opened.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL) +
           opened.statistics->getTickerCount(
               rocksdb::BLOOM_FILTER_PREFIX_USEFUL);
  };
  const uint64_t before = useful();
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    std::string value;
    const rocksdb::Status status =
        opened.db->Get({}, opened.handles[family], KeyAt(i), &value);
    EXPECT_EQ(status.ok(), i % 2 == 0) << i << status.ToString();
    EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
  }
  return useful() - before;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_REFILTER_REFILTER_DATABASE_H_
