// The results of a comparison as rows of a table: printed for people, and as
// TSV for programs.

#ifndef ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_
#define ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_

#include <string>
#include <vector>

#include "bench/comparison/comparison.h"
#include "bench/measure/tsv.h"

namespace oneline {

// What was compared under which conditions.
struct Setting {
  std::string store;  // RocksDB or LevelDB
  std::string keys;
  std::string value_bytes;
  std::string records;
  std::string reads;     // "cache" or "disk"
  std::string workload;  // "absent", "random order", ...
};

// One row for each database and workload:
//   lookups             of all rounds
//   ops_per_s           keys or prefixes per second of wall time
//   ..._lower, _upper   quartiles over the rounds
//   ratio               ops_per_s divided by that of the base in the same round
//   p50_us, p99_us      of single calls
//   cpu_us              time of the thread per lookup
//   checks              filters checked per lookup
//   false_positives     per 1000 lookups
//   block_reads         per 1000 lookups
//   filter_bits         bits of filter per record
TsvTable NewLookupTable();

// Appends a row for each database, and prints it. The base is the database
// named `base`; without one there are no ratios.
void AddLookupRows(const Setting& setting, const Databases& databases,
                   std::vector<Measured> measured, const std::string& base,
                   TsvTable* table);

// One row for each database: the seconds to write all records.
//   fill_s, compact_s, cpu_s       medians over the rounds
//   ..._ratio, _lower, _upper      to those of the base in the same round
TsvTable NewWriteTable();

// What writing one database cost.
struct WriteCosts {
  std::string name;
  std::vector<WriteCost> rounds;
  double filter_bits = 0;  // per record
};

// As AddLookupRows. REQUIRES: one of `costs` is named `base`.
void AddWriteRows(const Setting& setting, const std::vector<WriteCosts>& costs,
                  const std::string& base, TsvTable* table);

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_
