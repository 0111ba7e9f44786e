#include "tools/rewrite/table_tail.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/manifest/checksums.h"
#include "tools/manifest/coding.h"

namespace oneline {
namespace {

constexpr uint64_t kMagic = 0x88e241b785f4cff7;
constexpr uint64_t kFooterBytes = 53;
constexpr size_t kHandlesBytes = 40;
constexpr uint32_t kExtendedMagic = 0x007a003e;
constexpr size_t kFooterChecksumAt = 5;
constexpr uint32_t kOldestVersion = 2, kNewestVersion = 7;
constexpr char kNotCompressed = '\0';
constexpr char kFullFilter[] = "fullfilter.";
constexpr char kPartitionedFilter[] = "partitionedfilter.";
constexpr char kOldFilter[] = "filter.";  // before RocksDB 7
constexpr char kGlobalSequence[] = "rocksdb.external_sst_file.global_seqno";

// Blocks that tell of no other block's place but those of data and index, so
// that they can be moved.
constexpr const char* kMovable[] = {
    kIndexName, "rocksdb.compression_dict", "rocksdb.range_del",
    "rocksdb.hashindex.prefixes", "rocksdb.hashindex.metadata"};

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("the table's ", what, " is damaged"));
}

struct Footer {
  TableFormat format;
  BlockHandle metaindex, index;
};

// Of versions 2 to 5.
bool TakeHandles(std::string_view bytes, Footer* footer) {
  ByteParser parser(bytes);
  return parser.TakeVarint(&footer->metaindex.offset) &&
         parser.TakeVarint(&footer->metaindex.size) &&
         parser.TakeVarint(&footer->index.offset) &&
         parser.TakeVarint(&footer->index.size);
}

// Of versions 6 and 7. `bytes` is the whole footer, `offset` where it is.
bool TakeExtended(std::string_view bytes, uint64_t offset, Footer* footer) {
  ByteParser parser(bytes.substr(1, kHandlesBytes));
  uint32_t magic = 0, checksum = 0, metaindex_bytes = 0;
  TableFormat& format = footer->format;
  if (!parser.TakeFixed(&magic) || magic != kExtendedMagic ||
      !parser.TakeFixed(&checksum) || !parser.TakeFixed(&format.context_base) ||
      !parser.TakeFixed(&metaindex_bytes) || format.context_base == 0 ||
      parser.rest().find_first_not_of('\0') != std::string_view::npos ||
      metaindex_bytes + kBlockTrailer > offset) {
    return false;
  }
  footer->metaindex = {offset - kBlockTrailer - metaindex_bytes,
                       metaindex_bytes};
  std::string unchecked(bytes);
  std::fill_n(unchecked.begin() + kFooterChecksumAt, sizeof(checksum), '\0');
  return format.checksum == rocksdb::kNoChecksum ||
         TableChecksum(format.checksum, unchecked) +
                 ChecksumContext(format.context_base, offset) ==
             checksum;
}

absl::StatusOr<Footer> ReadFooter(const Disk::Input& file) {
  if (file.bytes() < kFooterBytes) return Damaged("footer");
  const uint64_t offset = file.bytes() - kFooterBytes;
  const absl::StatusOr<std::string> bytes = file.Read(offset, kFooterBytes);
  if (!bytes.ok()) return bytes.status();
  ByteParser parser(*bytes);
  Footer footer;
  uint8_t checksum = 0;
  uint64_t magic = 0;
  std::string_view handles;
  if (!parser.TakeFixed(&checksum) ||
      !parser.TakeBytes(kHandlesBytes, &handles) ||
      !parser.TakeFixed(&footer.format.version) || !parser.TakeFixed(&magic) ||
      magic != kMagic) {
    return absl::UnimplementedError(
        "is no block-based table, or encrypted, or its end is lost");
  }
  const uint32_t version = footer.format.version;
  if (version < kOldestVersion || version > kNewestVersion ||
      !IsKnownChecksum(checksum)) {
    return absl::UnimplementedError(
        absl::StrCat("has format version ", version, " and checksum type ",
                     checksum, ", which are not known"));
  }
  footer.format.checksum = static_cast<rocksdb::ChecksumType>(checksum);
  const bool parsed = footer.format.index_is_in_footer()
                          ? TakeHandles(handles, &footer)
                          : TakeExtended(*bytes, offset, &footer);
  if (!parsed) return Damaged("footer");
  return footer;
}

// Reads a tail from the footer on.
class TailReader {
 public:
  explicit TailReader(const Disk::Input& file) : file_(file) {}

  absl::StatusOr<TableTail> Read();

 private:
  bool IsInside(const BlockHandle& handle) const {
    const uint64_t end = file_.bytes() - kFooterBytes;
    return handle.offset <= end && handle.size <= end &&
           handle.offset + handle.size + kBlockTrailer <= end;
  }
  // A block that is not compressed, without its trailer. With `global_sequence`
  // its checksum may be that of a block where this view of it is zeros.
  absl::StatusOr<std::string> ReadBlock(const BlockHandle& handle,
                                        absl::string_view name,
                                        bool is_properties = false);
  bool HasChecksum(std::string_view block, uint64_t offset,
                   std::string_view trailer) const;
  absl::Status ReadMetaindex(const BlockHandle& metaindex);
  absl::Status ReadProperties(const BlockHandle& handle);
  void FindCut(const BlockHandle& metaindex);
  void AddPartitions(const BlockHandle& index);

  const Disk::Input& file_;
  TableTail tail_;
  std::optional<BlockHandle> properties_;
  // Where blocks begin that can be dropped or moved, by where they end.
  std::map<uint64_t, uint64_t> begin_by_end_;
};

bool TailReader::HasChecksum(std::string_view block, uint64_t offset,
                             std::string_view trailer) const {
  return tail_.format.checksum == rocksdb::kNoChecksum ||
         tail_.format.Trailer(block, kNotCompressed, offset) == trailer;
}

// Where an ingested table's sequence number is in its block of properties.
std::optional<size_t> GlobalSequenceAt(const std::string& block) {
  const auto entries = ParseBlock(block);
  if (!entries.has_value()) return std::nullopt;
  for (const BlockEntry& entry : *entries) {
    if (entry.name == kGlobalSequence &&
        entry.value.size() == sizeof(uint64_t)) {
      return static_cast<size_t>(entry.value.data() - block.data());
    }
  }
  return std::nullopt;
}

absl::StatusOr<std::string> TailReader::ReadBlock(const BlockHandle& handle,
                                                  absl::string_view name,
                                                  bool is_properties) {
  if (!IsInside(handle)) return Damaged(name);
  absl::StatusOr<std::string> bytes =
      file_.Read(handle.offset, handle.size + kBlockTrailer);
  if (!bytes.ok()) return bytes;
  const std::string trailer = bytes->substr(handle.size);
  bytes->resize(handle.size);
  if (trailer[0] != kNotCompressed) {
    return absl::UnimplementedError(absl::StrCat("compresses its ", name));
  }
  if (HasChecksum(*bytes, handle.offset, trailer)) return bytes;
  if (!is_properties) return Damaged(name);
  // Ingestion may write the sequence number into the block, and leaves the
  // checksum as it was.
  const std::optional<size_t> at = GlobalSequenceAt(*bytes);
  if (!at.has_value()) return Damaged(name);
  std::string zeroed = *bytes;
  std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(*at),
              sizeof(uint64_t), '\0');
  if (!HasChecksum(zeroed, handle.offset, trailer)) return Damaged(name);
  return bytes;
}

absl::Status TailReader::ReadProperties(const BlockHandle& handle) {
  const absl::StatusOr<std::string> block =
      ReadBlock(handle, "block of properties", true);
  if (!block.ok()) return block.status();
  const auto entries = ParseBlock(*block);
  if (!entries.has_value()) return Damaged("block of properties");
  for (const BlockEntry& entry : *entries) {
    if (!tail_.properties.emplace(entry.name, entry.value).second) {
      return Damaged("block of properties");
    }
  }
  return absl::OkStatus();
}

// Those of a filter that this program wrote, right before their index. (Others
// are in another place.)
void TailReader::AddPartitions(const BlockHandle& index) {
  const absl::StatusOr<std::string> block = ReadBlock(index, "filter");
  if (!block.ok()) return;
  const auto delta =
      tail_.properties.find("rocksdb.index.value.is.delta.encoded");
  const auto entries = ParseBlock(
      *block, delta == tail_.properties.end() || delta->second != Varint(1));
  if (!entries.has_value()) return;
  for (const BlockEntry& entry : *entries) {
    const std::optional<BlockHandle> partition = ParseHandle(entry.value);
    if (partition.has_value() && IsInside(*partition)) {
      begin_by_end_.emplace(partition->end(), partition->offset);
    }
  }
}

absl::Status TailReader::ReadMetaindex(const BlockHandle& metaindex) {
  const absl::StatusOr<std::string> block = ReadBlock(metaindex, "metaindex");
  if (!block.ok()) return block.status();
  const auto entries = ParseBlock(*block);
  if (!entries.has_value()) return Damaged("metaindex");
  std::vector<BlockHandle> partition_indexes;
  for (const BlockEntry& entry : *entries) {
    const std::optional<BlockHandle> handle = ParseHandle(entry.value);
    if (!handle.has_value() || !IsInside(*handle)) return Damaged("metaindex");
    const bool is_partitioned =
        absl::StartsWith(entry.name, kPartitionedFilter);
    if (is_partitioned) partition_indexes.push_back(*handle);
    if (entry.name == kPropertiesName) {
      properties_ = *handle;
    } else if (is_partitioned || absl::StartsWith(entry.name, kFullFilter) ||
               absl::StartsWith(entry.name, kOldFilter)) {
      begin_by_end_.emplace(handle->end(), handle->offset);
    } else if (!tail_.blocks.emplace(entry.name, *handle).second) {
      return Damaged("metaindex");
    }
  }
  if (!properties_.has_value()) {
    return absl::UnimplementedError("has no properties");
  }
  const absl::Status read = ReadProperties(*properties_);
  if (!read.ok()) return read;
  for (const BlockHandle& index : partition_indexes) AddPartitions(index);
  tail_.has_partitioned_filter = !partition_indexes.empty();
  return absl::OkStatus();
}

void TailReader::FindCut(const BlockHandle& metaindex) {
  begin_by_end_.emplace(properties_->end(), properties_->offset);
  for (const char* name : kMovable) {
    const auto block = tail_.blocks.find(name);
    if (block == tail_.blocks.end()) continue;
    begin_by_end_.emplace(block->second.end(), block->second.offset);
  }
  tail_.cut = metaindex.offset;
  for (auto before = begin_by_end_.find(tail_.cut);
       before != begin_by_end_.end(); before = begin_by_end_.find(tail_.cut)) {
    tail_.cut = before->second;
  }
}

absl::StatusOr<TableTail> TailReader::Read() {
  const absl::StatusOr<Footer> footer = ReadFooter(file_);
  if (!footer.ok()) return footer.status();
  tail_.format = footer->format;
  tail_.file_bytes = file_.bytes();
  const BlockHandle& metaindex = footer->metaindex;
  if (!IsInside(metaindex)) return Damaged("footer");
  const absl::Status read = ReadMetaindex(metaindex);
  if (!read.ok()) return read;
  if (tail_.format.index_is_in_footer()) {
    if (!IsInside(footer->index)) return Damaged("footer");
    tail_.blocks[kIndexName] = footer->index;
  }
  if (tail_.blocks.count(kIndexName) == 0) return Damaged("metaindex");
  FindCut(metaindex);
  if (metaindex.end() != file_.bytes() - kFooterBytes ||
      tail_.cut > properties_->offset) {
    return absl::UnimplementedError(
        "has its last blocks in another order than RocksDB's tables");
  }
  return std::move(tail_);
}

}  // namespace

std::string TableFormat::Trailer(std::string_view block, char type,
                                 uint64_t offset) const {
  std::string checked(block);
  checked.push_back(type);
  std::string trailer(1, type);
  PutFixed(
      TableChecksum(checksum, checked) + ChecksumContext(context_base, offset),
      &trailer);
  return trailer;
}

std::string TableFormat::Footer(const BlockHandle& metaindex,
                                const BlockHandle& index,
                                uint64_t offset) const {
  std::string footer(1, static_cast<char>(checksum));
  if (index_is_in_footer()) {
    footer += EncodeHandle(metaindex) + EncodeHandle(index);
  } else {
    PutFixed(kExtendedMagic, &footer);
    PutFixed(uint32_t{0}, &footer);
    PutFixed(context_base, &footer);
    PutFixed(static_cast<uint32_t>(metaindex.size), &footer);
  }
  footer.resize(1 + kHandlesBytes, '\0');
  PutFixed(version, &footer);
  PutFixed(kMagic, &footer);
  if (!index_is_in_footer()) {
    std::string sum;
    PutFixed(
        TableChecksum(checksum, footer) + ChecksumContext(context_base, offset),
        &sum);
    footer.replace(kFooterChecksumAt, sum.size(), sum);
  }
  return footer;
}

bool TableTail::has_partitioned_index() const {
  // The type, four bytes: 2 is that of an index with two levels.
  const auto type = properties.find("rocksdb.block.based.table.index.type");
  return type != properties.end() && !type->second.empty() &&
         type->second[0] == 2;
}

absl::StatusOr<TableTail> ReadTableTail(const Disk::Input& file) {
  return TailReader(file).Read();
}

}  // namespace oneline
