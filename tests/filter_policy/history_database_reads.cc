// What a history reads.

#include "tests/filter_policy/history_database.h"
#include "tests/filter_policy/history_draws.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;

}  // namespace

std::string HistoryDatabase::Get(Random& random) {
  std::string answer, not_read;
  for (int n = 0; n < 10; ++n) {
    ReadOptions options = Reading();
    if (!snapshots_.empty() && Draw(random, 4) == 0) {
      options.snapshot = snapshots_[static_cast<size_t>(
          Draw(random, static_cast<int>(snapshots_.size())))];
    }
    ColumnFamilyHandle* const family = Family(random);
    const std::string key = AnyKey(random);
    PinnableSlice value;
    const Status status = db_->Get(options, family, key, &value);
    answer += Text(status, value) + " ";
    if (world_.timestamps) continue;
    // It may say yes or no to keys that are not there.
    if (status.ok() && !db_->KeyMayExist(options, family, key, &not_read)) {
      answer += "but may not exist ";
    }
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
  ReadOptions options = Reading();
  options.async_io = Draw(random, 4) == 0;
  db_->MultiGet(options, n, families.data(), slices.data(), values.data(),
                statuses.data());
  std::string answer;
  for (size_t i = 0; i < n; ++i) answer += Text(statuses[i], values[i]) + " ";
  return answer;
}

// Total order, within bounds or not, some steps and back.
std::string HistoryDatabase::Walk(Random& random, bool backwards) {
  ReadOptions options = Reading();
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
    ReadOptions options = Reading();
    const std::string key = AnyKey(random);
    const std::string prefix = key.substr(0, kHistoryPrefix);
    const int mode = Draw(random, 3);
    options.prefix_same_as_start = mode == 0;
    options.auto_prefix_mode = mode == 1;
    const std::string end = prefix + "\xff";
    const Slice upper = end;
    if (mode == 1) options.iterate_upper_bound = &upper;
    const std::unique_ptr<rocksdb::Iterator> it(
        db_->NewIterator(options, Family(random)));
    // Backwards there is no other bound than the prefix.
    const bool back = options.prefix_same_as_start && Draw(random, 2) == 0;
    back ? it->SeekForPrev(key) : it->Seek(key);
    answer += KeysOfPrefix(it.get(), prefix, back);
    answer += Text(it->status()) + " ";
  }
  return answer;
}

std::string HistoryDatabase::Snapshot(Random&) {
  if (snapshots_.size() >= 4) return "";
  // Before 9.10, RocksDB loses keys of ingested tables in compactions under a
  // snapshot that is older than the first write, without filters, too.
  if (db_->GetLatestSequenceNumber() == 0) return "";
  snapshots_.push_back(db_->GetSnapshot());
  return "taken";
}

std::string HistoryDatabase::ReleaseSnapshot(Random& random) {
  if (snapshots_.empty()) return "";
  const auto released =
      snapshots_.begin() + Draw(random, static_cast<int>(snapshots_.size()));
  db_->ReleaseSnapshot(*released);
  snapshots_.erase(released);
  return "released";
}

}  // namespace oneline
