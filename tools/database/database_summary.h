// The filters of a database, table by table: what each is and lets pass, beside
// what the OPTIONS file asks for.

#ifndef ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
#define ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/command/parallel.h"
#include "tools/database/database_tables.h"

namespace oneline {

inline constexpr char kNoFilter[] = "none";
inline constexpr char kDamagedFilter[] = "damaged";
inline constexpr char kForeignFilter[] = "foreign";

struct TableSummary {
  TableFile file;

  // What kept it from being read, with its path; then nothing below is known.
  absl::Status status;

  // Entries that a filter is for: all but range deletions. A key may have
  // several.
  uint64_t keys = 0;

  // Bytes of the filter, all partitions and their index, and of the index of
  // the table. Keys and prefixes in the filter; 0 if the table doesn't tell.
  uint64_t filter_bytes = 0;
  uint64_t index_bytes = 0;
  uint64_t filter_keys = 0;

  // The name of the policy that the program had that wrote the table; empty for
  // none.
  std::string policy_name;

  // FilterFacts::kind, of most of its bytes where partitions differ; kNoFilter,
  // kDamagedFilter, or kForeignFilter: of a policy that is neither ours nor
  // RocksDB's.
  std::string kind = kNoFilter;

  // The part of absent keys that pass; 1 without a filter that can be used.
  double fp_rate = 1;
};

struct ColumnFamilySummary {
  std::string name;
  rocksdb::ColumnFamilyOptions options;
  std::vector<TableSummary> tables;  // ordered as in ColumnFamilyTables

  // Null if its tables are not block-based: then there are no filters.
  const rocksdb::BlockBasedTableOptions* table_options() const;
};

struct DatabaseSummary {
  std::string path;
  std::string options_file;  // the last one; empty if there is none
  std::vector<ColumnFamilySummary> column_families;

  size_t num_tables() const;
};

// Reads the filters of all tables, some at once. Tables that a running database
// has replaced in the meantime are those of another moment then. Errors: those
// of TablesAt; InvalidArgument if `path` is no database.
absl::StatusOr<DatabaseSummary> SummarizeDatabase(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
