// What kind of filter the tables of a database have, and how large it is, by
// the filters' bytes: our kinds and RocksDB's own.

#ifndef ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_
#define ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/filter_policy/scratch_database.h"

namespace oneline {

// "bloom" or "ribbon", ours or RocksDB's; anything else as filter_facts.h has
// it, or "unknown".
std::string KindOfFilter(std::string_view block);

// Of a table file; "none" if it has no filter. Of partitions the first one.
std::string KindInFile(const std::string& file);

// Of each table, with its level: "L0 bloom". Sorted.
std::vector<std::string> KindsOfTables(const ScratchDatabase& database);

// Bits of the lines for each key, as the trailer of one of our filters has
// them; 0 for other filters.
double BitsOfFilter(std::string_view block);

// Of a table file; 0 if it has no filter. Not for partitioned filters.
double BitsInFile(const std::string& file);

// Of each table, by level. The tables of level 0 from the newest to the oldest,
// those of other levels from the first key to the last.
std::map<int, std::vector<double>> BitsOfTables(
    const ScratchDatabase& database);

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_
