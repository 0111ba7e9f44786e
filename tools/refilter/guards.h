// What `oneline refilter` refuses, because this process cannot do it, or not as
// the database's own program would. Each error says what to do instead.

#ifndef ONELINE_TOOLS_REFILTER_GUARDS_H_
#define ONELINE_TOOLS_REFILTER_GUARDS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_tables.h"
#include "tools/database/options_file.h"

namespace oneline {

inline constexpr char kCallInProgram[] =
    " call oneline::Refilter in the database's program";

// Whether `path` is the directory, or below it.
bool IsWithin(const std::filesystem::path& path, const std::string& directory);

// Whether this process may open the database, and RocksDB would neither lose
// nor delete anything. `directories`: of tables, in the order of the program's
// db_paths.
absl::Status CheckDatabase(const DatabaseTables& database,
                           const std::vector<std::string>& directories);

// Whether this program has what the options of a column family name, and the
// policy is a valid one that writes filters, or none.
absl::Status CheckFamily(const OptionsFile& options,
                         const ColumnFamilyTables& family,
                         const ConfiguredPolicy& policy);

// FailedPrecondition if a process has the database open, or has opened it since
// `options_file` was the newest.
absl::Status CheckUnchanged(const std::string& path,
                            const std::string& options_file);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_GUARDS_H_
