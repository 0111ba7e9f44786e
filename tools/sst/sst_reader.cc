#include "tools/sst/sst_reader.h"

#include <rocksdb/cache.h>
#include <rocksdb/comparator.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/iterator.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <optional>

#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tools/sst/sst_format.h"

namespace oneline {

// Stands in for any comparator: the order of a table's keys is that of its
// file, and need not be known to read it from one end to the other.
//
// While a table is opened, all keys are taken for equal: RocksDB then looks at
// range deletions, and finds them empty. While it is read, each key is taken
// for later than those before: RocksDB's iterator would otherwise pass over
// older versions of a key.
class FileOrderComparator final : public rocksdb::Comparator {
 public:
  void BeginReading() { compare_ = 1; }

  const char* Name() const override { return "oneline.FileOrder"; }
  int Compare(const rocksdb::Slice&, const rocksdb::Slice&) const override {
    return compare_;
  }
  // What is merged ends with the operand at hand: those before it have entries
  // of their own.
  bool Equal(const rocksdb::Slice&, const rocksdb::Slice&) const override {
    return false;
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  int compare_ = 0;
};

namespace {

// RocksDB's iterator wants one, and has no use for the result.
class NoMerge final : public rocksdb::MergeOperator {
 public:
  const char* Name() const override { return "oneline.NoMerge"; }
  bool FullMergeV2(const MergeOperationInput&,
                   MergeOperationOutput*) const override {
    return true;
  }
};

// Finds the filters that our policy finds, and keeps the bytes.
class RecordingPolicy final : public rocksdb::FilterPolicy {
 public:
  explicit RecordingPolicy(std::vector<std::string>* blocks)
      : ours_(NewRocksDBFilterPolicy(FilterOptions())), blocks_(blocks) {}

  const char* Name() const override { return "oneline.Recording"; }
  const char* CompatibilityName() const override {
    return ours_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext&) const override {
    return nullptr;
  }
  // No reader: RocksDB then takes every key for possible.
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    blocks_->emplace_back(block.data(), block.size());
    return nullptr;
  }

 private:
  const std::shared_ptr<const rocksdb::FilterPolicy> ours_;
  std::vector<std::string>* const blocks_;
};

absl::Status Damaged(const rocksdb::Status& status) {
  return absl::DataLossError(status.ToString());
}

// Bytes that each key has at its end for its timestamp. RocksDB collects the
// least and the largest of a table's timestamps.
size_t TimestampBytes(const rocksdb::TableProperties& properties) {
#if ONELINE_ROCKSDB_VERSION >= 90600
  if (properties.user_defined_timestamps_persisted == 0) return 0;
#endif
  const auto& collected = properties.user_collected_properties;
  const auto least = collected.find("rocksdb.timestamp_min");
  return least == collected.end() ? 0 : least->second.size();
}

#if ONELINE_ROCKSDB_VERSION >= 90600
// RocksDB's own way to see every entry.
class EntryIterator {
 public:
  EntryIterator(rocksdb::SstFileReader* reader, FileOrderComparator*)
      : it_(reader->NewTableIterator()) {
    it_->SeekToFirst();
  }
  bool Valid() const { return it_->Valid(); }
  void Next() { it_->Next(); }
  rocksdb::Status status() const { return it_->status(); }
  // Without the eight bytes of sequence number and type.
  std::optional<std::string_view> UserKey() {
    constexpr size_t kSequenceAndType = 8;
    const rocksdb::Slice key = it_->key();
    if (key.size() < kSequenceAndType) return std::nullopt;
    return std::string_view(key.data(), key.size() - kSequenceAndType);
  }

 private:
  const std::unique_ptr<rocksdb::Iterator> it_;
};
#else
// Every entry, by an iterator that would give the newest version of each key
// that is not deleted. Asked for the history from a timestamp on, it gives
// deletions as well; with keys that all differ (FileOrderComparator), all
// versions. tests/tools/sst/sst_reader_test.cc holds it to that, and
// ForEachEntry counts.
class EntryIterator {
 public:
  EntryIterator(rocksdb::SstFileReader* reader, FileOrderComparator* comparator)
      : it_((comparator->BeginReading(), reader->NewIterator(History()))) {
    it_->SeekToFirst();
  }
  bool Valid() const { return it_->Valid(); }
  void Next() { it_->Next(); }
  rocksdb::Status status() const { return it_->status(); }
  // Not it_->key(), which is undefined after a merge in this mode.
  std::optional<std::string_view> UserKey() {
    const rocksdb::Status status =
        it_->GetProperty("rocksdb.iterator.internal-key", &key_);
    if (!status.ok()) return std::nullopt;
    return key_;
  }

 private:
  rocksdb::ReadOptions History() {
    rocksdb::ReadOptions options;
    options.iter_start_ts = &no_timestamp_;
    options.total_order_seek = true;
    options.fill_cache = false;
    options.readahead_size = 1 << 20;
    return options;
  }

  const rocksdb::Slice no_timestamp_;
  const std::unique_ptr<rocksdb::Iterator> it_;
  std::string key_;
};
#endif

}  // namespace

SstReader::SstReader(const std::string& path)
    : path_(path), comparator_(std::make_unique<FileOrderComparator>()) {}

SstReader::~SstReader() = default;

rocksdb::Status SstReader::OpenTable(
    const std::shared_ptr<const rocksdb::FilterPolicy>& policy) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = policy;
  // RocksDB reads partitions when it opens a table only to put them into a
  // cache. It need not keep them.
  table.block_cache = rocksdb::NewLRUCache(1 << 20, /*num_shard_bits=*/0);
  rocksdb::Options options;
  options.comparator = comparator_.get();
  options.merge_operator = std::make_shared<NoMerge>();
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  reader_ = std::make_unique<rocksdb::SstFileReader>(options);
  const rocksdb::Status status = reader_->Open(path_);
  if (status.ok()) properties_ = reader_->GetTableProperties();
  return status;
}

absl::StatusOr<std::unique_ptr<SstReader>> SstReader::Open(
    const std::string& path) {
  const absl::Status format = CheckSstFormat(path);
  if (!format.ok()) return format;
  std::unique_ptr<SstReader> table(new SstReader(path));
  const rocksdb::Status with_filter = table->OpenTable(
      std::make_shared<RecordingPolicy>(&table->filter_blocks_));
  if (with_filter.ok()) {
    table->filter_status_ = table->properties_ == nullptr
                                ? absl::OkStatus()
                                : table->FindFilterStatus();
  } else {
    // A damaged partition: without a filter policy RocksDB does not look.
    const rocksdb::Status without = table->OpenTable(nullptr);
    if (without.IsPathNotFound()) {
      return absl::NotFoundError("there is no such file");
    }
    if (!without.ok()) return Damaged(without);
    table->filter_status_ = Damaged(with_filter);
  }
  if (!table->filter_status_.ok()) table->filter_blocks_.clear();
  if (table->properties_ == nullptr) {
    return absl::UnimplementedError(
        "has no properties: it is a table of LevelDB");
  }
  return table;
}

// RocksDB drops a filter without a word if its block, or the index of its
// partitions, is damaged.
absl::Status SstReader::FindFilterStatus() {
  if (properties_->filter_size == 0) return absl::OkStatus();
  uint64_t bytes = 0;
  for (const std::string& block : filter_blocks_) bytes += block.size();
  // What filter_size has more is the index of the partitions.
  partitioned_ =
      filter_blocks_.size() > 1 ||
      (bytes < properties_->filter_size && properties_->index_partitions > 0);
  if (!filter_blocks_.empty() &&
      (partitioned_ ? bytes < properties_->filter_size
                    : bytes == properties_->filter_size)) {
    return absl::OkStatus();
  }
  const rocksdb::Status checksums =
      reader_->VerifyChecksum(rocksdb::ReadOptions());
  if (!checksums.ok()) return Damaged(checksums);
  if (!filter_blocks_.empty()) {
    return absl::DataLossError(absl::StrCat(
        "the filter has ", bytes, " bytes in ", filter_blocks_.size(),
        " blocks, but the properties tell of ", properties_->filter_size));
  }
  return absl::UnimplementedError(absl::StrCat(
      "the filter is of the policy '", properties_->filter_policy_name,
      "', which neither RocksDB nor this library has"));
}

absl::Status SstReader::ForEachEntry(const Visitor& visit) {
  const size_t timestamp_bytes = TimestampBytes(*properties_);
  uint64_t entries = 0;
  EntryIterator it(reader_.get(), comparator_.get());
  for (; it.Valid(); it.Next(), ++entries) {
    const std::optional<std::string_view> key = it.UserKey();
    if (!key.has_value() || key->size() < timestamp_bytes) {
      return absl::DataLossError(
          absl::StrCat("entry ", entries + 1, " has no key"));
    }
    if (!visit(key->substr(0, key->size() - timestamp_bytes))) {
      return absl::OkStatus();
    }
  }
  if (!it.status().ok()) return Damaged(it.status());
  if (entries != num_entries()) {
    return absl::DataLossError(
        absl::StrCat("there are ", entries,
                     " entries, but the properties tell of ", num_entries()));
  }
  return absl::OkStatus();
}

}  // namespace oneline
