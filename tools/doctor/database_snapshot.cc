#include "tools/doctor/database_snapshot.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/sst/filter_rate.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

TableSummary Summarize(const std::string& path) {
  TableSummary summary;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(path);
  absl::Status status = table.status();
  if (table.ok()) {
    static_cast<TableFilter&>(summary) =
        FilterInProperties((*table)->properties());
    status = (*table)->filter_status();
    (*table)->decoded_blocks().Describe(&summary);
    summary.fp_rate = FilterFpRate((*table)->filter_blocks());
    if (!status.ok() && !absl::IsUnavailable(status)) {
      summary.kind = IsLost(status) ? FoundKind::kDamaged : FoundKind::kForeign;
      return summary;
    }
  }
  summary.status = WithPath(path, status);
  return summary;
}

// The one before `newest`; empty if there is none.
std::string OlderOptionsFile(const std::string& path,
                             const std::string& newest) {
  std::string older;
  for (const auto& [number, file] : NumberedFiles(path, "OPTIONS-")) {
    if (file == newest) return older;
    older = file;
  }
  return "";
}

}  // namespace

size_t DatabaseSnapshot::num_tables() const {
  size_t n = 0;
  for (const auto& family : column_families) n += family.tables.size();
  return n;
}

absl::StatusOr<DatabaseSnapshot> LoadSnapshot(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a file, not the directory of a database"));
  }
  absl::StatusOr<ScannedDatabase<TableSummary>> scanned =
      ScanTables<TableSummary>(path, other_directories, jobs, /*stage=*/"",
                               [](const TableFile& file, const EntryProgress&) {
                                 return Summarize(file.path);
                               });
  if (!scanned.ok()) return scanned.status();
  DatabaseSnapshot snapshot;
  static_cast<ScannedDatabase<TableSummary>&>(snapshot) = *std::move(scanned);
  snapshot.other_directories = other_directories;
  if (snapshot.options_file.empty()) {
    return absl::NotFoundError(absl::StrCat(
        path,
        ": has no OPTIONS file, so the filters it should have are not known"));
  }
  if (!snapshot.options_text.ok()) return snapshot.options_text.status();
  if (!snapshot.options_status.ok()) return snapshot.options_status;
  snapshot.older_options_file = OlderOptionsFile(path, snapshot.options_file);
  if (auto older = OptionsFile::Load(snapshot.older_options_file); older.ok()) {
    snapshot.older_options = *std::move(older);
  }
  if (!snapshot.has_logs) return snapshot;
  snapshot.log = ReadLogs(path);
  for (const auto& family : snapshot.column_families) {
    if (snapshot.options().FilterPolicy(family.name) != kNoObject) continue;
    snapshot.policies_in_old_logs = PoliciesInOldLogs(path);
    break;
  }
  return snapshot;
}

}  // namespace oneline
