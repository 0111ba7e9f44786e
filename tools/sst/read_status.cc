#include "tools/sst/read_status.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

// Not EIO, which is lost data, nor EINVAL, which an offset in damaged data
// causes.
constexpr int kErrorsOfTheSystem[] = {EACCES, EPERM, EMFILE, ENFILE, ENOMEM};

std::string Text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

// RocksDB keeps the system's error only as a text, at the end of its own.
bool IsOfTheSystem(const rocksdb::Status& status) {
  if (status.IsMemoryLimit()) return true;
  if (!status.IsIOError()) return false;
  for (const int error : kErrorsOfTheSystem) {
    if (absl::EndsWith(status.ToString(), Text(error))) return true;
  }
  return false;
}

}  // namespace

absl::Status ReadStatus(const rocksdb::Status& status) {
  return IsOfTheSystem(status) ? absl::UnavailableError(status.ToString())
                               : absl::DataLossError(status.ToString());
}

absl::Status OpenStatus(int error) {
  if (error == ENOENT) return absl::NotFoundError("there is no such file");
  return absl::UnavailableError(absl::StrCat("can't be opened: ", Text(error)));
}

}  // namespace oneline
