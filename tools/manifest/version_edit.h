// One record of a MANIFEST: what a flush, a compaction or the like changed of
// the list of tables. Of the rest only what refiltering has to know is kept;
// the record as a whole is copied.

#ifndef ONELINE_TOOLS_MANIFEST_VERSION_EDIT_H_
#define ONELINE_TOOLS_MANIFEST_VERSION_EDIT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// The fields of a table by number, as RocksDB 7.8 to 11.8 write them. Those
// without a name here are copied.
enum TableField : uint32_t {
  kFieldsEnd = 1,
  kMinLogNumberToKeepField = 3,
  kFileChecksumField = 7,
  kFileChecksumFunctionField = 8,
  kUniqueIdField = 12,
  kTailSizeField = 15,
  kWithoutTimestampsField = 16,  // keys have none, whatever the comparator says
  kOpenMetadataField = 17,
  kPathIdField = 65,
};

// A table as the MANIFEST has it.
struct TableEntry {
  uint32_t level = 0;
  uint64_t number = 0;
  uint64_t bytes = 0;
  // Internal keys: the user key, then 8 bytes of sequence number and type.
  std::string smallest, largest;
  uint64_t smallest_sequence = 0, largest_sequence = 0;
  std::vector<std::pair<uint32_t, std::string>> fields;

  // Nothing if the table does not have the field.
  std::optional<std::string> Field(uint32_t field) const;
  // Changes, adds or, with nothing, removes a field.
  void SetField(uint32_t field, std::optional<std::string> value);
};

struct VersionEdit {
  uint32_t column_family = 0;
  std::optional<std::string> added_family;  // its name
  bool drops_family = false;
  std::vector<std::pair<uint32_t, uint64_t>> deleted;  // level and number
  std::vector<TableEntry> added;
  std::optional<uint64_t> next_file_number;
  // In a group of edits that count together or not at all: how many follow.
  std::optional<uint32_t> remaining_in_group;
};

// DataLoss if the record is damaged, Unimplemented if it has something that
// RocksDB 7.8 to 11.8 do not write.
absl::StatusOr<VersionEdit> ParseVersionEdit(std::string_view record);

// The record of an edit that adds and drops no column family and is in no
// group.
std::string EncodeVersionEdit(const VersionEdit& edit);

// The record that forgets all logs with numbers below `number`.
std::string DeleteLogsRecord(uint64_t number);

}  // namespace oneline

#endif  // ONELINE_TOOLS_MANIFEST_VERSION_EDIT_H_
