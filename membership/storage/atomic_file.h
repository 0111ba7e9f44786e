// Files that are there whole or not at all.

#ifndef ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_
#define ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace oneline {

// Writes the parts, one after the other, to a file beside `path`, brings it to
// the disk and gives it the name `path`. On an error, and after a crash at any
// moment, `path` is what it was before; a crash may leave `path`.tmp.PID
// behind. Errors name the file and the system's reason.
absl::Status WriteFileAtomically(const std::string& path,
                                 const std::vector<std::string_view>& parts);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_STORAGE_ATOMIC_FILE_H_
