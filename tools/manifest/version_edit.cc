#include "tools/manifest/version_edit.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/manifest/coding.h"

namespace oneline {
namespace {

enum Tag : uint32_t {
  kComparator = 1,
  kLogNumber = 2,
  kNextFileNumber = 3,
  kLastSequence = 4,
  kCompactCursor = 5,
  kDeletedTable = 6,
  kPreviousLogNumber = 9,
  kMinLogNumberToKeep = 10,
  kNewTable = 103,
  kColumnFamily = 200,
  kAddColumnFamily = 201,
  kDropColumnFamily = 202,
  kMaxColumnFamily = 203,
  kInGroup = 300,
  kBlobFile = 400,
  kBlobGarbage = 401,
  // RocksDB skips unknown tags from here on by their length. Those of earlier
  // releases that have none, 8194 to 8197, are refused.
  kDatabaseId = 8193,
  kHistoryTimestamp = 8198,
  kLog = 8199,
  kDeletedLog = 8200,
  kTimestampsPersisted = 8201,
  kCompactionProgress = 8202,
  kCompactedManifestBytes = 8203,
};

constexpr uint32_t kLastKnownField = kOpenMetadataField;
constexpr uint32_t kMaxLevel = 1000;
constexpr size_t kSequenceAndType = 8;
constexpr uint8_t kMaxPathId = 3;

class EditParser {
 public:
  explicit EditParser(std::string_view record) : bytes_(record) {}

  absl::StatusOr<VersionEdit> Parse();

 private:
  bool TakeTag(uint32_t tag);
  bool TakeNewTable();
  bool TakeField(uint32_t number, TableEntry* table);
  bool TakeLevel(uint32_t* level) {
    return bytes_.TakeVarint(level) && *level <= kMaxLevel;
  }
  bool TakeInternalKey(std::string* key);
  bool SkipNumber() {
    uint64_t ignored = 0;
    return bytes_.TakeVarint(&ignored);
  }
  bool SkipString() {
    std::string_view ignored;
    return bytes_.TakePrefixed(&ignored);
  }
  bool SkipBlobFields();
  // Notes that something is not known; false.
  bool Unknown(absl::string_view what, uint32_t number) {
    if (unknown_.empty()) unknown_ = absl::StrCat(what, " ", number);
    return false;
  }

  ByteParser bytes_;
  VersionEdit edit_;
  std::string unknown_;
};

bool EditParser::TakeInternalKey(std::string* key) {
  std::string_view bytes;
  if (!bytes_.TakePrefixed(&bytes) || bytes.size() < kSequenceAndType) {
    return false;
  }
  *key = bytes;
  return true;
}

bool EditParser::TakeField(uint32_t number, TableEntry* table) {
  std::string_view value;
  const bool is_known = (number > kFieldsEnd && number <= kLastKnownField) ||
                        number == kPathIdField;
  if (!is_known) return Unknown("a table's field", number);
  if (!bytes_.TakePrefixed(&value)) return false;
  if (number == kPathIdField &&
      (value.size() != 1 || static_cast<uint8_t>(value[0]) > kMaxPathId)) {
    return false;
  }
  table->fields.emplace_back(number, value);
  return true;
}

bool EditParser::TakeNewTable() {
  TableEntry table;
  if (!TakeLevel(&table.level) || !bytes_.TakeVarint(&table.number) ||
      !bytes_.TakeVarint(&table.bytes) || !TakeInternalKey(&table.smallest) ||
      !TakeInternalKey(&table.largest) ||
      !bytes_.TakeVarint(&table.smallest_sequence) ||
      !bytes_.TakeVarint(&table.largest_sequence)) {
    return false;
  }
  for (uint32_t field = 0;;) {
    if (!bytes_.TakeVarint(&field)) return false;
    if (field == kFieldsEnd) break;
    if (!TakeField(field, &table)) return false;
  }
  edit_.added.push_back(std::move(table));
  return true;
}

// Fields of a blob file, none of which RocksDB writes so far.
bool EditParser::SkipBlobFields() {
  constexpr uint32_t kEnd = 0;
  uint32_t field = 0;
  if (!bytes_.TakeVarint(&field)) return false;
  return field == kEnd || Unknown("a blob file's field", field);
}

bool EditParser::TakeTag(uint32_t tag) {
  std::string_view text;
  std::string key;
  uint32_t level = 0;
  uint64_t number = 0;
  switch (tag) {
    case kLogNumber:
    case kLastSequence:
    case kPreviousLogNumber:
    case kMinLogNumberToKeep:
    case kMaxColumnFamily:
      return SkipNumber();
    case kComparator:
    case kDatabaseId:
    case kHistoryTimestamp:
    case kLog:
    case kDeletedLog:
    case kTimestampsPersisted:
    case kCompactionProgress:
    case kCompactedManifestBytes:
      return SkipString();
    case kNextFileNumber:
      if (!bytes_.TakeVarint(&number)) return false;
      edit_.next_file_number = number;
      return true;
    case kCompactCursor:
      return TakeLevel(&level) && TakeInternalKey(&key);
    case kDeletedTable:
      if (!TakeLevel(&level) || !bytes_.TakeVarint(&number)) return false;
      edit_.deleted.emplace_back(level, number);
      return true;
    case kNewTable:
      return TakeNewTable();
    case kColumnFamily:
      return bytes_.TakeVarint(&edit_.column_family);
    case kAddColumnFamily:
      if (!bytes_.TakePrefixed(&text)) return false;
      edit_.added_family = text;
      return true;
    case kDropColumnFamily:
      edit_.drops_family = true;
      return true;
    case kInGroup:
      edit_.remaining_in_group = 0;
      return bytes_.TakeVarint(&*edit_.remaining_in_group);
    case kBlobFile:
      return SkipNumber() && SkipNumber() && SkipNumber() && SkipString() &&
             SkipString() && SkipBlobFields();
    case kBlobGarbage:
      return SkipNumber() && SkipNumber() && SkipNumber() && SkipBlobFields();
    default:
      return Unknown("the tag", tag);
  }
}

absl::StatusOr<VersionEdit> EditParser::Parse() {
  while (!bytes_.empty()) {
    uint32_t tag = 0;
    if (bytes_.TakeVarint(&tag) && TakeTag(tag)) continue;
    if (unknown_.empty()) {
      return absl::DataLossError("a record that can't be parsed");
    }
    return absl::UnimplementedError(
        absl::StrCat(unknown_, ", which RocksDB 7.8 to 11.8 do not write"));
  }
  return std::move(edit_);
}

void PutTable(const TableEntry& table, std::string* record) {
  PutVarint(kNewTable, record);
  PutVarint(table.level, record);
  PutVarint(table.number, record);
  PutVarint(table.bytes, record);
  PutPrefixed(table.smallest, record);
  PutPrefixed(table.largest, record);
  PutVarint(table.smallest_sequence, record);
  PutVarint(table.largest_sequence, record);
  for (const auto& [field, value] : table.fields) {
    PutVarint(field, record);
    PutPrefixed(value, record);
  }
  PutVarint(kFieldsEnd, record);
}

}  // namespace

std::optional<std::string> TableEntry::Field(uint32_t field) const {
  for (const auto& [number_of_field, value] : fields) {
    if (number_of_field == field) return value;
  }
  return std::nullopt;
}

void TableEntry::SetField(uint32_t field, std::optional<std::string> value) {
  fields.erase(
      std::remove_if(fields.begin(), fields.end(),
                     [&](const auto& one) { return one.first == field; }),
      fields.end());
  if (value.has_value()) fields.emplace_back(field, *std::move(value));
}

absl::StatusOr<VersionEdit> ParseVersionEdit(std::string_view record) {
  return EditParser(record).Parse();
}

std::string EncodeVersionEdit(const VersionEdit& edit) {
  std::string record;
  if (edit.next_file_number.has_value()) {
    PutVarint(kNextFileNumber, &record);
    PutVarint(*edit.next_file_number, &record);
  }
  for (const auto& [level, number] : edit.deleted) {
    PutVarint(kDeletedTable, &record);
    PutVarint(level, &record);
    PutVarint(number, &record);
  }
  for (const TableEntry& table : edit.added) PutTable(table, &record);
  if (edit.column_family != 0) {
    PutVarint(kColumnFamily, &record);
    PutVarint(edit.column_family, &record);
  }
  return record;
}

std::string DeleteLogsRecord(uint64_t number) {
  std::string record;
  PutVarint(kDeletedLog, &record);
  PutPrefixed(Varint(number), &record);
  return record;
}

}  // namespace oneline
