#include "tools/sst/read_status.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "absl/strings/match.h"

namespace oneline {
namespace {

// Not EIO, which is lost data, nor EINVAL, which an offset in damaged data
// causes.
constexpr int kErrorsOfTheSystem[] = {EACCES, EPERM, EMFILE, ENFILE, ENOMEM};

// RocksDB keeps the system's error only as a text, at the end of its own.
bool IsOfTheSystem(const rocksdb::Status& status) {
  if (status.IsMemoryLimit()) return true;
  if (!status.IsIOError()) return false;
  const std::string text = status.ToString();
  for (const int error : kErrorsOfTheSystem) {
    if (absl::EndsWith(text, std::generic_category().message(error))) {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::Status ReadStatus(const rocksdb::Status& status) {
  return IsOfTheSystem(status) ? absl::UnavailableError(status.ToString())
                               : absl::DataLossError(status.ToString());
}

}  // namespace oneline
