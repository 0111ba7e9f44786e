// Everything that `oneline doctor` reads of a database, at one moment.

#ifndef ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
#define ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/database/database_summary.h"
#include "tools/database/log_file.h"
#include "tools/database/log_statistics.h"
#include "tools/database/options_file.h"

namespace oneline {

// The filter policies that the user says column families should have, by their
// names; "": those of all that are not named.
enum class ExpectedPolicy { kUnknown, kOneline, kNone };
using Expectations = std::map<std::string, ExpectedPolicy>;

// Of --expect: each text is "oneline" or "none", for all column families that
// no other text names, or "<column family>:oneline" or "<column family>:none".
// InvalidArgument for other texts.
absl::StatusOr<Expectations> ParseExpectations(
    const std::vector<std::string>& texts);
ExpectedPolicy ExpectedFor(const std::string& column_family,
                           const Expectations& expectations);

struct DatabaseSnapshot {
  DatabaseSummary database;

  OptionsFile options;  // the text of the newest OPTIONS file
  LogFile log = {};
  std::optional<LookupStatistics> statistics = {};

  // The OPTIONS file before that one; RocksDB keeps two. Empty, and no text,
  // if there is none.
  std::string older_options_file = {};
  std::optional<OptionsFile> older_options = {};

  std::vector<std::string> other_directories = {};  // --db_paths

  // As in log_file.h, if a column family has no policy.
  std::map<std::string, std::string> policies_in_old_logs = {};

  // What the user says, if anything.
  Expectations expectations = {};
  // Capacity of the cache that all column families share.
  std::optional<double> block_cache_bytes = {};

  // For a shell: `command` reads this database; and new filters for a family.
  std::string Command(const std::string& command) const;
  std::string RefilterCommand(const std::string& family) const;
};

// Only reads; `path` may be open in another process. Tables are read by
// `jobs` threads. Errors: those of SummarizeDatabase; NotFound if there is no
// OPTIONS file; DataLoss if RocksDB can't load the newest one.
absl::StatusOr<DatabaseSnapshot> LoadSnapshot(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
