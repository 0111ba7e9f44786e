// Everything that `oneline doctor` reads of a database, at one moment.

#ifndef ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
#define ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/command/parallel.h"
#include "tools/database/database_summary.h"
#include "tools/database/log_file.h"
#include "tools/database/options_file.h"

namespace oneline {

struct DatabaseSnapshot {
  DatabaseSummary database;

  OptionsFile options;  // the text of the newest OPTIONS file

  // The OPTIONS file before that one; RocksDB keeps two. Empty, and no text,
  // if there is none.
  std::string older_options_file;
  std::optional<OptionsFile> older_options;

  LogFile log;

  // Capacity of the cache that all column families share, if the user gave it.
  std::optional<double> block_cache_bytes;
};

// Only reads; `path` may be open in another process. Tables are read by
// `jobs` threads. Errors: those of SummarizeDatabase; NotFound if there is no
// OPTIONS file; DataLoss if RocksDB can't load the newest one.
absl::StatusOr<DatabaseSnapshot> LoadSnapshot(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
