#include "tools/database/database_summary.h"

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

}  // namespace

size_t DatabaseSummary::num_tables() const {
  size_t n = 0;
  for (const ColumnFamilySummary& family : column_families) {
    n += family.tables.size();
  }
  return n;
}

absl::Status DatabaseSummary::FirstWith(absl::StatusCode code) const {
  for (const ColumnFamilySummary& family : column_families) {
    for (const TableSummary& table : family.tables) {
      if (table.status.code() == code) return table.status;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<DatabaseSummary> SummarizeDatabase(
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
  DatabaseSummary database;
  static_cast<ScannedDatabase<TableSummary>&>(database) = *std::move(scanned);
  database.path = path;
  return database;
}

}  // namespace oneline
