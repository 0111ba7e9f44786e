#include "tools/refilter/kept_state.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

// Tables and blob files never change.
bool IsLinked(const std::string& name) {
  return absl::EndsWith(name, ".sst") || absl::EndsWith(name, ".blob");
}

bool IsCopied(const std::string& name, const RefilterPlan& plan) {
  return name == "IDENTITY" || name == plan.current.name ||
         absl::StartsWith(name, "OPTIONS-") || absl::EndsWith(name, ".log");
}

absl::Status KeepFile(const Disk& disk, const std::string& from,
                      const std::string& to, bool link) {
  if (link) return disk.Link(from, to);
  const absl::StatusOr<Disk::Input> file = disk.Open(from);
  if (!file.ok()) return file.status();
  absl::StatusOr<Disk::Output> copy = disk.CreateCopy(
      to, *file, file->bytes(), [] { return absl::OkStatus(); });
  return copy.ok() ? copy->SyncAndClose() : copy.status();
}

absl::Status KeepFiles(const Disk& disk, const std::string& database,
                       const RefilterPlan& plan, const std::string& directory,
                       std::vector<std::string>* made) {
  const absl::StatusOr<std::vector<std::string>> names = disk.List(database);
  if (!names.ok()) return names.status();
  const auto keep = [&](const std::string& name) {
    made->push_back(absl::StrCat(directory, "/", name));
    return KeepFile(disk, absl::StrCat(database, "/", name), made->back(),
                    IsLinked(name));
  };
  for (const std::string& name : *names) {
    if (!IsLinked(name) && !IsCopied(name, plan)) continue;
    const absl::Status kept = keep(name);
    if (!kept.ok()) return kept;
  }
  // Without CURRENT, a part of a database is none.
  absl::Status status = disk.SyncDirectory(directory);
  if (status.ok()) status = keep("CURRENT");
  if (status.ok()) status = disk.SyncDirectory(directory);
  if (!status.ok()) return status;
  const auto parent =
      std::filesystem::absolute(directory).lexically_normal().parent_path();
  return disk.SyncDirectory(parent.string());
}

absl::Status CheckInOneDirectory(const std::string& database,
                                 const RefilterPlan& plan) {
  const auto elsewhere = [](const std::string& what) {
    return absl::FailedPreconditionError(absl::StrCat(
        "--keep_old: ", what,
        " are in another directory than the database, so that the copy would "
        "not be whole; make a checkpoint instead"));
  };
  for (const auto& [id, family] : plan.current.manifest.families()) {
    for (const auto& [number, table] : family.tables) {
      std::error_code ignored;
      if (!std::filesystem::exists(
              absl::StrCat(database, "/", TableName(number)), ignored)) {
        return elsewhere("tables");
      }
    }
  }
  const absl::StatusOr<OptionsFile> options =
      OptionsFile::Load(plan.options_file);
  if (!options.ok()) return options.status();
  const std::string logs =
      options->Get("DBOptions", "", "wal_dir").value_or("");
  std::error_code ignored;
  const bool are_here =
      logs.empty() || std::filesystem::equivalent(logs, database, ignored);
  return are_here ? absl::OkStatus() : elsewhere("logs");
}

}  // namespace

absl::Status KeepState(const Disk& disk, const std::string& database,
                       const RefilterPlan& plan, const std::string& directory) {
  const absl::Status together = CheckInOneDirectory(database, plan);
  if (!together.ok()) return together;
  std::error_code ignored;
  if (std::filesystem::exists(
          std::filesystem::symlink_status(directory, ignored))) {
    return absl::FailedPreconditionError(
        absl::StrCat(directory, ": exists already"));
  }
  absl::Status status = disk.CreateDirectory(directory);
  if (!status.ok()) return status;
  std::vector<std::string> made;
  status = KeepFiles(disk, database, plan, directory, &made);
  if (status.ok()) return status;
  for (const std::string& path : made) disk.Delete(path).IgnoreError();
  disk.DeleteDirectory(directory).IgnoreError();
  return status;
}

}  // namespace oneline
