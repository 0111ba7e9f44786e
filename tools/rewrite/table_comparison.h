// Compares a table that was written with the one that it was written from, as
// their files are read back.

#ifndef ONELINE_TOOLS_REWRITE_TABLE_COMPARISON_H_
#define ONELINE_TOOLS_REWRITE_TABLE_COMPARISON_H_

#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/rewrite/disk.h"
#include "tools/rewrite/table_tail.h"

namespace oneline {

// DataLoss unless all that is before the old table's cut is the same in both,
// byte by byte, and each block behind it, and the new one has these properties.
// So the new table has the old one's entries. `may_go_on` is asked often.
absl::Status CheckSameButFilter(
    const Disk::Input& old_file, const TableTail& old_tail,
    const Disk::Input& new_file,
    const std::map<std::string, std::string>& properties,
    const std::function<absl::Status()>& may_go_on);

// RocksDB's checksum "FileChecksumCrc32c" of a file.
absl::StatusOr<std::string> Crc32cOf(
    const Disk::Input& file, const std::function<absl::Status()>& may_go_on);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_TABLE_COMPARISON_H_
