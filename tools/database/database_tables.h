// Lists the tables at a path: all tables of a database, or one SST file.

#ifndef ONELINE_TOOLS_DATABASE_DATABASE_TABLES_H_
#define ONELINE_TOOLS_DATABASE_DATABASE_TABLES_H_

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/database/options_file.h"

namespace oneline {

struct TableFile {
  std::string path;
  uint64_t number = 0;  // 000123.sst is 123
  uint64_t bytes = 0;   // of the file, according to the MANIFEST
  int level = -1;       // -1: not known, as the path is one SST file
  // In which of the program's db_paths, or cf_paths, it is; 0 also without any.
  size_t path_id = 0;

  // The user keys between which its keys are, according to the MANIFEST,
  // without timestamps if the comparator is known.
  std::string smallest_key, largest_key;
};

// A column family, with a Table for each of its tables: a TableFile, or what
// was read of it.
template <typename Table>
struct ColumnFamilyOf {
  std::string name;  // empty if the path is one SST file
  // From the newest OPTIONS file; RocksDB's defaults without one. The
  // table_factory is null if this program does not know it.
  rocksdb::ColumnFamilyOptions options;
  // From level 0 on. Level 0 has the newest table first, deeper levels are in
  // key order.
  std::vector<Table> tables;
  // The names of its blob files, as "/000012.blob". Only TablesAt sets them.
  std::vector<std::string> blob_files = {};

  // Null if its tables are not block-based, so that they have no filters.
  const rocksdb::BlockBasedTableOptions* table_options() const {
    return options.table_factory == nullptr
               ? nullptr
               : options.table_factory
                     ->template GetOptions<rocksdb::BlockBasedTableOptions>();
  }
};
using ColumnFamilyTables = ColumnFamilyOf<TableFile>;

// Tables that have a TableFile, by the level of each.
template <typename Table>
std::map<int, std::vector<Table>> ByLevel(const std::vector<Table>& tables) {
  std::map<int, std::vector<Table>> levels;
  for (const Table& table : tables) levels[table.file.level].push_back(table);
  return levels;
}

// Of filters of so many bytes; 0 without keys.
inline double BitsPerKey(double filter_bytes, uint64_t keys) {
  return keys == 0 ? 0 : 8.0 * filter_bytes / keys;
}

struct DatabaseFacts {
  std::string path;
  bool is_database = false;  // false: the path is one SST file
  std::string id;            // of the database; empty if it is not known
  std::string options_file;  // the newest; empty if there is none
  bool has_logs = true;      // LOG is there, and not in db_log_dir
  // From that file, without what RocksDB does not know, and why it can't be
  // loaded: then these options and those of column families are the defaults.
  rocksdb::DBOptions db_options;
  absl::Status options_status;
  // Its text, read with the options: RocksDB keeps two OPTIONS files only.
  absl::StatusOr<OptionsFile> options_text =
      absl::NotFoundError("there is no OPTIONS file");
};

struct DatabaseTables : DatabaseFacts {
  std::vector<ColumnFamilyTables> column_families;
};

// Reads the MANIFEST of the database at `path`, without its comparators and
// table factories, and changes nothing. Tables are not opened here: damaged and
// missing ones are listed too, and another process that has the database open
// may delete some before the caller opens them.
//
// `other_directories`: where else to look for tables. Programs can name such
// directories in db_paths and cf_paths, which no file of the database records.
//
// Errors: NotFound if nothing is at `path`; InvalidArgument if it is neither a
// RocksDB database nor an SST file (which a file named *.sst is, even if it is
// damaged), or if one of the other directories does not exist; Unavailable if
// the system does not let it be read; Unimplemented if the SST file has a
// format without filter blocks; DataLoss if RocksDB can't read the MANIFEST.
absl::StatusOr<DatabaseTables> TablesAt(
    const std::string& path,
    const std::vector<std::string>& other_directories = {});

// Of the families' names those in `names`, which commas separate; all if it is
// empty. A single name may have commas in it. NotFound for one that is not
// there.
absl::StatusOr<std::set<std::string>> ChosenFamilies(
    const std::vector<ColumnFamilyTables>& families, const std::string& names);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_DATABASE_TABLES_H_
