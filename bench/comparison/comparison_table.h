// What a comparison found, as rows of a table for people and for programs.

#ifndef ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_
#define ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_

#include <string>
#include <vector>

#include "bench/comparison/comparison.h"
#include "bench/measure/tsv.h"

namespace oneline {

// Under which circumstances.
struct Setting {
  std::string store;  // RocksDB or LevelDB
  std::string keys;
  std::string value_bytes;
  std::string records;
  std::string reads;     // "cache" or "disk"
  std::string workload;  // "absent", "random order", ...
};

// One row for each database and workload:
//   lookups             done in all rounds
//   ops_per_s           keys, or prefixes, for each second of wall time
//   ..._lower, _upper   quartiles of the rounds
//   ratio               of ops_per_s to the base's in the same round
//   p50_us, p99_us      of single calls
//   cpu_us              of the thread, for each lookup
//   checks              filters asked for each lookup
//   false_positives     for each 1000 lookups
//   block_reads         for each 1000 lookups
//   filter_bits         bits of filter for each record
TsvTable NewLookupTable();

// Appends rows for all databases. The base is the one of that name; without it
// there are no ratios. Prints them, too.
void AddLookupRows(const Setting& setting, const Databases& databases,
                   std::vector<Measured> measured, const std::string& base,
                   TsvTable* table);

// One row for each database: seconds for all records, in several rounds.
//   fill_s, compact_s, cpu_s       medians
//   ..._ratio, _lower, _upper      to the base in the same round
TsvTable NewWriteTable();

// Costs of one database, of each round.
struct WriteCosts {
  std::string name;
  std::vector<WriteCost> rounds;
  double filter_bits = 0;
};

void AddWriteRows(const Setting& setting, const std::vector<WriteCosts>& costs,
                  const std::string& base, TsvTable* table);

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_
