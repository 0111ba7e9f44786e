// The kind and size of the filters of tables, and where they were written, read
// from the filters' bytes: our kinds and RocksDB's own.

#ifndef ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_
#define ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "table/block/filter_block.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {

// "bloom" or "ribbon", ours or RocksDB's; for other filters the kind of
// decoded_filter.h, or "unknown".
std::string KindOfFilter(std::string_view block);

// The kind of the filter in a table file; "none" if there is none. Of a
// partitioned filter the kind of the first partition.
std::string KindInFile(const std::string& file);

// Level and kind of each table, as "L0 bloom". Sorted.
std::vector<std::string> KindsOfTables(const ScratchDatabase& database);

// Bits of lines per key, from the trailer of our filter in a table file; 0 if
// there is none. Not for partitioned filters.
double BitsInFile(const std::string& file);

// The same of each table, by level. The tables of level 0 are in order from the
// newest to the oldest, those of other levels in order of keys.
std::map<int, std::vector<double>> BitsOfTables(
    const ScratchDatabase& database,
    rocksdb::ColumnFamilyHandle* family = nullptr);

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_
