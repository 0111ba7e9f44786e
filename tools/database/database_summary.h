// The filters of a database, table by table: kind, size and false-positive
// rate, with the options of each column family.

#ifndef ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
#define ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filter_policy/refilter/table_filter.h"
#include "tools/database/table_scan.h"

namespace oneline {

struct TableSummary : TableFilter {
  TableFile file;

  // The share of absent keys that pass, 0 to 1; 1 without a usable filter.
  double fp_rate = 1;

  // Why the table can't be read, with its path; then the filter is not known.
  // Unavailable: the system does not let it be read, which is no damage.
  absl::Status status;

  bool is_missing() const { return absl::IsNotFound(status); }
};

using ColumnFamilySummary = ColumnFamilyOf<TableSummary>;

struct DatabaseSummary : ScannedDatabase<TableSummary> {
  std::string path;

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
    int jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
