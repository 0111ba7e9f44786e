// The filters of a database, table by table: kind, size and false-positive
// rate, with the options of each column family.

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

  // Why the table can't be read, with its path; then nothing below is known.
  // Unavailable: the system does not let it be read, which is no damage.
  absl::Status status;

  // Entries except range deletions. A key may have several.
  uint64_t keys = 0;

  uint64_t filter_bytes = 0;  // all partitions and their index
  uint64_t index_bytes = 0;   // of the table

  // Keys and prefixes in the filter; 0 if the table does not record them.
  uint64_t filter_keys = 0;

  // The filter policy of the program that wrote the table; empty for none.
  std::string policy_name;

  // FilterFacts::kind; where partitions differ, the one with the most bytes.
  // Otherwise kNoFilter, kDamagedFilter or kForeignFilter, which is a filter
  // that neither RocksDB nor this library can read.
  std::string kind = kNoFilter;

  // Bits per key that the options gave the table when it was written, of our
  // filters only; 0: unknown.
  double asked_bits_per_key = 0;

  // The share of absent keys that pass, 0 to 1; 1 without a usable filter.
  double fp_rate = 1;

  bool is_missing() const { return absl::IsNotFound(status); }
  // Keys in the filter, or that would be in one.
  uint64_t keys_to_filter() const {
    return filter_keys > 0 ? filter_keys : keys;
  }
};

struct ColumnFamilySummary {
  std::string name;
  rocksdb::ColumnFamilyOptions options;
  std::vector<TableSummary> tables;  // ordered as in ColumnFamilyTables

  // Null if its tables are not block-based, so that they have no filters.
  const rocksdb::BlockBasedTableOptions* table_options() const;
};

struct DatabaseSummary {
  std::string path;
  // These three as in DatabaseTables.
  std::string options_file;
  rocksdb::DBOptions db_options;
  absl::Status options_status;
  std::vector<ColumnFamilySummary> column_families;

  size_t num_tables() const;
  // The status of the first table that has this code; OK if none has.
  absl::Status FirstWith(absl::StatusCode code) const;
};

// Reads the filters of all tables (table_scan.h), in `jobs` threads.
// `other_directories`: as in TablesAt. A table that can't be read is no error,
// and has a status. Errors: those of TablesAt; InvalidArgument if `path` is not
// the directory of a database.
absl::StatusOr<DatabaseSummary> SummarizeDatabase(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_DATABASE_SUMMARY_H_
