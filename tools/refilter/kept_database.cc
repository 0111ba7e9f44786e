#include "tools/refilter/kept_database.h"

#include <fcntl.h>
#include <rocksdb/utilities/checkpoint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

std::string ParentOf(const std::string& directory) {
  const fs::path parent = fs::path(directory).parent_path();
  return parent.empty() ? "." : parent.string();
}

absl::Status SyncDirectory(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = fd >= 0 && fsync(fd) == 0;
  const absl::Status status =
      synced ? absl::OkStatus() : absl::ErrnoToStatus(errno, path);
  if (fd >= 0) close(fd);
  return status;
}

// Whether hard links can be made there, and the way back works.
absl::Status CheckPlace(const std::string& path, const std::string& directory) {
  struct statx parent = {}, database = {};
  const std::string into = ParentOf(directory);
  if (statx(AT_FDCWD, into.c_str(), 0, STATX_MNT_ID, &parent) != 0) {
    return absl::ErrnoToStatus(errno, "--keep_old: " + into);
  }
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_MNT_ID, &database) != 0) {
    return absl::ErrnoToStatus(errno, path);
  }
  if ((database.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "--keep_old: ", path,
        " is a mount point and can't be renamed: keep it by a backup"));
  }
  // Linux 5.8 and later tell the mount.
  if (std::pair(parent.stx_dev_major, parent.stx_dev_minor) !=
          std::pair(database.stx_dev_major, database.stx_dev_minor) ||
      parent.stx_mnt_id != database.stx_mnt_id) {
    return absl::FailedPreconditionError(
        absl::StrCat("--keep_old: ", directory,
                     " is in another file system, or another mount of it: hard "
                     "links need the same"));
  }
  if (access(into.c_str(), W_OK | X_OK) != 0) {
    return absl::ErrnoToStatus(errno, "--keep_old: " + into);
  }
  if (absl::EndsWith(directory, "\n") || absl::EndsWith(path, "\n")) {
    return absl::InvalidArgumentError(
        "--keep_old: a path ends in a newline, which a shell drops from the "
        "way back: rename it");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckKeep(const RefilterPlan& plan, const std::string& directory) {
  // The second is RocksDB's name for it, which would delete what is there.
  std::error_code ignored;
  struct stat there = {};
  for (const std::string& path : {directory, directory + ".tmp"}) {
    if (lstat(path.c_str(), &there) != 0) {
      if (errno == ENOENT) continue;
      return absl::ErrnoToStatus(errno, "--keep_old: " + path);
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "--keep_old: ", path, " exists; if an earlier run made it, ",
        path == directory ? "it has the state before that run, and this one "
                            "needs no --keep_old"
                          : "it is not whole: delete it"));
  }
  const std::string& wal_dir = plan.db_options.wal_dir;
  if (!plan.db_options.db_paths.empty() ||
      (!wal_dir.empty() && !fs::equivalent(wal_dir, plan.database, ignored))) {
    return absl::FailedPreconditionError(
        "--keep_old: the database is in several directories: keep it by a "
        "backup");
  }
  return CheckPlace(plan.database, directory);
}

absl::Status KeepDatabase(rocksdb::DB* db, const RefilterPlan& plan,
                          const std::string& directory) {
  rocksdb::Checkpoint* created = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db, &created);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(created);
  struct stat database = {};
  if (stat(plan.database.c_str(), &database) != 0) {
    return absl::ErrnoToStatus(errno, plan.database);
  }
  const mode_t before = umask(0777);
  umask(before | (~database.st_mode & 0777));
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  umask(before);
  if (!status.ok()) {
    return absl::UnavailableError(
        absl::StrCat("--keep_old: ", directory, ": ", status.ToString()));
  }
  return SyncDirectory(ParentOf(directory));
}

std::string WayBack(const RefilterPlan& plan, const std::string& directory) {
  std::error_code ignored;
  const fs::path database = fs::canonical(plan.database, ignored);
  fs::path kept = fs::canonical(directory, ignored);
  std::string away = database.string() + ".refiltered";
  while (fs::exists(away, ignored)) away += "_";
  const fs::path inside = kept.lexically_relative(database);
  if (!inside.empty() && *inside.begin() != "..") kept = away / inside;
  return absl::StrCat("mv -T ", ShellWord(database), " ", ShellWord(away),
                      " && mv -T ", ShellWord(kept), " ", ShellWord(database));
}

}  // namespace oneline
