// Changes the filter policies in an OPTIONS file, so that at every moment there
// is a whole one: the old one, or the new one after RocksDB has loaded it.

#ifndef ONELINE_TOOLS_ADVISE_OPTIONS_REWRITE_H_
#define ONELINE_TOOLS_ADVISE_OPTIONS_REWRITE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "oneline/filter_options.h"

namespace oneline {

// Gives each of the column families its policy and changes no other byte.
// Returns where the old file is: beside the new one, as
// before-<UTC>-<name of the file>. (RocksDB takes every name that begins with
// "OPTIONS-" and digits for an OPTIONS file, whatever follows, and the newest
// of them for that of the database.) Empty if there was nothing to change.
//
// Links are followed, permissions kept. Errors leave the file as it was and
// nothing beside it. NotFound: no file, or no section for a column family.
// FailedPrecondition: RocksDB does not load the result, or not as it was meant,
// because it does not load the file as it was. What the system says, if the
// result can't be written.
absl::StatusOr<std::string> RewriteOptionsFile(
    const std::string& path,
    const std::map<std::string, FilterOptions>& policies);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_OPTIONS_REWRITE_H_
