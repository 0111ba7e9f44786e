// Reads all tables of a database, several at once, also while a running
// database replaces them: the result has the tables of one MANIFEST.

#ifndef ONELINE_TOOLS_DATABASE_TABLE_SCAN_H_
#define ONELINE_TOOLS_DATABASE_TABLE_SCAN_H_

#include <rocksdb/options.h>

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/command/parallel.h"
#include "tools/database/database_tables.h"
#include "tools/sst/distinct_keys.h"

namespace oneline {

// A table, and what was read of it.
template <typename Table>
struct ScannedFile {
  TableFile file;
  Table table;
};

template <typename Table>
struct ScannedFamily {
  std::string name;                       // empty if the path is one SST file
  rocksdb::ColumnFamilyOptions options;   // as in ColumnFamilyTables
  std::vector<ScannedFile<Table>> files;  // in the order of ColumnFamilyTables
};

template <typename Table>
struct ScannedDatabase {
  DatabaseTables database;  // without tables: `families` has them
  std::vector<ScannedFamily<Table>> families;
  // Tables that were read, or were gone when it was their turn, and that the
  // database has replaced by those of `families` since.
  std::vector<ScannedFile<Table>> replaced;
};

// Lists the tables, and calls `read` once for each, in `jobs` threads. `read`
// returns whether there is such a file. If one is gone, lists the tables again,
// and reads those that are new: a table that is gone and still listed is lost,
// the database has replaced the others. After ten lists those that were
// replaced are left out. Returns the last list. Shows the progress as "STAGE 3
// tables of 85.3 MiB" unless `stage` is empty. Errors: those of TablesAt.
absl::StatusOr<DatabaseTables> ReadTables(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs, const std::string& stage,
    const std::function<bool(const TableFile&, const EntryProgress&)>& read);

// The same, and keeps what `read` returns, a Table. It must be thread-safe.
// Table::is_missing() says that there is no such file.
template <typename Table, typename Read>
absl::StatusOr<ScannedDatabase<Table>> ScanTables(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs, const std::string& stage, const Read& read) {
  std::mutex mutex;
  std::map<std::string, ScannedFile<Table>> by_path;
  absl::StatusOr<DatabaseTables> listed =
      ReadTables(path, other_directories, jobs, stage,
                 [&](const TableFile& file, const EntryProgress& progress) {
                   Table table = read(file, progress);
                   const bool found = !table.is_missing();
                   std::lock_guard<std::mutex> lock(mutex);
                   by_path[file.path] = {file, std::move(table)};
                   return found;
                 });
  if (!listed.ok()) return listed.status();
  ScannedDatabase<Table> scanned;
  std::set<std::string> kept;
  for (ColumnFamilyTables& family : listed->column_families) {
    scanned.families.push_back({family.name, family.options, {}});
    for (const TableFile& file : family.tables) {
      scanned.families.back().files.push_back(
          {file, by_path.at(file.path).table});
      kept.insert(file.path);
    }
  }
  for (auto& [file_path, scanned_file] : by_path) {
    if (kept.count(file_path) != 0) continue;
    scanned.replaced.push_back(std::move(scanned_file));
  }
  listed->column_families.clear();
  scanned.database = *std::move(listed);
  return scanned;
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_TABLE_SCAN_H_
