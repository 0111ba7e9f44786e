// What a history writes.

#include <gtest/gtest.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/utilities/write_batch_with_index.h>
#include <rocksdb/wide_columns.h>

#include <iterator>
#include <map>
#include <utility>

#include "oneline/refilter.h"
#include "tests/filter_policy/history_database.h"
#include "tests/filter_policy/history_draws.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Status;
using rocksdb::WriteOptions;

}  // namespace

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
  const std::unique_ptr<rocksdb::Iterator> it(batch.NewIteratorWithBase(
      family, db_->NewIterator(ReadOptions(), family)));
  const std::string key = AnyKey(random);
  it->Seek(key);
  answer += KeysOfPrefix(it.get(), key.substr(0, kHistoryPrefix));
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
    switch (Draw(random, 5)) {
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
      case 3: {
        const std::unique_ptr<rocksdb::Iterator> it(
            transaction->GetIterator(ReadOptions(), family));
        it->Seek(key);
        answer += KeysOfPrefix(it.get(), key.substr(0, kHistoryPrefix));
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
      {"level_bits_per_key", "0:9"}, {"hits", "0.9"},
      {"hits", "0.999"}};
  const auto& [name, value] = kChanges[random() % std::size(kChanges)];
  db_->SetOptions(Family(random),
                  {{std::string("table_factory.filter_policy.") + name, value}})
      .PermitUncheckedError();
  return "";
}

// Before half of the calls another option of our policy is set. What the
// database says afterwards must not depend on the call.
std::string HistoryDatabase::Refilter(Random& random) {
  if (Draw(random, 2) == 0) SetOptions(random);
  RefilterOptions options;
  for (const auto& [name, handle] : handles_) {
    options.column_families.push_back(handle);
  }
  options.threads = 1 + Draw(random, 3);
  options.bytes_per_second = 0;
  RefilterReport report;
  const Status status = oneline::Refilter(db_.get(), options, &report);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(report.left.empty());
  refiltered_ += report.tables_rewritten;
  const Status again = oneline::Refilter(db_.get(), options, &report);
  EXPECT_TRUE(again.ok()) << again.ToString();
  EXPECT_EQ(report.tables_found, 0u);
  return "";
}

}  // namespace oneline
