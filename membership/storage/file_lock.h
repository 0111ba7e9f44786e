// Keeps two programs from changing the same file at the same time.

#ifndef ONELINE_MEMBERSHIP_STORAGE_FILE_LOCK_H_
#define ONELINE_MEMBERSHIP_STORAGE_FILE_LOCK_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// Lasts as long as the object or the process. The lock is that of the file
// `path`.lock, because `path` itself may be replaced. The destructor removes
// that file; a killed program leaves it behind, unlocked.
class FileLock {
 public:
  // FailedPrecondition if the lock is taken; otherwise the system's reason why
  // no file can be made beside `path`.
  static absl::StatusOr<std::unique_ptr<FileLock>> Take(
      const std::string& path);
  ~FileLock();

  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  FileLock(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  const std::string path_;
  const int fd_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_STORAGE_FILE_LOCK_H_
