#include "tests/filter_policy/differential.h"

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/merge_operator.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace oneline {
namespace {

using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;
using rocksdb::WriteOptions;

constexpr int kGroups = 1000;

// Keys of a group have the same prefix. Groups with odd numbers are never
// written. Short keys are shorter than a prefix and have none.
std::string KeyOf(int group, char member) { return KeyAt(group) + member; }
std::string ShortKeyOf(int group) { return std::to_string(group); }

}  // namespace

rocksdb::Options Differential::DatabaseOptions(const Opening& opening,
                                               const PolicyPtr& policy) {
  rocksdb::Options options = OptionsFor(opening.layout, policy);
  if (opening.allocator != nullptr) {
    options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
        ->block_cache =
        rocksdb::NewLRUCache(1 << 20, -1, false, 0.5, opening.allocator);
  }
  options.disable_auto_compactions = false;
  options.level0_file_num_compaction_trigger = 4;
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 64 << 10;
  options.max_bytes_for_level_base = 128 << 10;
  const Status status = rocksdb::MergeOperator::CreateFromString(
      rocksdb::ConfigOptions(), "stringappend", &options.merge_operator);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return options;
}

Differential::Differential(const Opening& opening,
                           const std::mt19937_64& random)
    : opening_(opening),
      random_(random),
      filtered_(DatabaseOptions(opening, opening.policy)),
      plain_(DatabaseOptions(opening, nullptr)) {}

void Differential::Both(const std::function<Status(rocksdb::DB*)>& function) {
  for (ScratchDatabase* database : {&filtered_, &plain_}) {
    const Status status = function(database->get());
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}

std::string Differential::WrittenKey() {
  const int group = 2 * Draw(kGroups);
  if (Draw(50) == 0) return ShortKeyOf(group);
  return KeyOf(group, static_cast<char>('a' + Draw(3)));
}

std::string Differential::AnyKey() {
  switch (Draw(8)) {
    case 0:
      return KeyOf(2 * Draw(kGroups) + 1, 'a');  // absent, its prefix too
    case 1:
      return KeyOf(2 * Draw(kGroups), 'x');  // absent, but not its prefix
    case 2:
      return KeyOf(2 * Draw(kGroups), 's');
    case 3:
      return ShortKeyOf(2 * Draw(kGroups) + 1);
    default:
      return WrittenKey();
  }
}

void Differential::Put() {
  for (int n = 1 + Draw(20); n > 0; --n) {
    const std::string key = WrittenKey();
    const std::string value(Draw(40), static_cast<char>('A' + Draw(26)));
    Both([&](rocksdb::DB* db) { return db->Put(WriteOptions(), key, value); });
    model_[key] = value;
  }
}

void Differential::Delete() {
  for (int n = 1 + Draw(10); n > 0; --n) {
    const std::string key = WrittenKey();
    Both([&](rocksdb::DB* db) { return db->Delete(WriteOptions(), key); });
    model_.erase(key);
  }
}

void Differential::Merge() {
  const std::string key = WrittenKey();
  const std::string value(1 + Draw(5), 'm');
  Both([&](rocksdb::DB* db) { return db->Merge(WriteOptions(), key, value); });
  const auto entry = model_.find(key);
  if (entry == model_.end()) {
    model_[key] = value;
  } else {
    entry->second += "," + value;
  }
}

// SingleDelete is only for keys that were put exactly once.
void Differential::PutOrDeleteOnce() {
  const std::string key = KeyOf(2 * Draw(kGroups), 's');
  if (model_.erase(key) == 1) {
    Both(
        [&](rocksdb::DB* db) { return db->SingleDelete(WriteOptions(), key); });
  } else {
    Both([&](rocksdb::DB* db) { return db->Put(WriteOptions(), key, "once"); });
    model_[key] = "once";
  }
}

void Differential::Flush() {
  Both([](rocksdb::DB* db) { return db->Flush(rocksdb::FlushOptions()); });
}

void Differential::Compact() {
  const std::string a = AnyKey(), b = AnyKey();
  const Slice first = std::min(a, b), last = std::max(a, b);
  Both([&](rocksdb::DB* db) {
    return db->CompactRange(rocksdb::CompactRangeOptions(), &first, &last);
  });
}

void Differential::Reopen(const Opening& opening) {
  opening_ = opening;
  filtered_.Reopen(DatabaseOptions(opening, opening.policy));
  plain_.Reopen(DatabaseOptions(opening, nullptr));
}

uint64_t Differential::Useful() const {
  return filtered_.Ticker(rocksdb::BLOOM_FILTER_USEFUL) +
         filtered_.PrefixUseful();
}

void Differential::Expect(const Status& status, const Slice& value,
                          const std::string& key) {
  const auto entry = model_.find(key);
  if (entry == model_.end()) {
    ASSERT_TRUE(status.IsNotFound()) << key << ": " << status.ToString();
  } else {
    ASSERT_TRUE(status.ok()) << key << ": " << status.ToString();
    ASSERT_EQ(value.ToString(), entry->second) << key;
  }
}

void Differential::Get() {
  const std::string key = AnyKey();
  for (const ScratchDatabase* database : {&filtered_, &plain_}) {
    PinnableSlice value;
    const Status status = (*database)->Get(
        ReadOptions(), (*database)->DefaultColumnFamily(), key, &value);
    Expect(status, value, key);
  }
}

void Differential::MultiGet(int n) {
  std::vector<std::string> keys;
  for (int i = 0; i < n; ++i) keys.push_back(AnyKey());
  const std::vector<Slice> slices(keys.begin(), keys.end());
  for (const ScratchDatabase* database : {&filtered_, &plain_}) {
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    (*database)->MultiGet(ReadOptions(), (*database)->DefaultColumnFamily(),
                          keys.size(), slices.data(), values.data(),
                          statuses.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      Expect(statuses[i], values[i], keys[i]);
    }
  }
}

void Differential::ExpectEntries(const ReadOptions& options,
                                 const std::string& key, const std::string& end,
                                 size_t limit) {
  for (const ScratchDatabase* database : {&filtered_, &plain_}) {
    const std::unique_ptr<rocksdb::Iterator> it(
        (*database)->NewIterator(options));
    auto entry = model_.lower_bound(key);
    it->Seek(key);
    for (size_t i = 0; i < limit; ++i, ++entry, it->Next()) {
      if (entry == model_.end() || entry->first >= end) {
        // Beyond the end of a prefix RocksDB may show any key.
        ASSERT_FALSE(it->Valid() && it->key().compare(end) < 0)
            << it->key().ToString();
        break;
      }
      ASSERT_TRUE(it->Valid()) << entry->first;
      ASSERT_EQ(it->key().ToString(), entry->first);
      ASSERT_EQ(it->value().ToString(), entry->second);
    }
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
  }
}

void Differential::SeekPrefix() {
  if (!opening_.layout.prefixes) return;
  const std::string key = AnyKey();
  if (key.size() < kPrefixBytes) return;
  // Not with prefix_same_as_start: RocksDB then requires that all keys have
  // prefixes.
  ExpectEntries(ReadOptions(), key, key.substr(0, kPrefixBytes) + "\xff", 100);
}

void Differential::Scan() {
  ReadOptions options;
  options.total_order_seek = true;
  ExpectEntries(options, AnyKey(), "\xff", 50);
}

void Differential::Step() {
  const int what = Draw(100);
  if (what < 30) return Put();
  if (what < 36) return Delete();
  if (what < 38) return Merge();
  if (what < 42) return PutOrDeleteOnce();
  if (what < 43) return Flush();
  if (what < 44) return Draw(2) == 0 ? Compact() : Reopen();
  if (what < 60) return Get();
  if (what < 80) return MultiGet(1 + Draw(32));
  if (what < 97) return SeekPrefix();
  return Scan();
}

void Differential::Run(int steps) {
  for (int step = 0; step < steps; ++step) {
    Step();
    if (testing::Test::HasFatalFailure()) {
      FAIL() << "at step " << step << " of " << opening_.layout.name;
    }
  }
}

void Differential::ExpectFiltersUsed() {
  Flush();
  uint64_t before = Useful();
  for (int i = 0; i < 1000; ++i) Get();
  EXPECT_GT(Useful() - before, 50u) << "Get";
  before = Useful();
  for (int n = 1; n <= 32; ++n) MultiGet(n);
  EXPECT_GT(Useful() - before, 20u) << "MultiGet";
  before = Useful();
  for (int i = 0; i < 1000; ++i) SeekPrefix();
  if (opening_.layout.prefixes) {
    EXPECT_GT(Useful() - before, 50u) << "Seek";
  }
}

}  // namespace oneline
