// The records of a MANIFEST, which has the format of RocksDB's logs: blocks of
// 32 KiB, in which each record has one or more fragments,
//
//   masked CRC-32C of type and bytes, 4 | length, 2 | type, 1 | bytes
//
// of the types 1 (whole), 2 (first), 3 (middle) and 4 (last). What is left of a
// block, if less than seven bytes, is filled with zeros.

#ifndef ONELINE_TOOLS_MANIFEST_LOG_RECORDS_H_
#define ONELINE_TOOLS_MANIFEST_LOG_RECORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// The records of `file`. As in RocksDB, a record that the end of the file cuts
// off does not count: its writer died. DataLoss for any other damage;
// Unimplemented for types of records that are not in a MANIFEST.
absl::StatusOr<std::vector<std::string>> ReadLogRecords(std::string_view file);

// Appends a record to a file of which all was written by this function.
void AppendLogRecord(std::string_view record, std::string* file);

}  // namespace oneline

#endif  // ONELINE_TOOLS_MANIFEST_LOG_RECORDS_H_
