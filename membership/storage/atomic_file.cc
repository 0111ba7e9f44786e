#include "membership/storage/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

// Syncs the directory, so that the new name of a file is on the disk.
absl::Status SyncDirectoryOf(const std::string& path) {
  const std::filesystem::path parent =
      std::filesystem::path(path).parent_path();
  const std::string directory = parent.empty() ? "." : parent.string();
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // EINVAL: a file system that cannot sync directories, and need not.
  const bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
  const int error = errno;
  if (fd >= 0) close(fd);
  return synced ? absl::OkStatus() : absl::ErrnoToStatus(error, directory);
}

// With the permissions of the file `old`, if there is one. False: see errno.
bool WriteAndSync(const std::string& path, const std::string& old,
                  const std::vector<std::string_view>& parts) {
  unlink(path.c_str());  // that of a killed program
  FILE* const file = std::fopen(path.c_str(), "wxe");
  if (file == nullptr) return false;
  struct stat replaced = {};
  bool ok = stat(old.c_str(), &replaced) != 0 ||
            fchmod(fileno(file), replaced.st_mode & 0777) == 0;
  for (std::string_view part : parts) {
    ok = ok && std::fwrite(part.data(), 1, part.size(), file) == part.size();
  }
  ok = ok && std::fflush(file) == 0;
  ok = ok && fsync(fileno(file)) == 0;
  const int error = errno;
  if (std::fclose(file) != 0) return false;
  errno = error;
  return ok;
}

}  // namespace

absl::Status WriteFileAtomically(const std::string& name,
                                 const std::vector<std::string_view>& parts) {
  // A symbolic link stays one.
  std::error_code is_new;
  const std::filesystem::path real = std::filesystem::canonical(name, is_new);
  const std::string path = is_new ? name : real.string();
  const std::string temporary = absl::StrCat(path, ".tmp.", getpid());
  if (!WriteAndSync(temporary, path, parts) ||
      std::rename(temporary.c_str(), path.c_str()) != 0) {
    const absl::Status status = absl::ErrnoToStatus(errno, path);
    unlink(temporary.c_str());
    return status;
  }
  return SyncDirectoryOf(path);
}

}  // namespace oneline
