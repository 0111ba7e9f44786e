#include "tools/sst/sst_reader.h"

#include <rocksdb/comparator.h>
#include <rocksdb/iterator.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/options.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/refilter/rocksdb_call.h"
#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {

// Stands in for the table's own comparator, which this program may not have. To
// read a table from one end to the other its order need not be known.
//
// While the table is opened, all keys compare equal, so that RocksDB, which
// then looks at range deletions, finds them empty. While it is read, each key
// compares greater than the one before, so that RocksDB's iterator does not
// skip the older versions of a key.
class FileOrderComparator final : public rocksdb::Comparator {
 public:
  void BeginReading() { compare_ = 1; }

  const char* Name() const override { return "oneline.FileOrder"; }
  int Compare(const rocksdb::Slice&, const rocksdb::Slice&) const override {
    return compare_;
  }
  // Never equal, so that a merge ends with its first operand: each of the
  // others is an entry of its own.
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

// RocksDB's iterator needs a merge operator; the result is not used.
class NoMerge final : public rocksdb::MergeOperator {
 public:
  const char* Name() const override { return "oneline.NoMerge"; }
  bool FullMergeV2(const MergeOperationInput&,
                   MergeOperationOutput*) const override {
    return true;
  }
};

// RocksDB keeps the system's error only as a text, at the end of its own. EIO
// is lost data, and EINVAL what an offset in damaged data causes.
bool IsOfTheSystem(const rocksdb::Status& status) {
  if (status.IsMemoryLimit()) return true;
  if (!status.IsIOError()) return false;
  const std::string text = status.ToString();
  for (const int error : {EACCES, EPERM, EMFILE, ENFILE, ENOMEM}) {
    if (absl::EndsWith(text, std::generic_category().message(error))) {
      return true;
    }
  }
  return false;
}

// An iterator over every entry.
#if ONELINE_HAS_MEMORY_TIMESTAMPS
std::unique_ptr<rocksdb::Iterator> NewEntryIterator(
    rocksdb::SstFileReader* reader, FileOrderComparator*) {
  return reader->NewTableIterator();
}
// Without the eight bytes of sequence number and type.
std::optional<std::string_view> UserKey(rocksdb::Iterator* it, std::string*) {
  constexpr size_t kSequenceAndType = 8;
  const rocksdb::Slice key = it->key();
  if (key.size() < kSequenceAndType) return std::nullopt;
  return std::string_view(key.data(), key.size() - kSequenceAndType);
}
#else
// That of RocksDB before 9.6 normally returns the newest version of each key
// that is not deleted. With a start timestamp it also returns deletions; with a
// comparator to which all keys differ (FileOrderComparator), all versions.
// RocksDB does not promise this: tests/tools/sst/sst_reader_test.cc checks it,
// and ForEachEntry counts the entries.
std::unique_ptr<rocksdb::Iterator> NewEntryIterator(
    rocksdb::SstFileReader* reader, FileOrderComparator* comparator) {
  static const rocksdb::Slice no_timestamp;
  comparator->BeginReading();
  rocksdb::ReadOptions options;
  options.iter_start_ts = &no_timestamp;
  options.total_order_seek = true;
  options.fill_cache = false;
  options.readahead_size = 1 << 20;
  return std::unique_ptr<rocksdb::Iterator>(reader->NewIterator(options));
}
// Not it->key(), which is undefined after a merge in this mode.
std::optional<std::string_view> UserKey(rocksdb::Iterator* it,
                                        std::string* key) {
  const rocksdb::Status status =
      it->GetProperty("rocksdb.iterator.internal-key", key);
  if (!status.ok()) return std::nullopt;
  return *key;
}
#endif

}  // namespace

absl::Status ReadStatus(const rocksdb::Status& status) {
  return IsOfTheSystem(status) ? absl::UnavailableError(status.ToString())
                               : absl::DataLossError(status.ToString());
}

absl::Status WithPath(const std::string& path, const absl::Status& status) {
  return {status.code(), absl::StrCat(path, ": ", status.message())};
}

SstReader::SstReader(const std::string& path)
    : path_(path), comparator_(std::make_unique<FileOrderComparator>()) {}

SstReader::~SstReader() = default;

rocksdb::Status SstReader::OpenTable(
    const std::shared_ptr<const rocksdb::FilterPolicy>& policy) {
  rocksdb::Options options;
  options.comparator = comparator_.get();
  options.merge_operator = std::make_shared<NoMerge>();
  reader_ = std::make_unique<rocksdb::SstFileReader>(
      OptionsToReadTable(options, policy));
  const rocksdb::Status status =
      CallRocksDB([&] { return reader_->Open(path_); });
  if (status.ok()) properties_ = reader_->GetTableProperties();
  return status;
}

absl::StatusOr<std::unique_ptr<SstReader>> SstReader::Open(
    const std::string& path) {
  const absl::Status format = CheckSstFormat(path);
  if (!format.ok()) return format;
  std::unique_ptr<SstReader> table(new SstReader(path));
  const rocksdb::Status with_filter = table->OpenTable(NewRecordingPolicy(
      [&blocks = table->filter_blocks_](std::string_view block) {
        blocks.emplace_back(block);
      }));
  if (with_filter.ok()) {
    table->filter_status_ = table->properties_ == nullptr
                                ? absl::OkStatus()
                                : table->FindFilterStatus();
  } else {
    // Perhaps a damaged partition: without a filter policy RocksDB does not
    // read them.
    const rocksdb::Status without = table->OpenTable(nullptr);
    if (without.IsPathNotFound()) {
      return absl::NotFoundError("there is no such file");
    }
    if (!without.ok()) return ReadStatus(without);
    table->filter_status_ = ReadStatus(with_filter);
  }
  if (!table->filter_status_.ok()) {
    table->filter_blocks_.clear();
    table->decoded_blocks_ = FilterBlocks();
  }
  if (table->properties_ == nullptr) {
    return absl::UnimplementedError("has no properties: it is a LevelDB table");
  }
  return table;
}

// RocksDB silently ignores a filter if its block, or the index of its
// partitions, is damaged. So the sizes of the blocks that it did read are
// compared with the filter's size in the properties.
absl::Status SstReader::FindFilterStatus() {
  for (const std::string& block : filter_blocks_) decoded_blocks_.Add(block);
  if (properties_->filter_size == 0) return absl::OkStatus();
  partitioned_ = decoded_blocks_.ArePartitions(*properties_);
  if (decoded_blocks_.AreComplete(*properties_)) return absl::OkStatus();
  const absl::Status checksums = VerifyChecksums();
  if (!checksums.ok()) return checksums;
  if (!filter_blocks_.empty()) {
    return absl::DataLossError(absl::StrCat(
        "the filter has ", decoded_blocks_.bytes(), " bytes in ",
        filter_blocks_.size(), " blocks, but the table's properties say ",
        properties_->filter_size));
  }
  return absl::UnimplementedError(absl::StrCat(
      "the filter was written by the policy '", properties_->filter_policy_name,
      "', which neither RocksDB nor this library has"));
}

absl::Status SstReader::VerifyChecksums() {
  const rocksdb::Status status = CallRocksDB(
      [&] { return reader_->VerifyChecksum(rocksdb::ReadOptions()); });
  return status.ok() ? absl::OkStatus() : ReadStatus(status);
}

// That of the smallest timestamp, which RocksDB writes into the properties.
size_t SstReader::timestamp_bytes() const {
#if ONELINE_HAS_MEMORY_TIMESTAMPS
  if (properties_->user_defined_timestamps_persisted == 0) return 0;
#endif
  const auto& collected = properties_->user_collected_properties;
  const auto smallest = collected.find("rocksdb.timestamp_min");
  return smallest == collected.end() ? 0 : smallest->second.size();
}

absl::Status SstReader::ForEachEntry(const Visitor& visit) {
  absl::Status status;
  const rocksdb::Status thrown = CallRocksDB([&] {
    status = ReadEntries(visit);
    return rocksdb::Status::OK();
  });
  return thrown.ok() ? status : ReadStatus(thrown);
}

absl::Status SstReader::ReadEntries(const Visitor& visit) {
  const size_t timestamp = timestamp_bytes();
  uint64_t entries = 0;
  const std::unique_ptr<rocksdb::Iterator> it =
      NewEntryIterator(reader_.get(), comparator_.get());
  std::string buffer;
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++entries) {
    const std::optional<std::string_view> key = UserKey(it.get(), &buffer);
    if (!key.has_value() || key->size() < timestamp) {
      return absl::DataLossError(
          absl::StrCat("entry ", entries + 1, " has no key"));
    }
    if (!visit(key->substr(0, key->size() - timestamp))) {
      return absl::OkStatus();
    }
  }
  if (!it->status().ok()) return ReadStatus(it->status());
  if (entries != num_entries()) {
    return absl::DataLossError(absl::StrCat(
        "there are ", entries, " entries, but the table's properties say ",
        num_entries()));
  }
  return absl::OkStatus();
}

}  // namespace oneline
