// Writes a table again with another filter: all bytes of data as they are, then
// the new filter and the other blocks of the tail, at other places.

#ifndef ONELINE_TOOLS_REWRITE_TABLE_REWRITE_H_
#define ONELINE_TOOLS_REWRITE_TABLE_REWRITE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/manifest/version_edit.h"
#include "tools/rewrite/disk.h"
#include "tools/rewrite/filter_builder.h"
#include "tools/rewrite/table_tail.h"

namespace oneline {

// A property that only tables have which this program wrote: for which request
// and place their filter was made.
inline constexpr char kRequestProperty[] = "oneline.refilter";

struct TableRewrite {
  std::string old_path, new_path;
  TableEntry entry;         // of the old table
  uint64_t new_number = 0;  // that of new_path
  std::string session_id;   // that of no other process or run
  std::string request;      // the value of kRequestProperty
  bool is_last = false;     // no deeper level has tables
};

// Whether Rewrite knows all that the table has; nothing is written. Errors:
// DataLoss if the table is damaged or another one than the MANIFEST's,
// Unimplemented if something in it is not known, those of Disk. Messages do not
// name the file.
absl::StatusOr<TableTail> CheckRewritable(const Disk& disk,
                                          const std::string& path,
                                          const TableEntry& entry,
                                          bool wants_filter);

struct RewrittenTable {
  TableEntry entry;  // for the MANIFEST
  // All keys of the table, or of one that gets no filter none. Nothing if they
  // take too much memory, or if the table has no checksums that could stand in
  // for reading it again.
  std::optional<KeyList> keys;
};

// Writes and syncs the new table, and compares what is then in the file with
// the old one: all must be the same but filter and properties. On an error a
// part of the file may be there. Thread-safe.
absl::StatusOr<RewrittenTable> Rewrite(const Disk& disk,
                                       const TableRewrite& table,
                                       const FilterRequest& filters,
                                       const Checkpoint& checkpoint);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_TABLE_REWRITE_H_
