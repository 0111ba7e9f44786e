// Changes the filter policies in an OPTIONS file. At every moment the file is
// whole: the old one, or the new one once RocksDB has loaded it.

#ifndef ONELINE_TOOLS_ADVISE_OPTIONS_REWRITE_H_
#define ONELINE_TOOLS_ADVISE_OPTIONS_REWRITE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "oneline/filter_options.h"

namespace oneline {

// Sets the policy of each column family in `policies`, by name, and changes no
// other byte. Returns the path of the old file, which is kept beside the new
// one as before-<UTC>-<name>; "" if there was nothing to change. (A name such
// as OPTIONS-000007.bak would not do: RocksDB takes every name that begins with
// "OPTIONS-" and digits for an OPTIONS file, and loads the newest.)
//
// Follows symbolic links and keeps permissions. On error the file is as before,
// with nothing new beside it, except if only the last step, syncing the
// directory, fails. NotFound: there is no file at `path`, or no section for a
// column family. FailedPrecondition: RocksDB can't load the file as it is, or
// not the result, or the result can't be written.
absl::StatusOr<std::string> RewriteOptionsFile(
    const std::string& path,
    const std::map<std::string, FilterOptions>& policies);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_OPTIONS_REWRITE_H_
