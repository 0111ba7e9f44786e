// Real databases for tests, with RocksDB's headers that they need, and what all
// such tests check: that every key is found, and that the filter was used.

#ifndef ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_
#define ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_

#include <rocksdb/cache.h>
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>  // Cache, since RocksDB 8
#endif
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/write_batch.h>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/filter_policy/policies.h"

namespace oneline {

// Key number i and its value. Tests put the keys with even numbers into
// databases. The keys with odd numbers lie between them, so that only a filter
// can tell that they are absent. The first kPrefixBytes bytes of each key
// differ.
inline constexpr size_t kPrefixBytes = 7;
inline bool IsPut(int i) { return i % 2 == 0; }
inline std::string KeyAt(int i) {
  std::string key = "0000000/path";
  for (size_t digit = kPrefixBytes; i > 0; i /= 10) {
    key[--digit] = static_cast<char>('0' + i % 10);
  }
  return key;
}
inline std::string ValueAt(int i) { return "value of " + std::to_string(i); }

// Options for a small database that only compacts when told to. A null policy
// means no filters.
inline rocksdb::Options OptionsWith(
    const PolicyPtr& policy, rocksdb::BlockBasedTableOptions table = {}) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  // The default differs between versions, and tests say in which level a table
  // is.
  options.level_compaction_dynamic_level_bytes = false;
  table.filter_policy = policy;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

// Writes a table with the even keys of [0, last) that belongs to no database.
inline void WriteTableFile(const rocksdb::Options& options,
                           const std::string& file, int last) {
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  ASSERT_TRUE(writer.Open(file).ok());
  for (int i = 0; i < last; i += 2) {
    ASSERT_TRUE(writer.Put(KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(IsOk(writer.Finish()));
}

class ScratchDatabase {
 public:
  // Opens a database in a temporary directory. It is empty; with `last` it has
  // one table with the even keys of [0, last).
  explicit ScratchDatabase(const rocksdb::Options& options, int last = 0)
      : path_(directory_.File("db")) {
    Reopen(options);
    if (last > 0) WriteTable(0, last);
  }

  // Closes the database and opens it again, with statistics that begin at 0.
  // Reopen fails the test on error.
  rocksdb::Status TryReopen(const rocksdb::Options& options) {
    Close();
    statistics_ = rocksdb::CreateDBStatistics();
    rocksdb::Options with_statistics = options;
    with_statistics.statistics = statistics_;
    return rocksdb::DB::Open(with_statistics, path_, OpenInto(&db_));
  }
  void Reopen(const rocksdb::Options& options) {
    ASSERT_TRUE(IsOk(TryReopen(options)));
  }
  void Close() { db_.reset(); }

  rocksdb::DB* operator->() const { return db_.get(); }
  rocksdb::DB* get() const { return db_.get(); }
  const std::string& path() const { return path_; }

  // A null family, here and below, is the default one.
  rocksdb::ColumnFamilyHandle* Family(
      rocksdb::ColumnFamilyHandle* family) const {
    return family != nullptr ? family : db_->DefaultColumnFamily();
  }
  // Writes one table with the even keys of [first, last).
  void WriteTable(int first, int last,
                  rocksdb::ColumnFamilyHandle* family = nullptr) {
    Put(first, last, family);
    ASSERT_TRUE(IsOk(db_->Flush({}, Family(family))));
  }
  // The same, and compacts it, with what else is in level 0, into a table of
  // this level.
  void WriteTableTo(int level, int first, int last,
                    rocksdb::ColumnFamilyHandle* family = nullptr) {
    WriteTable(first, last, family);
    if (level > 0) CompactLevel0To(level, family);
  }
  // Puts the even keys of [first, last), without writing a table.
  void Put(int first, int last, rocksdb::ColumnFamilyHandle* family = nullptr) {
    rocksdb::WriteBatch batch;
    for (int i = first; i < last; ++i) {
      if (IsPut(i)) {
        batch.Put(Family(family), KeyAt(i), ValueAt(i)).PermitUncheckedError();
      }
      if (batch.Count() < 100 && i + 1 < last) continue;
      ASSERT_TRUE(IsOk(db_->Write({}, &batch)));
      batch.Clear();
    }
  }
  // Makes a column family with one table, of all keys of [0, last).
  void WriteFamily(const std::string& name, const rocksdb::Options& options,
                   int last) {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    ASSERT_TRUE(db_->CreateColumnFamily(options, name, &family).ok());
    for (int i = 0; i < last; ++i) {
      ASSERT_TRUE(db_->Put({}, family, KeyAt(i), ValueAt(i)).ok());
    }
    ASSERT_TRUE(db_->Flush({}, family).ok());
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  }
  // Compacts the tables of level 0 into one of `level`.
  void CompactLevel0To(int level,
                       rocksdb::ColumnFamilyHandle* family = nullptr) {
    rocksdb::ColumnFamilyMetaData tree;
    db_->GetColumnFamilyMetaData(Family(family), &tree);
    std::vector<std::string> files;
    for (const auto& file : tree.levels[0].files) files.push_back(file.name);
    ASSERT_TRUE(IsOk(db_->CompactFiles({}, Family(family), files, level)));
  }
  // Rewrites all tables.
  void CompactAll(rocksdb::ColumnFamilyHandle* family = nullptr) {
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction =
        rocksdb::BottommostLevelCompaction::kForce;
    ASSERT_TRUE(
        IsOk(db_->CompactRange(options, Family(family), nullptr, nullptr)));
  }
  uint64_t Ticker(rocksdb::Tickers ticker) const {
    return statistics_->getTickerCount(ticker);
  }
  // Lookups and seeks by prefix that filters answered.
  uint64_t PrefixUseful() const {
    uint64_t useful = Ticker(rocksdb::BLOOM_FILTER_PREFIX_USEFUL);
#if ONELINE_HAS_SEEK_TICKERS
    useful += Ticker(rocksdb::LAST_LEVEL_SEEK_FILTERED) +
              Ticker(rocksdb::NON_LAST_LEVEL_SEEK_FILTERED);
#endif
    return useful;
  }
  // The path of each table, of all column families.
  std::vector<std::string> TableFiles() const {
    std::vector<rocksdb::LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<std::string> paths;
    for (const rocksdb::LiveFileMetaData& file : files) {
      paths.push_back(file.db_path + file.name);
    }
    return paths;
  }
  // The properties of each table.
  std::vector<std::shared_ptr<const rocksdb::TableProperties>> Tables() const {
    rocksdb::TablePropertiesCollection properties;
    EXPECT_TRUE(IsOk(db_->GetPropertiesOfAllTables(&properties)));
    std::vector<std::shared_ptr<const rocksdb::TableProperties>> tables;
    for (const auto& [file, table] : properties) tables.push_back(table);
    return tables;
  }
  // The names of the policies that wrote the tables, each once.
  std::vector<std::string> PolicyNames() const {
    std::set<std::string> names;
    for (const auto& table : Tables()) names.insert(table->filter_policy_name);
    return {names.begin(), names.end()};
  }
  // The size of all filters, in bits per key.
  double FilterBitsPerKey() const {
    uint64_t bytes = 0, keys = 0;
    for (const auto& table : Tables()) {
      bytes += table->filter_size;
      keys += table->num_entries;
    }
    return keys == 0 ? 0 : 8.0 * static_cast<double>(bytes) / keys;
  }

 private:
  const TemporaryDirectory directory_;
  const std::string path_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::unique_ptr<rocksdb::DB> db_;
};

// Whether a lookup of key i had the right answer.
inline bool IsRight(const rocksdb::Status& status, const rocksdb::Slice& value,
                    int i) {
  return IsPut(i) ? status.ok() && value == ValueAt(i) : status.IsNotFound();
}

// These end at the first wrong answer.
inline void GetOneByOne(rocksdb::DB* db, int first, int last) {
  for (int i = first; i < last; ++i) {
    rocksdb::PinnableSlice value;
    const rocksdb::Status status = db->Get(
        rocksdb::ReadOptions(), db->DefaultColumnFamily(), KeyAt(i), &value);
    if (IsRight(status, value, i)) continue;
    FAIL() << KeyAt(i) << ": " << status.ToString() << ", " << value.ToString();
  }
}

inline void GetBatch(rocksdb::DB* db, int first, int n) {
  std::vector<std::string> keys;
  for (int i = 0; i < n; ++i) keys.push_back(KeyAt(first + i));
  const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  db->MultiGet(rocksdb::ReadOptions(), db->DefaultColumnFamily(), keys.size(),
               slices.data(), values.data(), statuses.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (IsRight(statuses[i], values[i], first + static_cast<int>(i))) continue;
    FAIL() << keys[i] << ": " << statuses[i].ToString() << ", "
           << values[i].ToString();
  }
}

inline void GetInBatches(rocksdb::DB* db, int first, int last) {
  int n = 1;
  for (int i = first; i < last && !testing::Test::HasFailure();) {
    if (n > last - i) n = last - i;
    GetBatch(db, i, n);
    i += n;
    // Of 33: in batches of 32, RocksDB's, any key comes last, put or not.
    n = n % 33 + 1;
  }
}

// The lookups that a filter answered. RocksDB counts batched lookups by prefix
// with another ticker.
inline uint64_t Useful(const ScratchDatabase& database) {
  return database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) +
         database.PrefixUseful();
}

// Looks up each key of [first, last), one by one and in batches of 1 to 33, and
// checks that the even ones are found and the others are not.
inline void ExpectAllFound(const ScratchDatabase& database, int first,
                           int last) {
  GetOneByOne(database.get(), first, last);
  GetInBatches(database.get(), first, last);
}

// The same, and checks that filters answered at least this share of the lookups
// of absent keys. (If several tables have the range, their filters' answers add
// up.)
inline void ExpectFiltered(const ScratchDatabase& database, int first, int last,
                           double min_share = 0.95) {
  const double absent = (last - first) / 2;
  uint64_t before = Useful(database);
  GetOneByOne(database.get(), first, last);
  // After a failure, of this test or before it, keys are not looked up.
  if (testing::Test::HasFailure()) return;
  EXPECT_GE(Useful(database) - before, min_share * absent) << "Get";
  before = Useful(database);
  GetInBatches(database.get(), first, last);
  EXPECT_GE(Useful(database) - before, min_share * absent) << "MultiGet";
}

// The same, and checks that no filter answered any lookup.
inline void ExpectUnfiltered(const ScratchDatabase& database, int first,
                             int last) {
  const uint64_t before = Useful(database);
  ExpectAllFound(database, first, last);
  EXPECT_EQ(Useful(database), before);
}

// Seeks the prefix of each key of [first, last) with prefix_same_as_start, and
// checks that the even keys are found and that filters answered at least this
// share of the seeks of absent prefixes.
inline void ExpectPrefixSeeksFiltered(const ScratchDatabase& database,
                                      int first, int last,
                                      double min_share = 0.95) {
  rocksdb::ReadOptions options;
  options.prefix_same_as_start = true;
  const std::unique_ptr<rocksdb::Iterator> it(database->NewIterator(options));
  const uint64_t before = database.PrefixUseful();
  for (int i = first; i < last; ++i) {
    it->Seek(KeyAt(i).substr(0, kPrefixBytes));
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
    ASSERT_EQ(it->Valid(), IsPut(i)) << KeyAt(i);
    if (IsPut(i)) {
      EXPECT_EQ(it->key().ToString(), KeyAt(i));
    }
  }
  EXPECT_GE(database.PrefixUseful() - before, min_share * (last - first) / 2);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_
