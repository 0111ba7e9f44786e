#include "membership/storage/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

absl::Status SystemError(const std::string& path) {
  return absl::ErrnoToStatus(errno, path);
}

absl::Status WriteAll(int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    // Linux writes at most 2 GiB at once.
    const ssize_t written =
        write(fd, bytes.data(), std::min(bytes.size(), size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Syncs the directory, so that the new name of a file is on the disk.
absl::Status SyncDirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string directory =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return SystemError(directory);
  // EINVAL: a file system that cannot sync directories, and need not.
  const bool synced = fsync(fd) == 0 || errno == EINVAL;
  const absl::Status status =
      synced ? absl::OkStatus() : SystemError(directory);
  close(fd);
  return status;
}

// With the permissions of the file `old`, if there is one.
absl::Status WriteAndSync(const std::string& path, const std::string& old,
                          const std::vector<std::string_view>& parts) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
           0666);
  if (fd < 0) return SystemError(path);
  absl::Status status;
  struct stat replaced = {};
  if (stat(old.c_str(), &replaced) == 0 &&
      fchmod(fd, replaced.st_mode & 0777) != 0) {
    status = SystemError(path);
  }
  for (std::string_view part : parts) {
    if (status.ok()) status = WriteAll(fd, path, part);
  }
  if (status.ok() && fsync(fd) != 0) status = SystemError(path);
  if (close(fd) != 0 && status.ok()) status = SystemError(path);
  return status;
}

}  // namespace

absl::Status WriteFileAtomically(const std::string& name,
                                 const std::vector<std::string_view>& parts) {
  // A symbolic link stays one.
  std::error_code is_new;
  const std::filesystem::path real = std::filesystem::canonical(name, is_new);
  const std::string path = is_new ? name : real.string();
  const std::string temporary = absl::StrCat(path, ".tmp.", getpid());
  absl::Status status = WriteAndSync(temporary, path, parts);
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    status = SystemError(path);
  }
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return SyncDirectoryOf(path);
}

}  // namespace oneline
