// The filters of a database, table by table: kind, size and false-positive
// rate, with the options of each column family.

#ifndef ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
#define ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filter_policy/refilter/table_filter.h"
#include "tools/command/parallel.h"
#include "tools/database/database_tables.h"

namespace oneline {

struct TableSummary : TableFilter {
  TableFile file;

  // Why the table can't be read, with its path; then the filter is not known.
  // Unavailable: the system does not let it be read, which is no damage.
  absl::Status status;

  bool is_missing() const { return absl::IsNotFound(status); }
};

struct ColumnFamilySummary {
  std::string name;
  rocksdb::ColumnFamilyOptions options;
  std::vector<TableSummary> tables;  // ordered as in ColumnFamilyTables

  // Null if its tables are not block-based, so that they have no filters.
  const rocksdb::BlockBasedTableOptions* table_options() const;
};

struct DatabaseSummary {
  std::string path;
  // These three as in DatabaseTables.
  std::string options_file;
  rocksdb::DBOptions db_options;
  absl::Status options_status;
  std::vector<ColumnFamilySummary> column_families;

  size_t num_tables() const;
  // The status of the first table that has this code; OK if none has.
  absl::Status FirstWith(absl::StatusCode code) const;
};

// Reads the filters of all tables (table_scan.h), in `jobs` threads.
// `other_directories`: as in TablesAt. A table that can't be read is no error,
// and has a status. Errors: those of TablesAt; InvalidArgument if `path` is not
// the directory of a database.
absl::StatusOr<DatabaseSummary> SummarizeDatabase(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
