// Reads all tables of a database, several at once, also while a running
// database replaces them: the result has the tables of one MANIFEST.

#ifndef ONELINE_TOOLS_DATABASE_TABLE_SCAN_H_
#define ONELINE_TOOLS_DATABASE_TABLE_SCAN_H_

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/database/database_tables.h"

namespace oneline {

template <typename Table>
struct ScannedDatabase : DatabaseFacts {
  std::vector<ColumnFamilyOf<Table>> column_families;
  // Tables that were read, or were gone when it was their turn, and that the
  // database has replaced by others since.
  std::vector<Table> replaced;
};

// The exit code of a command that has read tables with these statuses, which
// have their paths: kExitFound if one is damaged or missing; otherwise an error
// if the system did not let it read one.
absl::StatusOr<int> ExitCodeOf(const std::vector<absl::Status>& tables);

// Receives the entries read since the previous call, and all of the table.
using EntryProgress = std::function<void(uint64_t read, uint64_t all)>;

// Returns whether there is such a file.
using ReadFile = std::function<bool(const TableFile&, const EntryProgress&)>;

// Lists the tables, and calls `read` once for each, in `jobs` threads. If one
// is gone, lists the tables again, and reads those that are new: a table that
// is gone and still listed is lost, the database has replaced the others. After
// ten lists those that were replaced are left out. Returns the last list. Shows
// the progress as "STAGE 3 tables of 85.3 MiB" unless `stage` is empty. Errors:
// those of TablesAt. An exception of `read` is passed on.
absl::StatusOr<DatabaseTables> ReadTables(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs, const std::string& stage, const ReadFile& read);

// The same, and keeps what `read` returns, a Table. It must be thread-safe.
// Table::is_missing() says that there is no such file. Sets Table::file.
template <typename Table, typename Read>
absl::StatusOr<ScannedDatabase<Table>> ScanTables(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs, const std::string& stage, const Read& read) {
  std::mutex mutex;
  std::map<std::string, Table> by_path;
  const absl::StatusOr<DatabaseTables> listed =
      ReadTables(path, other_directories, jobs, stage,
                 [&](const TableFile& file, const EntryProgress& progress) {
                   Table table = read(file, progress);
                   table.file = file;
                   const bool found = !table.is_missing();
                   std::lock_guard<std::mutex> lock(mutex);
                   by_path[file.path] = std::move(table);
                   return found;
                 });
  if (!listed.ok()) return listed.status();
  ScannedDatabase<Table> scanned;
  static_cast<DatabaseFacts&>(scanned) = *listed;
  for (const ColumnFamilyTables& family : listed->column_families) {
    scanned.column_families.push_back({family.name, family.options, {}});
    for (const TableFile& file : family.tables) {
      Table& table = by_path.at(file.path);
      table.file = file;  // as it is listed last
      scanned.column_families.back().tables.push_back(table);
    }
  }
  for (const ColumnFamilyTables& family : listed->column_families) {
    for (const TableFile& file : family.tables) by_path.erase(file.path);
  }
  for (auto& [file_path, table] : by_path) {
    scanned.replaced.push_back(std::move(table));
  }
  return scanned;
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_TABLE_SCAN_H_
