// Everything that `oneline doctor` reads of a database, at one moment.

#ifndef ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
#define ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filter_policy/refilter/table_filter.h"
#include "tools/database/log_file.h"
#include "tools/database/options_file.h"
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

// By column family, whether the user says that its filters should be ours, or
// that it should have none; "": of all that are not named.
using Expectations = std::map<std::string, bool>;

// Of --expect: each text is "oneline" or "none", for all column families that
// no other text names, or "<column family>:oneline" or "<column family>:none".
// InvalidArgument for other texts.
absl::StatusOr<Expectations> ParseExpectations(
    const std::vector<std::string>& texts);

struct DatabaseSnapshot : ScannedDatabase<TableSummary> {
  std::vector<std::string> other_directories;  // --db_paths

  // The OPTIONS file before the newest; RocksDB keeps two. Empty, and no text,
  // if there is none.
  std::string older_options_file;
  OptionsFile older_options{""};

  LogFile log;
  // As in log_file.h, if a column family has no policy.
  std::map<std::string, std::string> policies_in_old_logs;

  // What the user says, if anything.
  Expectations expectations;
  // Capacity of the cache that all column families share.
  std::optional<double> block_cache_bytes;

  size_t num_tables() const;
  const OptionsFile& options() const { return *options_text; }
};

// Only reads; `path` may be open in another process. Tables are read by `jobs`
// threads; one that can't be read has a status. Errors: those of TablesAt;
// InvalidArgument if `path` is one table; NotFound if there is no OPTIONS file;
// DataLoss if RocksDB can't load the newest one.
absl::StatusOr<DatabaseSnapshot> LoadSnapshot(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
