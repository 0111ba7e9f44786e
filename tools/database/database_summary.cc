#include "tools/database/database_summary.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/database/table_scan.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

absl::Status InFile(const TableFile& file, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(file.path, ": ", status.message()));
}

void DescribeFilter(const SstReader& table, TableSummary* summary) {
  if (absl::IsUnavailable(table.filter_status())) {
    summary->status = InFile(summary->file, table.filter_status());
    return;
  }
  if (!table.filter_status().ok()) {
    summary->kind = absl::IsUnimplemented(table.filter_status())
                        ? kForeignFilter
                        : kDamagedFilter;
    return;
  }
  FilterBlocks blocks;
  for (const std::string& block : table.filter_blocks()) blocks.Add(block);
  blocks.Describe(summary);
}

TableSummary Summarize(const TableFile& file) {
  TableSummary summary;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(file.path);
  if (table.ok()) {
    static_cast<TableFilter&>(summary) =
        FilterInProperties((*table)->properties());
  }
  summary.file = file;
  if (table.ok()) {
    DescribeFilter(**table, &summary);
  } else {
    summary.status = InFile(file, table.status());
  }
  return summary;
}

}  // namespace

const rocksdb::BlockBasedTableOptions* ColumnFamilySummary::table_options()
    const {
  return options.table_factory == nullptr
             ? nullptr
             : options.table_factory
                   ->GetOptions<rocksdb::BlockBasedTableOptions>();
}

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
    JobCount jobs) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a file, not the directory of a database"));
  }
  absl::StatusOr<ScannedDatabase<TableSummary>> scanned =
      ScanTables<TableSummary>(path, other_directories, jobs, /*stage=*/"",
                               [](const TableFile& file, const EntryProgress&) {
                                 return Summarize(file);
                               });
  if (!scanned.ok()) return scanned.status();
  const DatabaseTables& tables = scanned->database;
  DatabaseSummary database{
      path, tables.options_file, tables.db_options, tables.options_status, {}};
  for (ScannedFamily<TableSummary>& family : scanned->families) {
    database.column_families.push_back({family.name, family.options, {}});
    for (ScannedFile<TableSummary>& one : family.files) {
      one.table.file = std::move(one.file);
      database.column_families.back().tables.push_back(std::move(one.table));
    }
  }
  return database;
}

}  // namespace oneline
