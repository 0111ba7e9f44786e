#include "tools/doctor/database_snapshot.h"

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

// 7 for ".../OPTIONS-000007", 0 for other names.
uint64_t OptionsFileNumber(const std::string& path) {
  constexpr absl::string_view kPrefix = "OPTIONS-";
  const std::string name = std::filesystem::path(path).filename();
  uint64_t number = 0;
  return absl::StartsWith(name, kPrefix) &&
                 absl::SimpleAtoi(name.substr(kPrefix.size()), &number)
             ? number
             : 0;
}

// The newest OPTIONS file that is older than `newest`; empty if there is none.
std::string OlderOptionsFile(const std::string& newest) {
  const uint64_t newest_number = OptionsFileNumber(newest);
  std::pair<uint64_t, std::string> found;
  std::error_code error;
  const std::filesystem::path directory =
      std::filesystem::path(newest).parent_path();
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    const uint64_t number = OptionsFileNumber(entry->path());
    if (number < newest_number && number > found.first) {
      found = {number, entry->path()};
    }
  }
  return found.second;
}

std::string DirectoriesFlag(const std::vector<std::string>& directories) {
  if (directories.empty()) return "";
  return absl::StrCat(" --db_paths=",
                      ShellWord(absl::StrJoin(directories, ",")));
}

}  // namespace

std::string DatabaseSnapshot::Command(const std::string& command) const {
  return absl::StrCat("oneline ", command, " ", ShellWord(database.path),
                      DirectoriesFlag(other_directories));
}

std::string DatabaseSnapshot::RefilterCommand(const std::string& family) const {
  std::vector<std::string> all = other_directories;
  if (!all.empty()) all.insert(all.begin(), database.path);
  return absl::StrCat(
      "oneline refilter ", ShellWord(database.path),
      database.column_families.size() == 1
          ? ""
          : absl::StrCat(" --column_family=", ShellWord(family)),
      DirectoriesFlag(all), " --yes");
}

absl::StatusOr<DatabaseSnapshot> LoadSnapshot(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs) {
  absl::StatusOr<DatabaseSummary> database =
      SummarizeDatabase(path, other_directories, jobs);
  if (!database.ok()) return database.status();
  const std::string file = database->options_file;
  if (file.empty()) {
    return absl::NotFoundError(absl::StrCat(
        path,
        ": has no OPTIONS file, so the filters it should have are not known"));
  }
  if (!database->options_text.ok()) return database->options_text.status();
  if (!database->options_status.ok()) return database->options_status;
  OptionsFile options = *database->options_text;
  DatabaseSnapshot snapshot{*std::move(database), std::move(options)};
  const bool has_logs = snapshot.database.has_logs;
  if (has_logs) {
    snapshot.log = ReadLogs(path);
    snapshot.statistics = ReadLookupStatistics(path, /*max_logs=*/4);
  }
  snapshot.other_directories = other_directories;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    if (snapshot.options.FilterPolicy(family.name).has_value()) continue;
    if (has_logs) snapshot.policies_in_old_logs = PoliciesInOldLogs(path);
    break;
  }
  snapshot.older_options_file = OlderOptionsFile(file);
  if (!snapshot.older_options_file.empty()) {
    absl::StatusOr<OptionsFile> older =
        OptionsFile::Load(snapshot.older_options_file);
    if (older.ok()) snapshot.older_options = *std::move(older);
  }
  return snapshot;
}

}  // namespace oneline
