// What a history writes.

#include "filter_policy/options/option_table.h"
#include "oneline/refilter.h"
#include "tests/filter_policy/history_database.h"
#include "tests/filter_policy/history_draws.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::ReadOptions;
using rocksdb::Status;
using rocksdb::WriteOptions;

}  // namespace

std::string HistoryDatabase::Put(Random& random) {
  rocksdb::WriteBatch batch;
  for (int n = 1 + Draw(random, 20); n > 0; --n) {
    ColumnFamilyHandle* const family = Family(random);
    std::string key = WrittenKey(random);
    if (Draw(random, 8) == 0) {
      key = WrittenLongKey(random, "ss");
      // Again only after a SingleDelete.
      if (!single_.emplace(family->GetName(), key).second) continue;
    }
    const std::string value = SomeValue(random);
    EXPECT_TRUE((world_.timestamps
                     ? batch.Put(family, key, NextTimestamp(), value)
                     : batch.Put(family, key, value))
                    .ok());
  }
  return Text(db_->Write(WriteOptions(), &batch));
}

std::string HistoryDatabase::Delete(Random& random) {
  std::string answer;
  for (int n = 1 + Draw(random, 5); n > 0; --n) {
    ColumnFamilyHandle* const family = Family(random);
    const std::string key = AnyKey(random);
    if (MemberOf(key) == 's') continue;
    answer +=
        Text(world_.timestamps
                 ? db_->Delete(WriteOptions(), family, key, NextTimestamp())
                 : db_->Delete(WriteOptions(), family, key));
  }
  return answer;
}

// One of those that were put, if there is any. (DeleteRange may have deleted
// it, too.)
std::string HistoryDatabase::SingleDelete(Random& random) {
  if (single_.empty()) return "";
  const auto chosen = std::next(single_.begin(),
                                Draw(random, static_cast<int>(single_.size())));
  const auto [name, key] = *chosen;
  single_.erase(chosen);
  const auto handle = handles_.find(name);
  if (handle == handles_.end()) return "";  // was dropped
  return Text(world_.timestamps
                  ? db_->SingleDelete(WriteOptions(), handle->second, key,
                                      NextTimestamp())
                  : db_->SingleDelete(WriteOptions(), handle->second, key));
}

std::string HistoryDatabase::Merge(Random& random) {
  if (world_.timestamps) return "";
  ColumnFamilyHandle* const family = Family(random);
  const std::string key = WrittenLongKey(random, "mm");
  return Text(db_->Merge(WriteOptions(), family, key, SomeValue(random)));
}

std::string HistoryDatabase::DeleteRange(Random& random) {
  if (world_.transactions || world_.timestamps || world_.row_cache) return "";
  ColumnFamilyHandle* const family = Family(random);
  const int first = Draw(random, 2 * kGroups);
  return Text(db_->DeleteRange(WriteOptions(), family, KeyOf(first, 'a'),
                               KeyOf(first + 1 + Draw(random, 40), 'a')));
}

std::string HistoryDatabase::Transaction(Random& random) {
  if (transactions_ == nullptr) return "";
  const std::unique_ptr<rocksdb::Transaction> transaction(
      transactions_->BeginTransaction(WriteOptions()));
  ColumnFamilyHandle* const family = Family(random);
  std::string answer;
  for (int n = 2 + Draw(random, 10); n > 0; --n) {
    const std::string key = AnyKey(random);
    const int what = Draw(random, 5);
    if (what == 0) {
      answer +=
          Text(transaction->Put(family, WrittenKey(random), SomeValue(random)));
    } else if (what == 1) {
      answer += Text(transaction->Delete(family, WrittenKey(random)));
    } else if (what == 2) {
      const std::unique_ptr<rocksdb::Iterator> it(
          transaction->GetIterator(ReadOptions(), family));
      it->Seek(key);
      answer += KeysOfPrefix(it.get(), key.substr(0, kHistoryPrefix));
    } else {
      std::string value;
      const Status status =
          what == 3
              ? transaction->GetForUpdate(ReadOptions(), family, key, &value)
              : transaction->Get(ReadOptions(), family, key, &value);
      answer += Text(status, value);
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

std::string HistoryDatabase::IngestTable(
    ColumnFamilyHandle* family,
    const std::map<std::string, std::string>& entries) {
  const std::string file = directory_.File("ingested.sst");
  rocksdb::SstFileWriter writer(
      rocksdb::EnvOptions(),
      rocksdb::Options(rocksdb::DBOptions(), FamilyOptions()));
  EXPECT_TRUE(writer.Open(file).ok());
  for (const auto& [key, value] : entries) {
    EXPECT_TRUE(writer.Put(key, value).ok());
  }
  EXPECT_TRUE(writer.Finish().ok());
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  return Text(db_->IngestExternalFile(family, {file}, options));
}

// While universal compactions of RocksDB 7.8 run, its level 0 can become
// inconsistent by it, without filters, too.
std::string HistoryDatabase::Ingest(Random& random) {
  if (world_.timestamps || world_.universal) return "";
  ColumnFamilyHandle* const family = Family(random);
  std::map<std::string, std::string> entries;
  for (int n = 1 + Draw(random, 40); n > 0; --n) {
    const std::string key = WrittenKey(random);
    entries[key] = SomeValue(random);
  }
  return IngestTable(family, entries);
}

// Ingests a table of one key to some thousand.
std::string HistoryDatabase::Fill(Random& random) {
  if (world_.timestamps || world_.universal) return "";
  ColumnFamilyHandle* const family = Family(random);
  const int keys = 1 << Draw(random, 12);
  const int first = Draw(random, kFilledGroups - keys);
  const std::string value = SomeValue(random);
  std::map<std::string, std::string> entries;
  for (int i = first; i < first + keys; ++i) entries[KeyOf(2 * i, 'b')] = value;
  return IngestTable(family, entries);
}

std::string HistoryDatabase::Flush(Random& random) {
  return Text(db_->Flush(rocksdb::FlushOptions(), Family(random)));
}

std::string HistoryDatabase::Compact(Random& random) {
  return Text(db_->CompactRange(rocksdb::CompactRangeOptions(), Family(random),
                                nullptr, nullptr));
}

// Of our policy; others refuse it, or RocksDB drops their errors. The answers
// to lookups stay, and so this says nothing and counts by itself.
std::string HistoryDatabase::SetOptions(Random& random) {
  static const std::pair<const char*, const char*> kChanges[] = {
      {"bits_per_key", "4"},
      {"bits_per_key", "14"},
      {"fp_rate", "0.05"},
      {"kind", "bloom"},
      {"kind", "ribbon"},
      {"bits_by_level", "false"},
      {"level_bits_per_key", "0:9"},
      {"hits", "0.9"},
      {"hits", "0.999"}};
  auto [name, value] = kChanges[random() % std::size(kChanges)];
  // So that an option that is added meets Refilter with no change here.
  if (Draw(random, 2) == 0) {
    const OptionRow& option =
        kOptions.begin()[random() %
                         std::distance(kOptions.begin(), kOptions.end())];
    name = option.name;
    value = option.example;
  }
  const Status status = db_->SetOptions(
      Family(random),
      {{std::string("table_factory.filter_policy.") + name, value}});
  const bool is_ours = Policy().find("oneline") != std::string::npos;
  EXPECT_EQ(status.ok(), is_ours || kSetOptionsRemakesPolicy)
      << name << ": " << status.ToString();
  if (is_ours) ++done_["set options"];
  return "";
}

// Before half of the calls another option of our policy is set. What the
// database says afterwards must not depend on the call. The last of the calls
// finds nothing to do; compactions that began before the first may end in
// between, with filters of the old options.
std::string HistoryDatabase::Refilter(Random& random) {
  if (Draw(random, 2) == 0) SetOptions(random);
  RefilterOptions options;
  for (const auto& [name, handle] : handles_) {
    options.column_families.push_back(handle);
  }
  options.threads = 1 + Draw(random, 3);
  options.bytes_per_second = 0;
  RefilterReport report;
  for (int call = 0; call < 10; ++call) {
    const Status status = oneline::Refilter(db_.get(), options, &report);
    EXPECT_TRUE(status.ok()) << Policy() << ": " << status.ToString();
    if (call == 0 && report.tables_rewritten > 0) ++done_["refilter"];
    if (report.tables_found == 0) return "";
  }
  ADD_FAILURE() << "Refilter always finds tables: " << report.tables_found;
  return "";
}

}  // namespace oneline
