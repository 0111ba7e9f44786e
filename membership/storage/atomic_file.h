// Writes files that exist as a whole or not at all.

#ifndef ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_
#define ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace oneline {

// Writes the parts, one after the other, to the file `path`.tmp.PID, syncs it
// to the disk and renames it to `path`. After an error, and after a crash at
// any moment before the rename, `path` is what it was; a crash may leave the
// temporary file behind. Errors name the file and the system's reason.
absl::Status WriteFileAtomically(const std::string& path,
                                 const std::vector<std::string_view>& parts);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_
