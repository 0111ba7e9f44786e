// The tables that a path stands for: all of a database, or one SST file.

#ifndef ONELINE_TOOLS_DATABASE_DATABASE_TABLES_H_
#define ONELINE_TOOLS_DATABASE_DATABASE_TABLES_H_

#include <rocksdb/options.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

struct TableFile {
  std::string path;
  uint64_t number = 0;  // 000123.sst is 123
  uint64_t bytes = 0;   // of the file, as the database has it on record
  int level = -1;       // -1: not known, the path is one file
};

struct ColumnFamilyTables {
  std::string name;
  // What the last OPTIONS file says, or the default without one. Its
  // table_factory is null if that is one that is not known here.
  rocksdb::ColumnFamilyOptions options;
  // By level, from 0; within a level in the order of their keys, in level 0
  // the newest first.
  std::vector<TableFile> tables;
};

struct DatabaseTables {
  bool is_database = false;  // false: the path is one SST file
  std::string options_file;  // the last one; empty if there is none
  std::vector<ColumnFamilyTables> column_families;

  // Whether one of the tables has this path.
  bool Lists(const std::string& table_path) const;
};

// Reads what `path` has on record, changes nothing, and may be used while
// another process has the database open: it then gives the tables of some
// moment, of which some may be gone when they are opened. Tables are not
// opened here, so damaged and missing ones are listed as well.
//
// `other_directories`: where tables are that are not in the database's own. In
// DBOptions::db_paths and ColumnFamilyOptions::cf_paths a program can name
// some, and neither the MANIFEST nor an OPTIONS file does.
//
// Comparators, table factories and the like that this program does not know are
// no obstacle.
// Errors: NotFound if there is no such path, InvalidArgument if it is neither a
// database of RocksDB nor a file that ends like an SST, Unimplemented if that
// is of a format without filter blocks, what RocksDB says if its MANIFEST can't
// be read.
absl::StatusOr<DatabaseTables> TablesAt(
    const std::string& path,
    const std::vector<std::string>& other_directories = {});

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_DATABASE_TABLES_H_
