#include "membership/storage/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

// Whether the path still leads to the open file.
bool LeadsTo(const std::string& path, int fd) {
  struct stat named, opened;
  return stat(path.c_str(), &named) == 0 && fstat(fd, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Take(
    const std::string& path) {
  const std::string lock_path = path + ".lock";
  for (;;) {
    const int fd = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return absl::ErrnoToStatus(errno, lock_path);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      close(fd);
      if (error != EWOULDBLOCK) return absl::ErrnoToStatus(error, lock_path);
      return absl::FailedPreconditionError(
          absl::StrCat(path, ": another program has it open"));
    }
    // Its last owner may have removed the file after it was opened here.
    if (LeadsTo(lock_path, fd)) {
      return std::unique_ptr<FileLock>(new FileLock(lock_path, fd));
    }
    close(fd);
  }
}

FileLock::~FileLock() {
  unlink(path_.c_str());
  close(fd_);
}

}  // namespace oneline
