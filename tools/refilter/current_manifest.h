// The MANIFEST that the file CURRENT names, and the switch to another one. It
// is one rename: before it the database is the old one, after it the new one.

#ifndef ONELINE_TOOLS_REFILTER_CURRENT_MANIFEST_H_
#define ONELINE_TOOLS_REFILTER_CURRENT_MANIFEST_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/manifest/manifest.h"
#include "tools/rewrite/disk.h"

namespace oneline {

struct CurrentManifest {
  std::string name;  // such as "MANIFEST-000005"
  Manifest manifest;
};

// Errors: those of Disk and Manifest::Parse, with the file's name; DataLoss if
// CURRENT names no MANIFEST.
absl::StatusOr<CurrentManifest> ReadCurrent(const Disk& disk,
                                            const std::string& database);

std::string ManifestName(uint64_t number);
std::string TableName(uint64_t number);
// Of the file that becomes CURRENT. RocksDB deletes what is left of that name.
std::string TemporaryCurrentName(uint64_t number);

// One more than the largest number in the name of a file of these directories,
// and not less than `at_least`.
absl::StatusOr<uint64_t> FirstFreeNumber(
    const Disk& disk, const std::set<std::string>& directories,
    uint64_t at_least);

// Writes MANIFEST-`number` to the disk, reads it again, and has RocksDB replay
// it: it must list the tables of `expected`, with their levels, sizes and keys.
// CURRENT stays as it is.
absl::Status WriteManifest(const Disk& disk, const std::string& database,
                           uint64_t number, std::string_view bytes,
                           const Manifest& expected);

// Makes MANIFEST-`number` the current one. If `*may_be_done` after an error,
// the database may have either.
absl::Status SwitchTo(const Disk& disk, const std::string& database,
                      uint64_t number, bool* may_be_done);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_CURRENT_MANIFEST_H_
