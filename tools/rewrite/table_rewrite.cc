#include "tools/rewrite/table_rewrite.h"

#include <rocksdb/table_properties.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tools/manifest/checksums.h"
#include "tools/manifest/coding.h"
#include "tools/rewrite/table_comparison.h"
#include "tools/rewrite/table_identity.h"
#include "tools/sst/filtered_keys.h"

namespace oneline {
namespace {

constexpr char kDatabaseId[] = "rocksdb.creating.db.identity";
constexpr char kSessionId[] = "rocksdb.creating.session.identity";
constexpr char kOriginalNumber[] = "rocksdb.original.file.number";
constexpr char kFilterBytes[] = "rocksdb.filter.size";
constexpr char kFilterEntries[] = "rocksdb.num.filter_entries";
constexpr char kFilterPolicy[] = "rocksdb.filter.policy";
constexpr char kPrefixExtractor[] = "rocksdb.prefix.extractor.name";
constexpr char kTailStart[] = "rocksdb.tail.start.offset";
constexpr char kKeyIsUserKey[] = "rocksdb.index.key.is.user.key";
constexpr char kValueIsDelta[] = "rocksdb.index.value.is.delta.encoded";
constexpr char kUnknownChecksum[] = "Unknown";
constexpr char kCrc32cChecksum[] = "FileChecksumCrc32c";
constexpr uint64_t kMaxKeyListBytes = 64 << 20;

std::string Text(const TableTail& tail, const char* name) {
  const auto property = tail.properties.find(name);
  return property == tail.properties.end() ? "" : property->second;
}

// Nothing if the property is missing or no number.
std::optional<uint64_t> Number(const TableTail& tail, const char* name) {
  const std::string value = Text(tail, name);
  ByteParser parser(value);
  uint64_t number = 0;
  if (!parser.TakeVarint(&number) || !parser.empty()) return std::nullopt;
  return number;
}

bool HasFileChecksum(const TableEntry& entry) {
  const auto function = entry.Field(kFileChecksumFunctionField);
  return function.has_value() && *function != kUnknownChecksum &&
         !function->empty();
}

// The MANIFEST's unique id must be that of the table's properties.
absl::Status CheckIdentity(const TableTail& tail, const TableEntry& entry) {
  const auto expected = entry.Field(kUniqueIdField);
  if (!expected.has_value()) return absl::OkStatus();
  const auto id = UniqueIdOf(Text(tail, kDatabaseId), Text(tail, kSessionId),
                             Number(tail, kOriginalNumber).value_or(0));
  if (id == expected) return absl::OkStatus();
  return absl::DataLossError(
      "has another unique id than the MANIFEST says: it is another table");
}

// A new table as far as it is written.
class TableOutput {
 public:
  // `offset`: the bytes that the file has.
  TableOutput(Disk::Output file, const TableFormat& format, uint64_t offset)
      : file_(std::move(file)), format_(format), offset_(offset) {}

  uint64_t offset() const { return offset_; }

  absl::Status Append(std::string_view bytes) {
    offset_ += bytes.size();
    return file_.Append(bytes);
  }
  // The result is where the block is.
  absl::StatusOr<BlockHandle> AppendBlock(std::string_view block,
                                          char type = '\0') {
    const BlockHandle handle = {offset_, block.size()};
    const std::string trailer = format_.Trailer(block, type, offset_);
    absl::Status status = Append(block);
    if (status.ok()) status = Append(trailer);
    if (!status.ok()) return status;
    return handle;
  }
  absl::Status SyncAndClose() { return file_.SyncAndClose(); }

 private:
  Disk::Output file_;
  const TableFormat format_;
  uint64_t offset_;
};

class Rewriting {
 public:
  Rewriting(const Disk& disk, const TableRewrite& table,
            const FilterRequest& filters)
      : disk_(disk), table_(table), filters_(filters) {}

  absl::StatusOr<RewrittenTable> Run(const Checkpoint& checkpoint);

 private:
  absl::Status Build(const Checkpoint& checkpoint);
  absl::Status Write(const std::function<absl::Status()>& may_go_on);
  absl::Status AppendTail(TableOutput* out);
  absl::Status AppendFilter(TableOutput* out);
  absl::Status AppendMoved(TableOutput* out);
  absl::Status AppendProperties(TableOutput* out);
  std::string PartitionIndex(const std::vector<BlockHandle>& partitions) const;
  absl::StatusOr<TableEntry> ReadBack(
      const std::function<absl::Status()>& may_go_on) const;

  const Disk& disk_;
  const TableRewrite& table_;
  const FilterRequest& filters_;
  std::optional<Disk::Input> old_;
  TableTail tail_;
  bool partitioned_ = false;
  BuiltFilter filter_;
  KeyList keys_{kMaxKeyListBytes};
  uint64_t filter_bytes_ = 0;
  std::map<std::string, BlockHandle> blocks_;      // the new metaindex
  std::map<std::string, std::string> properties_;  // the new ones
};

absl::Status Rewriting::Build(const Checkpoint& checkpoint) {
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder =
      filters_.NewBuilder(table_.entry.level, table_.is_last);
  if (builder == nullptr) return absl::OkStatus();
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(table_.old_path);
  if (!table.ok()) return table.status();
  const rocksdb::BlockBasedTableOptions& options = filters_.table_options();
  partitioned_ = tail_.has_partitioned_index() &&
                 (tail_.has_partitioned_filter || options.partition_filters);
  absl::StatusOr<BuiltFilter> filter = BuildFilter(
      **table, *builder,
      partitioned_ ? std::max<uint64_t>(options.metadata_block_size, 1) : 0,
      checkpoint, &keys_);
  if (!filter.ok()) return filter.status();
  filter_ = *std::move(filter);
  return absl::OkStatus();
}

// RocksDB looks for the first partition whose key is not before the key of a
// lookup, in the form of the keys of the table's own index.
std::string Rewriting::PartitionIndex(
    const std::vector<BlockHandle>& partitions) const {
  // Behind all versions of its user key.
  const std::string last_version(8, '\0');
  const bool user_keys = Number(tail_, kKeyIsUserKey).value_or(0) != 0;
  std::vector<std::pair<std::string, std::string>> entries;
  for (size_t i = 0; i < partitions.size(); ++i) {
    entries.emplace_back(filter_.last_keys[i] + (user_keys ? "" : last_version),
                         EncodeHandle(partitions[i]));
  }
  return EncodeBlock(entries, Number(tail_, kValueIsDelta).value_or(0) == 0);
}

absl::Status Rewriting::AppendFilter(TableOutput* out) {
  if (filter_.blocks.empty()) return absl::OkStatus();
  std::vector<BlockHandle> handles;
  if (partitioned_) filter_.blocks.emplace_back();  // the index over the others
  for (std::string& block : filter_.blocks) {
    const bool is_index = partitioned_ && &block == &filter_.blocks.back();
    if (is_index) block = PartitionIndex(handles);
    const absl::StatusOr<BlockHandle> handle = out->AppendBlock(block);
    if (!handle.ok()) return handle.status();
    handles.push_back(*handle);
    filter_bytes_ += block.size();
  }
  const std::string kind = partitioned_ ? "partitionedfilter." : "fullfilter.";
  blocks_[kind + filters_.policy()->CompatibilityName()] = handles.back();
  return absl::OkStatus();
}

absl::Status Rewriting::AppendMoved(TableOutput* out) {
  for (const auto& [name, handle] : tail_.blocks) {
    if (handle.offset < tail_.cut) {
      blocks_[name] = handle;
      continue;
    }
    const absl::StatusOr<std::string> bytes =
        old_->Read(handle.offset, handle.size + kBlockTrailer);
    if (!bytes.ok()) return bytes.status();
    const std::string block = bytes->substr(0, handle.size);
    const char type = (*bytes)[handle.size];
    if (tail_.format.checksum != rocksdb::kNoChecksum &&
        tail_.format.Trailer(block, type, handle.offset) !=
            bytes->substr(handle.size)) {
      return absl::DataLossError(
          absl::StrCat("the table's block ", name, " is damaged"));
    }
    const absl::StatusOr<BlockHandle> moved = out->AppendBlock(block, type);
    if (!moved.ok()) return moved.status();
    blocks_[name] = *moved;
  }
  return absl::OkStatus();
}

absl::Status Rewriting::AppendProperties(TableOutput* out) {
  properties_ = tail_.properties;
  properties_[kFilterBytes] = Varint(filter_bytes_);
  properties_[kFilterEntries] = Varint(filter_.entries);
  properties_.erase(kFilterPolicy);
  if (filters_.policy() != nullptr) {
    properties_[kFilterPolicy] = filters_.policy()->Name();
  }
  properties_[kSessionId] = table_.session_id;
  properties_[kOriginalNumber] = Varint(table_.new_number);
  properties_[kRequestProperty] = table_.request;
  const absl::StatusOr<BlockHandle> handle =
      out->AppendBlock(EncodeBlock({properties_.begin(), properties_.end()}));
  if (!handle.ok()) return handle.status();
  blocks_[kPropertiesName] = *handle;
  return absl::OkStatus();
}

absl::Status Rewriting::AppendTail(TableOutput* out) {
  for (const auto part : {&Rewriting::AppendFilter, &Rewriting::AppendMoved,
                          &Rewriting::AppendProperties}) {
    const absl::Status status = (this->*part)(out);
    if (!status.ok()) return status;
  }
  const BlockHandle index = blocks_[kIndexName];
  if (tail_.format.index_is_in_footer()) blocks_.erase(kIndexName);
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [name, handle] : blocks_) {
    entries.emplace_back(name, EncodeHandle(handle));
  }
  const absl::StatusOr<BlockHandle> metaindex =
      out->AppendBlock(EncodeBlock(entries));
  if (!metaindex.ok()) return metaindex.status();
  return out->Append(tail_.format.Footer(*metaindex, index, out->offset()));
}

absl::Status Rewriting::Write(const std::function<absl::Status()>& may_go_on) {
  absl::StatusOr<Disk::Output> file =
      disk_.CreateCopy(table_.new_path, *old_, tail_.cut, may_go_on);
  if (!file.ok()) return file.status();
  TableOutput out(*std::move(file), tail_.format, tail_.cut);
  const absl::Status written = AppendTail(&out);
  const absl::Status synced = out.SyncAndClose();
  return written.ok() ? synced : written;
}

absl::StatusOr<TableEntry> Rewriting::ReadBack(
    const std::function<absl::Status()>& may_go_on) const {
  const absl::StatusOr<Disk::Input> file = disk_.Open(table_.new_path);
  if (!file.ok()) return file.status();
  const absl::Status same =
      CheckSameButFilter(*old_, tail_, *file, properties_, may_go_on);
  if (!same.ok()) return same;
  TableEntry entry = table_.entry;
  entry.number = table_.new_number;
  entry.bytes = file->bytes();
  entry.SetField(kMinLogNumberToKeepField, std::nullopt);
  entry.SetField(kOpenMetadataField, std::nullopt);
  if (HasFileChecksum(entry)) {
    const absl::StatusOr<std::string> checksum = Crc32cOf(*file, may_go_on);
    if (!checksum.ok()) return checksum.status();
    entry.SetField(kFileChecksumField, *checksum);
  }
  if (entry.Field(kUniqueIdField).has_value()) {
    entry.SetField(kUniqueIdField,
                   UniqueIdOf(Text(tail_, kDatabaseId), table_.session_id,
                              table_.new_number));
  }
  const auto tail_start = Number(tail_, kTailStart);
  if (entry.Field(kTailSizeField).has_value()) {
    entry.SetField(kTailSizeField, std::nullopt);
    if (tail_start.has_value() && *tail_start <= entry.bytes) {
      entry.SetField(kTailSizeField, Varint(entry.bytes - *tail_start));
    }
  }
  return entry;
}

absl::StatusOr<RewrittenTable> Rewriting::Run(const Checkpoint& checkpoint) {
  absl::StatusOr<TableTail> tail = CheckRewritable(
      disk_, table_.old_path, table_.entry, filters_.policy() != nullptr);
  if (!tail.ok()) return tail.status();
  tail_ = *std::move(tail);
  absl::Status status = Build(checkpoint);
  if (!status.ok()) return status;
  absl::StatusOr<Disk::Input> old = disk_.Open(table_.old_path);
  if (!old.ok()) return old.status();
  old_ = *std::move(old);
  const auto may_go_on = [&] { return checkpoint(0, 0); };
  status = Write(may_go_on);
  if (!status.ok()) return status;
  absl::StatusOr<TableEntry> entry = ReadBack(may_go_on);
  if (!entry.ok()) return entry.status();
  RewrittenTable rewritten;
  rewritten.entry = *std::move(entry);
  if (keys_.is_complete() && tail_.format.checksum != rocksdb::kNoChecksum) {
    rewritten.keys = std::move(keys_);
  }
  return rewritten;
}

}  // namespace

absl::StatusOr<TableTail> CheckRewritable(const Disk& disk,
                                          const std::string& path,
                                          const TableEntry& entry,
                                          bool wants_filter) {
  const absl::StatusOr<Disk::Input> file = disk.Open(path);
  if (!file.ok()) return file.status();
  if (file->bytes() != entry.bytes) {
    return absl::DataLossError(absl::StrCat(
        "has ", file->bytes(), " bytes, but the MANIFEST says ", entry.bytes));
  }
  absl::StatusOr<TableTail> tail = ReadTableTail(*file);
  if (!tail.ok()) return tail;
  const absl::Status identity = CheckIdentity(*tail, entry);
  if (!identity.ok()) return identity;
  if (HasFileChecksum(entry) &&
      entry.Field(kFileChecksumFunctionField) != kCrc32cChecksum) {
    return absl::UnimplementedError(
        absl::StrCat("has a file checksum by the unknown function '",
                     *entry.Field(kFileChecksumFunctionField), "'"));
  }
  if (!wants_filter) return tail;
  rocksdb::TableProperties properties;
  properties.prefix_extractor_name = Text(*tail, kPrefixExtractor);
  properties.user_collected_properties = tail->properties;
  const std::string extractor = FilteredKeys(properties).unknown_extractor();
  if (extractor.empty()) return tail;
  return absl::UnimplementedError(
      absl::StrCat("has prefixes of keys in its filter, by the extractor '",
                   extractor, "', which this program does not have"));
}

absl::StatusOr<RewrittenTable> Rewrite(const Disk& disk,
                                       const TableRewrite& table,
                                       const FilterRequest& filters,
                                       const Checkpoint& checkpoint) {
  return Rewriting(disk, table, filters).Run(checkpoint);
}

}  // namespace oneline
