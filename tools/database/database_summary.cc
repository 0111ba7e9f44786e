#include "tools/database/database_summary.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/database/table_scan.h"
#include "tools/sst/filter_facts.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

absl::Status InFile(const TableFile& file, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(file.path, ": ", status.message()));
}

void DescribeFilter(const SstReader& table, TableSummary* summary) {
  summary->filter_bytes = table.properties().filter_size;
  summary->filter_keys = table.properties().num_filter_entries;
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
  std::map<std::string, size_t> bytes_of_kind;
  size_t bytes = 0;
  double weighted_rate = 0;
  for (const std::string& block : table.filter_blocks()) {
    const absl::StatusOr<FilterFacts> facts = FactsOf(block);
    // Readers take a damaged block for "maybe" to every key.
    bytes_of_kind[facts.ok() ? facts->kind : kDamagedFilter] += block.size();
    weighted_rate += block.size() * (facts.ok() ? facts->fp_rate : 1);
    if (facts.ok() && facts->trailer.has_value()) {  // all partitions the same
      summary->asked_bits_per_key = facts->trailer->asked_bits_per_key;
    }
    bytes += block.size();
  }
  if (bytes == 0) return;
  summary->fp_rate = weighted_rate / static_cast<double>(bytes);
  summary->kind = std::max_element(bytes_of_kind.begin(), bytes_of_kind.end(),
                                   [](const auto& a, const auto& b) {
                                     return a.second < b.second;
                                   })
                      ->first;
}

TableSummary Summarize(const TableFile& file) {
  TableSummary summary;
  summary.file = file;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(file.path);
  if (!table.ok()) {
    summary.status = InFile(file, table.status());
    return summary;
  }
  const rocksdb::TableProperties& properties = (*table)->properties();
  summary.keys =
      properties.num_entries -
      std::min(properties.num_entries, properties.num_range_deletions);
  summary.index_bytes = properties.index_size;
  // Empty without a policy: "N/A" is what RocksDB prints, not what it stores.
  summary.policy_name = properties.filter_policy_name;
  DescribeFilter(**table, &summary);
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
