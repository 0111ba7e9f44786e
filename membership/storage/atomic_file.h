// Writes files that exist as a whole or not at all.

#ifndef ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_
#define ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace oneline {

// Writes the parts, one after the other, to the file `name`.tmp.PID, syncs it
// to the disk and renames it to `name`. After an error, and after a crash at
// any moment before the rename, `name` is what it was; a crash may leave the
// temporary file behind. A file that is replaced keeps its permissions, and a
// symbolic link stays one. Errors name the file and the system's reason.
absl::Status WriteFileAtomically(const std::string& name,
                                 const std::vector<std::string_view>& parts);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_
