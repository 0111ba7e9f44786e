#include "tests/filter_policy/history_database.h"

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/backup_engine.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/utilities/write_batch_with_index.h>
#include <rocksdb/wide_columns.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "tests/filter_policy/policies.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::DB;
using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;
using rocksdb::WriteOptions;

constexpr size_t kPrefix = 6;
constexpr int kGroups = 300;

int Draw(std::mt19937_64& random, int bound) {
  return static_cast<int>(random() % static_cast<uint64_t>(bound));
}

// "g00042" and what makes the keys of a group differ. Groups with odd numbers
// are never written.
std::string KeyOf(int group, char member) {
  char key[16];
  std::snprintf(key, sizeof(key), "g%05d%c", group, member);
  return key;
}

// Members a and b are put, m is merged, w has wide columns: RocksDB does not
// mix all of these.
std::string WrittenKey(std::mt19937_64& random, const char* members = "ab") {
  return KeyOf(2 * Draw(random, kGroups), members[Draw(random, 2)]);
}

std::string AnyKey(std::mt19937_64& random) {
  switch (Draw(random, 8)) {
    case 0:
      return KeyOf(2 * Draw(random, kGroups) + 1, 'a');  // its prefix, too
    case 1:
      return KeyOf(2 * Draw(random, kGroups), 'x');  // not its prefix
    case 2:
      return KeyOf(2 * Draw(random, kGroups), 'm');
    case 3:
      return KeyOf(2 * Draw(random, kGroups), 'w');
    default:
      return WrittenKey(random);
  }
}

std::string SomeValue(std::mt19937_64& random) {
  return std::string(1 + static_cast<size_t>(Draw(random, 30)),
                     static_cast<char>('A' + Draw(random, 26)));
}

std::string Text(const Status& status) {
  return status.ok() ? "ok" : status.IsNotFound() ? "-" : status.ToString();
}

std::string Text(const Status& status, const Slice& value) {
  return status.ok() ? value.ToString() : Text(status);
}

}  // namespace

HistoryDatabase::HistoryDatabase(const HistoryWorld& world,
                                 const HistorySetup& setup)
    : world_(world),
      setup_(setup),
      path_(directory_.File("db")),
      statistics_(rocksdb::CreateDBStatistics()) {
  options_.create_if_missing = true;
  options_.statistics = statistics_;
  options_.write_buffer_size = 64 << 10;
  options_.target_file_size_base = 16 << 10;
  options_.max_bytes_for_level_base = 32 << 10;
  options_.level0_file_num_compaction_trigger = 3;
  options_.compression = rocksdb::kNoCompression;
  if (world.universal) {
    options_.compaction_style = rocksdb::kCompactionStyleUniversal;
  }
  if (world.prefixes) {
    options_.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kPrefix));
  }
  EXPECT_TRUE(rocksdb::MergeOperator::CreateFromString(rocksdb::ConfigOptions(),
                                                       "stringappend",
                                                       &options_.merge_operator)
                  .ok());
  Open();
}

HistoryDatabase::~HistoryDatabase() { Close(); }

uint64_t HistoryDatabase::useful() const {
  uint64_t sum = 0;
  for (const char* name :
       {"rocksdb.bloom.filter.useful", "rocksdb.bloom.filter.prefix.useful",
        "rocksdb.last.level.seek.filtered",
        "rocksdb.non.last.level.seek.filtered"}) {
    std::map<std::string, uint64_t> tickers;
    if (statistics_->getTickerMap(&tickers)) sum += tickers[name];
  }
  return sum;
}

rocksdb::ColumnFamilyOptions HistoryDatabase::FamilyOptions() {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 512;
  const std::string& policy =
      setup_.policies[(opened_ - 1) % setup_.policies.size()];
  if (policy != "nullptr") table.filter_policy = PolicyNamed(policy);
  table.whole_key_filtering = setup_.whole_keys || !world_.prefixes;
  if (setup_.partitioned) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 256;
    table.cache_index_and_filter_blocks = true;
    table.block_cache = rocksdb::NewLRUCache(32 << 10);
  }
  rocksdb::ColumnFamilyOptions options = options_;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> HistoryDatabase::Descriptors() {
  std::vector<std::string> names;
  if (!DB::ListColumnFamilies(options_, path_, &names).ok()) {
    names = {rocksdb::kDefaultColumnFamilyName};
  }
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) {
    descriptors.emplace_back(name, FamilyOptions());
  }
  return descriptors;
}

void HistoryDatabase::Open() {
  ++opened_;
  std::vector<ColumnFamilyHandle*> handles;
  Status status;
  if (world_.transactions) {
    status = rocksdb::TransactionDB::Open(
        options_, rocksdb::TransactionDBOptions(), path_, Descriptors(),
        &handles, &transactions_);
    db_.reset(transactions_);
  } else {
    status = DB::Open(options_, path_, Descriptors(), &handles, OpenInto(&db_));
  }
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (ColumnFamilyHandle* handle : handles) {
    handles_[handle->GetName()] = handle;
  }
}

void HistoryDatabase::Close() {
  if (db_ == nullptr) return;
  for (const rocksdb::Snapshot* snapshot : snapshots_) {
    db_->ReleaseSnapshot(snapshot);
  }
  snapshots_.clear();
  for (const auto& [name, handle] : handles_) {
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
  handles_.clear();
  db_.reset();
  transactions_ = nullptr;
}

ColumnFamilyHandle* HistoryDatabase::Family(Random& random) {
  // Most of it happens in the default family.
  if (Draw(random, 3) > 0) return handles_["default"];
  return std::next(handles_.begin(),
                   Draw(random, static_cast<int>(handles_.size())))
      ->second;
}

std::string HistoryDatabase::Put(Random& random) {
  rocksdb::WriteBatch batch;
  for (int n = 1 + Draw(random, 20); n > 0; --n) {
    EXPECT_TRUE(
        batch.Put(Family(random), WrittenKey(random), SomeValue(random)).ok());
  }
  return Text(db_->Write(WriteOptions(), &batch));
}

std::string HistoryDatabase::Delete(Random& random) {
  std::string answer;
  for (int n = 1 + Draw(random, 5); n > 0; --n) {
    ColumnFamilyHandle* const family = Family(random);
    answer += Text(db_->Delete(WriteOptions(), family, AnyKey(random)));
  }
  return answer;
}

std::string HistoryDatabase::Merge(Random& random) {
  ColumnFamilyHandle* const family = Family(random);
  const std::string key = WrittenKey(random, "mm");
  return Text(db_->Merge(WriteOptions(), family, key, SomeValue(random)));
}

std::string HistoryDatabase::DeleteRange(Random& random) {
  if (world_.transactions) return "";  // which don't have it
  ColumnFamilyHandle* const family = Family(random);
  const int first = Draw(random, 2 * kGroups);
  return Text(db_->DeleteRange(WriteOptions(), family, KeyOf(first, 'a'),
                               KeyOf(first + 1 + Draw(random, 40), 'a')));
}

std::string HistoryDatabase::PutEntity(Random& random) {
  if (world_.transactions) return "";
  ColumnFamilyHandle* const family = Family(random);
  const std::string key = WrittenKey(random, "ww");
  const std::string value = SomeValue(random);
  return Text(db_->PutEntity(
      WriteOptions(), family, key,
      {{rocksdb::kDefaultWideColumnName, value}, {"column", value}}));
}

// A batch that is read before it is written, or dropped.
std::string HistoryDatabase::IndexedBatch(Random& random) {
  rocksdb::WriteBatchWithIndex batch;
  ColumnFamilyHandle* const family = Family(random);
  for (int n = 1 + Draw(random, 10); n > 0; --n) {
    const std::string key = WrittenKey(random);
    EXPECT_TRUE((Draw(random, 3) == 0
                     ? batch.Delete(family, key)
                     : batch.Put(family, key, SomeValue(random)))
                    .ok());
  }
  std::string answer;
  for (int n = 0; n < 10; ++n) {
    PinnableSlice value;
    const Status status = batch.GetFromBatchAndDB(
        db_.get(), ReadOptions(), family, AnyKey(random), &value);
    answer += Text(status, value) + " ";
  }
  if (Draw(random, 3) == 0) return answer;
  return answer + Text(db_->Write(WriteOptions(), batch.GetWriteBatch()));
}

std::string HistoryDatabase::Transaction(Random& random) {
  if (transactions_ == nullptr) return "";
  const std::unique_ptr<rocksdb::Transaction> transaction(
      transactions_->BeginTransaction(WriteOptions()));
  ColumnFamilyHandle* const family = Family(random);
  std::string answer;
  for (int n = 2 + Draw(random, 10); n > 0; --n) {
    const std::string key = AnyKey(random);
    PinnableSlice value;
    switch (Draw(random, 4)) {
      case 0:
        answer += Text(
            transaction->Put(family, WrittenKey(random), SomeValue(random)));
        break;
      case 1:
        answer += Text(transaction->Delete(family, WrittenKey(random)));
        break;
      case 2: {
        std::string locked;
        const Status status =
            transaction->GetForUpdate(ReadOptions(), family, key, &locked);
        answer += Text(status, locked);
        break;
      }
      default: {
        const Status status =
            transaction->Get(ReadOptions(), family, key, &value);
        answer += Text(status, value);
      }
    }
    answer += " ";
  }
  return answer + Text(Draw(random, 3) == 0 ? transaction->Rollback()
                                            : transaction->Commit());
}

std::string HistoryDatabase::Get(Random& random) {
  std::string answer;
  for (int n = 0; n < 10; ++n) {
    ReadOptions options;
    if (!snapshots_.empty() && Draw(random, 4) == 0) {
      options.snapshot = snapshots_[static_cast<size_t>(
          Draw(random, static_cast<int>(snapshots_.size())))];
    }
    ColumnFamilyHandle* const family = Family(random);
    const std::string key = AnyKey(random);
    PinnableSlice value;
    const Status status = db_->Get(options, family, key, &value);
    answer += Text(status, value) + " ";
    if (key.back() != 'w') continue;
    rocksdb::PinnableWideColumns columns;
    const Status got = db_->GetEntity(options, family, key, &columns);
    answer += Text(got) + std::to_string(columns.columns().size()) + " ";
  }
  return answer;
}

std::string HistoryDatabase::MultiGet(Random& random) {
  const size_t n = 1 + static_cast<size_t>(Draw(random, 40));
  std::vector<std::string> keys;
  std::vector<ColumnFamilyHandle*> families;
  ColumnFamilyHandle* const one = Family(random);
  const bool several = Draw(random, 3) == 0;
  for (size_t i = 0; i < n; ++i) {
    keys.push_back(AnyKey(random));
    families.push_back(several ? Family(random) : one);
  }
  const std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<PinnableSlice> values(n);
  std::vector<Status> statuses(n);
  ReadOptions options;
  options.async_io = Draw(random, 4) == 0;
  db_->MultiGet(options, n, families.data(), slices.data(), values.data(),
                statuses.data());
  std::string answer;
  for (size_t i = 0; i < n; ++i) answer += Text(statuses[i], values[i]) + " ";
  return answer;
}

// Total order, within bounds or not, some steps and back.
std::string HistoryDatabase::Scan(Random& random, bool backwards) {
  ReadOptions options;
  options.total_order_seek = true;
  options.async_io = Draw(random, 4) == 0;
  const std::string first = AnyKey(random), last = AnyKey(random);
  const Slice lower = std::min(first, last), upper = std::max(first, last);
  if (Draw(random, 2) == 0) options.iterate_lower_bound = &lower;
  if (Draw(random, 2) == 0) options.iterate_upper_bound = &upper;
  if (!snapshots_.empty() && Draw(random, 3) == 0) {
    options.snapshot = snapshots_.back();
  }
  const std::unique_ptr<rocksdb::Iterator> it(
      db_->NewIterator(options, Family(random)));
  const std::string target = AnyKey(random);
  backwards ? it->SeekForPrev(target) : it->Seek(target);
  std::string answer;
  const auto step = [&](bool back) {
    answer += it->key().ToString() + "=" + it->value().ToString() + " ";
    back ? it->Prev() : it->Next();
  };
  for (int n = Draw(random, 30); n > 0 && it->Valid(); --n) step(backwards);
  for (int n = Draw(random, 5); n > 0 && it->Valid(); --n) step(!backwards);
  return answer + Text(it->status());
}

// The keys of one prefix, which is all that such seeks promise.
std::string HistoryDatabase::SeekPrefix(Random& random) {
  std::string answer;
  for (int n = 0; n < 5; ++n) {
    ReadOptions options;
    std::string end;
    Slice upper;
    const std::string key = AnyKey(random);
    const std::string prefix = key.substr(0, kPrefix);
    switch (Draw(random, 3)) {
      case 0:
        options.prefix_same_as_start = true;
        break;
      case 1:
        options.auto_prefix_mode = true;
        end = prefix + "\xff";
        upper = end;
        options.iterate_upper_bound = &upper;
        break;
      default:
        break;
    }
    const std::unique_ptr<rocksdb::Iterator> it(
        db_->NewIterator(options, Family(random)));
    for (it->Seek(key); it->Valid() && it->key().starts_with(prefix);
         it->Next()) {
      answer += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    answer += Text(it->status()) + " ";
  }
  return answer;
}

std::string HistoryDatabase::Snapshot() {
  if (snapshots_.size() < 4) snapshots_.push_back(db_->GetSnapshot());
  return "";
}

std::string HistoryDatabase::ReleaseSnapshot(Random& random) {
  if (snapshots_.empty()) return "";
  const auto released =
      snapshots_.begin() + Draw(random, static_cast<int>(snapshots_.size()));
  db_->ReleaseSnapshot(*released);
  snapshots_.erase(released);
  return "";
}

std::string HistoryDatabase::CreateFamily(Random&) {
  if (handles_.size() >= 4) return "";
  const std::string name = "family " + std::to_string(++families_);
  ColumnFamilyHandle* handle = nullptr;
  const Status status = db_->CreateColumnFamily(FamilyOptions(), name, &handle);
  if (handle != nullptr) handles_[name] = handle;
  return Text(status);
}

std::string HistoryDatabase::DropFamily(Random& random) {
  if (handles_.size() == 1) return "";
  // "default" is the first.
  const auto dropped =
      std::next(handles_.begin(),
                1 + Draw(random, static_cast<int>(handles_.size()) - 1));
  const Status status = db_->DropColumnFamily(dropped->second);
  EXPECT_TRUE(db_->DestroyColumnFamilyHandle(dropped->second).ok());
  handles_.erase(dropped);
  return Text(status);
}

std::string HistoryDatabase::Ingest(Random& random) {
  const std::string file = directory_.File("ingested.sst");
  ColumnFamilyHandle* const family = Family(random);
  rocksdb::SstFileWriter writer(
      rocksdb::EnvOptions(),
      rocksdb::Options(rocksdb::DBOptions(), FamilyOptions()));
  std::map<std::string, std::string> entries;
  for (int n = 1 + Draw(random, 40); n > 0; --n) {
    const std::string key = WrittenKey(random);
    entries[key] = SomeValue(random);
  }
  EXPECT_TRUE(writer.Open(file).ok());
  for (const auto& [key, value] : entries) {
    EXPECT_TRUE(writer.Put(key, value).ok());
  }
  EXPECT_TRUE(writer.Finish().ok());
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  return Text(db_->IngestExternalFile(family, {file}, options));
}

// Of our policy; others refuse it. The answers to lookups stay.
std::string HistoryDatabase::SetOptions(Random& random) {
  static const std::pair<const char*, const char*> kChanges[] = {
      {"bits_per_key", "4"},        {"bits_per_key", "14"},
      {"fp_rate", "0.05"},          {"kind", "bloom"},
      {"kind", "ribbon"},           {"bits_by_level", "false"},
      {"level_bits_per_key", "0:9"}};
  const auto& [name, value] = kChanges[random() % std::size(kChanges)];
  db_->SetOptions(Family(random),
                  {{std::string("table_factory.filter_policy.") + name, value}})
      .PermitUncheckedError();
  return "";
}

std::string HistoryDatabase::Contents(DB* db, const Handles& handles) {
  std::string all;
  for (const auto& [name, handle] : handles) {
    ReadOptions options;
    options.total_order_seek = true;
    const std::unique_ptr<rocksdb::Iterator> it(
        db->NewIterator(options, handle));
    all += name + ": ";
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      PinnableSlice value;
      const Status status = db->Get(ReadOptions(), handle, it->key(), &value);
      all += it->key().ToString() + "=" + it->value().ToString() +
             (status.ok() && value == it->value() ? " " : " but not by Get ");
    }
    all += Text(it->status()) + " ";
  }
  return all;
}

std::string HistoryDatabase::Contents(const std::string& path) {
  std::vector<ColumnFamilyHandle*> opened;
  std::unique_ptr<DB> db;
  const Status status = DB::OpenForReadOnly(options_, path, Descriptors(),
                                            &opened, OpenInto(&db));
  if (!status.ok()) return Text(status);
  Handles handles;
  for (ColumnFamilyHandle* handle : opened) handles[handle->GetName()] = handle;
  const std::string contents = Contents(db.get(), handles);
  for (ColumnFamilyHandle* handle : opened) {
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
  return contents;
}

std::string HistoryDatabase::ReadOnly() {
  Close();
  const std::string contents = Contents(path_);
  Open();
  return contents;
}

std::string HistoryDatabase::Secondary() {
  // It sees what has been written to the log.
  EXPECT_TRUE(db_->FlushWAL(/*sync=*/false).ok());
  std::vector<ColumnFamilyHandle*> opened;
  std::unique_ptr<DB> db;
  rocksdb::Options options = options_;
  options.max_open_files = -1;
  Status status =
      DB::OpenAsSecondary(options, path_, directory_.File("secondary"),
                          Descriptors(), &opened, OpenInto(&db));
  if (!status.ok()) return Text(status);
  status = db->TryCatchUpWithPrimary();
  Handles handles;
  for (ColumnFamilyHandle* handle : opened) handles[handle->GetName()] = handle;
  const std::string contents = Contents(db.get(), handles);
  for (ColumnFamilyHandle* handle : opened) {
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
  return Text(status) + " " + contents;
}

std::string HistoryDatabase::Checkpoint() {
  rocksdb::Checkpoint* made = nullptr;
  Status status = rocksdb::Checkpoint::Create(db_.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  const std::string copy =
      directory_.File("checkpoint" + std::to_string(++copies_));
  if (status.ok()) status = checkpoint->CreateCheckpoint(copy);
  return Text(status) + " " + Contents(copy);
}

std::string HistoryDatabase::Backup() {
  rocksdb::BackupEngine* opened = nullptr;
  Status status = rocksdb::BackupEngine::Open(
      rocksdb::Env::Default(),
      rocksdb::BackupEngineOptions(directory_.File("backup")), &opened);
  const std::unique_ptr<rocksdb::BackupEngine> engine(opened);
  if (status.ok()) {
    status = engine->CreateNewBackup(db_.get(), /*flush_before_backup=*/true);
  }
  const std::string copy =
      directory_.File("restored" + std::to_string(++copies_));
  if (status.ok()) status = engine->RestoreDBFromLatestBackup(copy, copy);
  return Text(status) + " " + Contents(copy);
}

std::string HistoryDatabase::Answer(const Operation& operation) {
  Random random(operation.seed);
  switch (operation.action) {
    case Action::kPut:
      return Put(random);
    case Action::kDelete:
      return Delete(random);
    case Action::kMerge:
      return Merge(random);
    case Action::kDeleteRange:
      return DeleteRange(random);
    case Action::kPutEntity:
      return PutEntity(random);
    case Action::kIndexedBatch:
      return IndexedBatch(random);
    case Action::kTransaction:
      return Transaction(random);
    case Action::kGet:
      return Get(random);
    case Action::kMultiGet:
      return MultiGet(random);
    case Action::kScan:
      return Scan(random, /*backwards=*/false);
    case Action::kScanBackwards:
      return Scan(random, /*backwards=*/true);
    case Action::kSeekPrefix:
      return SeekPrefix(random);
    case Action::kSnapshot:
      return Snapshot();
    case Action::kReleaseSnapshot:
      return ReleaseSnapshot(random);
    case Action::kCreateFamily:
      return CreateFamily(random);
    case Action::kDropFamily:
      return DropFamily(random);
    case Action::kIngest:
      return Ingest(random);
    case Action::kFlush:
      return Text(db_->Flush(rocksdb::FlushOptions(), Family(random)));
    case Action::kCompact:
      return Text(db_->CompactRange(rocksdb::CompactRangeOptions(),
                                    Family(random), nullptr, nullptr));
    case Action::kSetOptions:
      return SetOptions(random);
    case Action::kReopen:
      Close();
      Open();
      return "";
    case Action::kReadOnly:
      return ReadOnly();
    case Action::kSecondary:
      return Secondary();
    case Action::kCheckpoint:
      return Checkpoint();
    case Action::kBackup:
      return Backup();
  }
  return "";
}

Answers Run(const History& history, const HistoryWorld& world,
            const HistorySetup& setup) {
  HistoryDatabase database(world, setup);
  Answers answers;
  for (const Operation& operation : history) {
    answers.of_operations.push_back(database.Answer(operation));
  }
  answers.useful = database.useful();
  return answers;
}

}  // namespace oneline
