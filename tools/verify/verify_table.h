// Checks the filter of one table: every block, and a lookup of every key.

#ifndef ONELINE_TOOLS_VERIFY_VERIFY_TABLE_H_
#define ONELINE_TOOLS_VERIFY_VERIFY_TABLE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "tools/database/table_scan.h"

namespace oneline {

struct VerifiedTable {
  TableFile file;  // set by ScanTables

  // OK if every block is valid and every key passes. Unimplemented: this
  // program can't read the table's format or its filter. NotFound: there is no
  // such file. Unavailable: the system did not let it be read. Otherwise it is
  // damaged.
  absl::Status status;
  bool has_filter = true;  // false: OK, and its keys were not read

  // Not empty if whole keys were checked but the prefixes in the filter were
  // not: the name of the prefix extractor, which this program does not have.
  std::string unknown_extractor;

  // The database that wrote the table, and the number that the file had there,
  // by the table's properties; 0 if they do not tell.
  std::string database_id;
  uint64_t original_number = 0;

  // Numbers of what was checked.
  uint64_t blocks = 0;
  uint64_t partitions = 0;  // those of `blocks` that are partitions
  uint64_t keys = 0;        // distinct keys, deleted ones included
  uint64_t prefixes = 0;    // runs of keys with the same prefix

  bool is_missing() const { return absl::IsNotFound(status); }
};

// The table must also have the size and the keys that the MANIFEST says it has.
// Thread-safe. Never fails: the result says what could not be checked.
VerifiedTable VerifyTable(const TableFile& file, const EntryProgress& progress);

}  // namespace oneline

#endif  // ONELINE_TOOLS_VERIFY_VERIFY_TABLE_H_
