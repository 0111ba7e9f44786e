#include "tests/filter_policy/scratch_database.h"

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_writer.h>

#include <chrono>
#include <cstdio>
#include <set>
#include <thread>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;

bool IsPut(int i) { return i % 2 == 0; }

void ExpectFound(const Status& status, const Slice& value, int i) {
  if (IsPut(i)) {
    EXPECT_TRUE(status.ok()) << KeyAt(i) << ": " << status.ToString();
    EXPECT_EQ(value.ToString(), ValueAt(i));
  } else {
    EXPECT_TRUE(status.IsNotFound()) << KeyAt(i) << ": " << status.ToString();
  }
}

void GetOneByOne(rocksdb::DB* db, int first, int last) {
  for (int i = first; i < last && !testing::Test::HasFailure(); ++i) {
    PinnableSlice value;
    const Status status =
        db->Get(ReadOptions(), db->DefaultColumnFamily(), KeyAt(i), &value);
    ExpectFound(status, value, i);
  }
}

void GetBatch(rocksdb::DB* db, int first, int n) {
  std::vector<std::string> keys;
  for (int i = 0; i < n; ++i) keys.push_back(KeyAt(first + i));
  const std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  db->MultiGet(ReadOptions(), db->DefaultColumnFamily(), keys.size(),
               slices.data(), values.data(), statuses.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    ExpectFound(statuses[i], values[i], first + static_cast<int>(i));
  }
}

void GetInBatches(rocksdb::DB* db, int first, int last) {
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
uint64_t Useful(const ScratchDatabase& database) {
  return database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) +
         database.PrefixUseful();
}

}  // namespace

std::string KeyAt(int i) {
  char key[32];
  std::snprintf(key, sizeof(key), "%0*d/path", static_cast<int>(kPrefixBytes),
                i);
  return key;
}

std::string ValueAt(int i) { return "value of " + std::to_string(i); }

rocksdb::Options OptionsWith(const PolicyPtr& policy,
                             rocksdb::BlockBasedTableOptions table) {
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

void WriteTableFile(const rocksdb::Options& options, const std::string& file,
                    int last) {
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  ASSERT_TRUE(writer.Open(file).ok());
  for (int i = 0; i < last; i += 2) {
    ASSERT_TRUE(writer.Put(KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(IsOk(writer.Finish()));
}

ScratchDatabase::ScratchDatabase(const rocksdb::Options& options, int last)
    : path_(directory_.File("db")) {
  Reopen(options);
  if (last > 0) WriteTable(0, last);
}

Status ScratchDatabase::TryReopen(const rocksdb::Options& options) {
  Close();
  statistics_ = rocksdb::CreateDBStatistics();
  rocksdb::Options with_statistics = options;
  with_statistics.statistics = statistics_;
  return rocksdb::DB::Open(with_statistics, path_, OpenInto(&db_));
}

void ScratchDatabase::Reopen(const rocksdb::Options& options) {
  ASSERT_TRUE(IsOk(TryReopen(options)));
}

void ScratchDatabase::Put(int first, int last, ColumnFamilyHandle* family) {
  for (int i = first; i < last; ++i) {
    if (!IsPut(i)) continue;
    ASSERT_TRUE(IsOk(db_->Put({}, Family(family), KeyAt(i), ValueAt(i))));
  }
}

void ScratchDatabase::WriteTable(int first, int last,
                                 ColumnFamilyHandle* family) {
  Put(first, last, family);
  ASSERT_TRUE(IsOk(db_->Flush({}, Family(family))));
}

void ScratchDatabase::WriteTableTo(int level, int first, int last,
                                   ColumnFamilyHandle* family) {
  WriteTable(first, last, family);
  if (level > 0) CompactLevel0To(level, family);
}

void ScratchDatabase::WriteFamily(const std::string& name,
                                  const rocksdb::Options& options, int last) {
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(options, name, &family).ok());
  for (int i = 0; i < last; ++i) {
    ASSERT_TRUE(db_->Put({}, family, KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(db_->Flush({}, family).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
}

void ScratchDatabase::CompactLevel0To(int level, ColumnFamilyHandle* family) {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(Family(family), &tree);
  std::vector<std::string> files;
  for (const auto& file : tree.levels[0].files) files.push_back(file.name);
  ASSERT_TRUE(IsOk(db_->CompactFiles({}, Family(family), files, level)));
}

void ScratchDatabase::CompactAll(ColumnFamilyHandle* family) {
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForce;
  ASSERT_TRUE(
      IsOk(db_->CompactRange(options, Family(family), nullptr, nullptr)));
}

void ScratchDatabase::WaitForCompactions() const {
  using rocksdb::DB;
  // What ends may make room for the next, so idle is what stays idle. Under
  // universal compaction one can be pending that RocksDB does not run.
  constexpr int kIdlePolls = 3, kPollsWithoutWork = 200;
  for (int idle = 0, without_work = 0;
       idle < kIdlePolls && without_work < kPollsWithoutWork;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    uint64_t sum = 0;
    const auto count = [&](const std::string& property) {
      uint64_t value = 0;
      EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
      sum += value;
    };
    count(DB::Properties::kNumRunningFlushes);
    count(DB::Properties::kNumRunningCompactions);
    without_work = sum > 0 ? 0 : without_work + 1;
    count(DB::Properties::kMemTableFlushPending);
    count(DB::Properties::kCompactionPending);
    idle = sum > 0 ? 0 : idle + 1;
  }
}

std::vector<std::string> ScratchDatabase::TableFiles() const {
  std::vector<rocksdb::LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  std::vector<std::string> paths;
  for (const rocksdb::LiveFileMetaData& file : files) {
    paths.push_back(file.db_path + file.name);
  }
  return paths;
}

uint64_t ScratchDatabase::PrefixUseful() const {
  uint64_t useful = Ticker(rocksdb::BLOOM_FILTER_PREFIX_USEFUL);
#if ONELINE_HAS_SEEK_TICKERS
  useful += Ticker(rocksdb::LAST_LEVEL_SEEK_FILTERED) +
            Ticker(rocksdb::NON_LAST_LEVEL_SEEK_FILTERED);
#endif
  return useful;
}

std::vector<std::shared_ptr<const rocksdb::TableProperties>>
ScratchDatabase::Tables() const {
  rocksdb::TablePropertiesCollection properties;
  EXPECT_TRUE(IsOk(db_->GetPropertiesOfAllTables(&properties)));
  std::vector<std::shared_ptr<const rocksdb::TableProperties>> tables;
  for (const auto& [file, table] : properties) tables.push_back(table);
  return tables;
}

std::vector<std::string> ScratchDatabase::PolicyNames() const {
  std::set<std::string> names;
  for (const auto& table : Tables()) names.insert(table->filter_policy_name);
  return {names.begin(), names.end()};
}

double ScratchDatabase::FilterBitsPerKey() const {
  uint64_t bytes = 0, keys = 0;
  for (const auto& table : Tables()) {
    bytes += table->filter_size;
    keys += table->num_entries;
  }
  return keys == 0 ? 0 : 8.0 * static_cast<double>(bytes) / keys;
}

void ExpectAllFound(const ScratchDatabase& database, int first, int last) {
  GetOneByOne(database.get(), first, last);
  GetInBatches(database.get(), first, last);
}

void ExpectFiltered(const ScratchDatabase& database, int first, int last,
                    double min_share) {
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

void ExpectUnfiltered(const ScratchDatabase& database, int first, int last) {
  const uint64_t before = Useful(database);
  ExpectAllFound(database, first, last);
  EXPECT_EQ(Useful(database), before);
}

void ExpectPrefixSeeksFiltered(const ScratchDatabase& database, int first,
                               int last, double min_share) {
  ReadOptions options;
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
