#include "tools/refilter/refilter_database.h"

#include <rocksdb/env.h>
#include <rocksdb/utilities/checkpoint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "filter_policy/refilter/rocksdb_call.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tools/database/read_only_env.h"
#include "tools/refilter/guards.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// RocksDB writes the options of each opening into a new OPTIONS file, from
// which other programs may load theirs: with the filter policy of this one, and
// without automatic compactions. Here that file gets the text of the old one.
// RocksDB's errors on a write-ahead log do not name it, so that is noted here.
class SameOptions final : public rocksdb::FileSystemWrapper {
 public:
  SameOptions(const std::shared_ptr<rocksdb::FileSystem>& files,
              std::string text)
      : FileSystemWrapper(files), text_(std::move(text)) {}

  const char* Name() const override { return "SameOptions"; }

  // The last that RocksDB has begun to read.
  const std::string& log() const { return log_; }

  rocksdb::IOStatus NewSequentialFile(
      const std::string& path, const rocksdb::FileOptions& options,
      std::unique_ptr<rocksdb::FSSequentialFile>* file,
      rocksdb::IODebugContext* debug) override {
    if (absl::EndsWith(path, ".log")) log_ = path;
    return target()->NewSequentialFile(path, options, file, debug);
  }

  // Of the temporary file, which is asked for before it is renamed: copies of
  // the OPTIONS file end there.
  rocksdb::IOStatus GetFileSize(const std::string& path,
                                const rocksdb::IOOptions& options,
                                uint64_t* bytes,
                                rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status =
        target()->GetFileSize(path, options, bytes, debug);
    if (status.ok() && IsOptions(path)) *bytes = text_.size();
    return status;
  }

  // RocksDB writes a temporary file, compares it with the options, and renames
  // it. (A checkpoint is a directory that is renamed, whatever its name.)
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status;
    if (IsOptions(to) && absl::EndsWith(from, ".dbtmp")) {
      std::unique_ptr<rocksdb::FSWritableFile> file;
      status =
          target()->NewWritableFile(from, rocksdb::FileOptions(), &file, debug);
      if (status.ok()) status = file->Append(text_, options, debug);
      if (status.ok()) status = file->Fsync(options, debug);
      if (status.ok()) status = file->Close(options, debug);
    }
    return status.ok() ? target()->RenameFile(from, to, options, debug)
                       : status;
  }

 private:
  static bool IsOptions(const std::string& path) {
    return absl::StartsWith(path.substr(path.rfind('/') + 1), "OPTIONS-");
  }

  const std::string text_;
  std::string log_;
};

// Takes rights from all files that the process makes from now on. Returns the
// umask before.
mode_t LetFilesBeNoMoreOpenThan(const std::string& path, mode_t rights) {
  const mode_t before = umask(0777);
  struct stat file = {};
  umask(before |
        (stat(path.c_str(), &file) == 0 ? ~file.st_mode & rights : rights));
  return before;
}

std::string ParentOf(const std::string& directory) {
  const fs::path parent = fs::path(directory).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

absl::StatusOr<std::unique_ptr<RefilterDatabase>> RefilterDatabase::Open(
    const RefilterPlan& plan, bool to_change,
    const std::shared_ptr<rocksdb::FileSystem>& files) {
  std::unique_ptr<RefilterDatabase> opened(new RefilterDatabase());
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const PlannedFamily& family : plan.families) {
    families.push_back(family.descriptor);
  }
  rocksdb::DBOptions options = plan.db_options;
  // The LOG stays that of the program, from which `doctor` learns its options.
  options.info_log = std::make_shared<NoLog>();
  options.env = ReadOnlyEnv();
  rocksdb::Status status;
  std::string log;
  if (to_change) {
    LetFilesBeNoMoreOpenThan(plan.database + "/CURRENT", 0666);
#if ONELINE_HAS_OPTIONS_FILE_ERROR
    options.fail_if_options_file_error = true;  // as since 10.0
#endif
    // RocksDB would delete a damaged log with what follows the damage. (A
    // recycled one ends in what was in it before.)
    if (options.recycle_log_file_num == 0) {
      options.wal_recovery_mode =
          rocksdb::WALRecoveryMode::kAbsoluteConsistency;
    }
    const auto same = std::make_shared<SameOptions>(files, plan.options_text);
    opened->env_ = rocksdb::NewCompositeEnv(same);
    options.env = opened->env_.get();
    status = CallRocksDB([&] {
      return rocksdb::DB::Open(options, plan.database, families,
                               &opened->handles_, OpenInto(&opened->db_));
    });
    log = same->log();
  } else {
    status = CallRocksDB([&] {
      return rocksdb::DB::OpenForReadOnly(options, plan.database, families,
                                          &opened->handles_,
                                          OpenInto(&opened->db_));
    });
  }
  if (status.ok()) {
    for (size_t i = 0; i < families.size(); ++i) {
      if (!plan.families[i].is_chosen) continue;
      opened->chosen_.push_back(opened->handles_[i]);
    }
    return opened;
  }
  std::string why = absl::StrCat(
      plan.database, ": RocksDB can't open it: ",
      absl::StrReplaceAll(absl::StripAsciiWhitespace(status.ToString()),
                          {{"\n", "; "}}));
  if (status.IsCorruption() && !log.empty()) {
    absl::StrAppend(&why, ". If ", log,
                    " is damaged or torn, let the program open the database "
                    "first: it decides what of the log is lost");
  }
  return absl::UnavailableError(why);
}

RefilterDatabase::~RefilterDatabase() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

void RefilterDatabase::LeaveOpen() {
  static_cast<void>(db_.release());
  static_cast<void>(env_.release());
}

absl::Status CheckKeep(const RefilterPlan& plan, const std::string& directory) {
  // The second is RocksDB's name for it until it is whole; it would delete what
  // is there.
  struct stat there = {};
  for (const std::string& path : {directory, directory + ".tmp"}) {
    if (lstat(path.c_str(), &there) == 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "--keep_old: ", path, " exists; if an earlier run made it, ",
          path == directory ? "it has the state before that run, and this one "
                              "needs no --keep_old"
                            : "it is not whole: delete it"));
    }
    if (errno != ENOENT) {
      return absl::ErrnoToStatus(errno, "--keep_old: " + path);
    }
  }
  const std::string parent = ParentOf(directory);
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return absl::ErrnoToStatus(errno, "--keep_old: " + parent);
  }
  if (IsWithin(parent, plan.database)) {
    return absl::FailedPreconditionError(
        absl::StrCat("--keep_old: ", directory,
                     " is in the database: give a directory beside it"));
  }
  const std::string& wal_dir = plan.db_options.wal_dir;
  std::error_code ignored;
  if (plan.db_options.db_paths.empty() &&
      (wal_dir.empty() || fs::equivalent(wal_dir, plan.database, ignored))) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      "--keep_old: the database is in several directories: keep it by a "
      "backup");
}

absl::Status RefilterDatabase::Keep(const std::string& directory) const {
  rocksdb::Checkpoint* created = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db_.get(), &created);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(created);
  const mode_t before = LetFilesBeNoMoreOpenThan(db_->GetName(), 0777);
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  umask(before);
  // So that what was renamed into it stays there without power.
  std::unique_ptr<rocksdb::Directory> parent;
  if (status.ok()) {
    status = db_->GetEnv()->NewDirectory(ParentOf(directory), &parent);
  }
  if (status.ok()) status = parent->Fsync();
  if (status.ok()) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("--keep_old: ", directory, ": ", status.ToString()));
}

}  // namespace oneline
