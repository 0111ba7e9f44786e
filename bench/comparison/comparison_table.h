// Prints the results of a comparison as tables.

#ifndef ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_
#define ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_

#include <string>
#include <vector>

#include "bench/comparison/comparison.h"

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

// Prints a line for each database, and the quartiles over the rounds where two
// numbers are in brackets:
//   ops/s           keys or prefixes per second of wall time
//   ratio           ops/s divided by that of the base in the same round
//   p50 us, p99 us  of single calls
//   cpu us          time of the thread per lookup
//   checks          filters checked per lookup
//   false           false positives per 1000 lookups
//   reads           of blocks, per 1000 lookups
//   bits            of filter per record
// and appends each of these numbers to `rows`, as a line with tabs between the
// setting, the filter, the quantity, its median and its quartiles, which are
// empty for what is counted. REQUIRES: a database is named `base`.
void PrintLookups(const Setting& setting, const Databases& databases,
                  std::vector<Measured> measured, const std::string& base,
                  std::string* rows);

// The names of the columns of these lines, as such a line.
std::string RowColumns();

// What writing one database cost.
struct WriteCosts {
  std::string name;
  std::vector<WriteCost> rounds;
  double filter_bits = 0;  // per record
};

// Prints a line for each database: seconds to write all records, of wall time
// to fill memtables and level 0 and for compactions, and of processor time;
// with each the ratio to the base in the same round, and its quartiles. Appends
// them to `rows`, as PrintLookups does. REQUIRES: one of `costs` is named
// `base`.
void PrintWrites(const Setting& setting, const std::vector<WriteCosts>& costs,
                 const std::string& base, std::string* rows);

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_COMPARISON_TABLE_H_
