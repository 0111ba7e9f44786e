#include "tools/refilter/kept_database.h"

#include <fcntl.h>
#include <rocksdb/utilities/checkpoint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

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

}  // namespace

absl::Status CheckKeep(const RefilterPlan& plan, const std::string& directory) {
  // The second is RocksDB's name for it, which would delete what is there.
  std::error_code ignored;
  for (const std::string& path : {directory, directory + ".tmp"}) {
    if (fs::symlink_status(path, ignored).type() == fs::file_type::not_found) {
      continue;
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
  struct stat parent = {}, database = {};
  if (stat(ParentOf(directory).c_str(), &parent) != 0 ||
      stat(plan.database.c_str(), &database) != 0) {
    return absl::ErrnoToStatus(errno, "--keep_old: " + ParentOf(directory));
  }
  if (parent.st_dev == database.st_dev) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("--keep_old: ", directory,
                   " is in another file system: hard links need the same"));
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
  const mode_t before = umask(0);
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
