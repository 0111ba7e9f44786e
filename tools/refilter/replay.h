// RocksDB's own reading of a MANIFEST, beside ours.

#ifndef ONELINE_TOOLS_REFILTER_REPLAY_H_
#define ONELINE_TOOLS_REFILTER_REPLAY_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/manifest/manifest.h"

namespace oneline {

// Whether RocksDB, replaying the bytes of a MANIFEST that With wrote, has the
// tables of `expected`, with their levels, sizes and keys: DataLoss if not.
// Uses the database's OPTIONS file and a directory for temporary files. Logs
// are not replayed.
absl::Status ReplayByRocksDB(const std::string& database,
                             std::string_view manifest,
                             const Manifest& expected);

// The same of the database's own MANIFEST.
absl::Status CheckListing(const std::string& database,
                          const Manifest& expected);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_REPLAY_H_
