// What `oneline refilter` refuses, because this process cannot do it, or not as
// the database's own program would. Each error says what to do instead.

#ifndef ONELINE_TOOLS_REFILTER_GUARDS_H_
#define ONELINE_TOOLS_REFILTER_GUARDS_H_

#include <string>

#include "absl/status/status.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_tables.h"
#include "tools/database/options_file.h"

namespace oneline {

inline constexpr char kCallInProgram[] =
    " call oneline::Refilter in the database's program";

// FailedPrecondition if CURRENT is of another user than this process, whose
// files the database's program might not be able to read; if a process has the
// database open; if it is a stacked BlobDB. Unavailable if LOCK can't be
// written.
absl::Status CheckDirectory(const std::string& path);

// FailedPrecondition unless each table is where RocksDB looks for it with these
// DBOptions::db_paths; or if RocksDB would take tables there for its own, and
// delete them. `path`: of the database.
absl::Status CheckTables(const DatabaseTables& database,
                         const std::string& path,
                         const std::vector<std::string>& db_paths);

// FailedPrecondition if a process has the database open, or has opened it since
// `options_file` was the newest.
absl::Status CheckUnchanged(const std::string& path,
                            const std::string& options_file);

// FailedPrecondition if its write-ahead logs are outside its directory, or
// RocksDB could lose what they have; if its files have checksums that this
// program can't make. Unimplemented if it was last opened by a newer RocksDB
// than that of this program.
absl::Status CheckDatabase(const std::string& path, const OptionsFile& options,
                           const rocksdb::DBOptions& made);

// FailedPrecondition if the options name something that this program cannot
// make, such as a comparator, or if tables are not block-based.
absl::Status CheckObjects(const OptionsFile& options,
                          const ColumnFamilyTables& family);

// InvalidArgument if the text is no policy, or is one that writes no filters
// although it is not nullptr. REQUIRES: CheckObjects() is OK.
absl::Status CheckPolicy(const ConfiguredPolicy& policy,
                         const ColumnFamilyTables& family);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_GUARDS_H_
