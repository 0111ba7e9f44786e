// The results of `oneline inspect`: totals, and output as text and JSON.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_REPORT_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/database/database_tables.h"
#include "tools/inspect/inspect_table.h"

namespace oneline {

using InspectedFamily = ColumnFamilyOf<InspectedTable>;

// The totals of several tables. A table whose filter could not be read counts
// in `tables` and `unreadable` only.
struct InspectTotals {
  int level = -1;  // -1: all levels, or unknown
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  uint64_t tables = 0;
  uint64_t unreadable = 0;
  // Means over the tables, weighted by their keys. A table without a filter has
  // rate 1. No measured rate if a table with a filter has none.
  double predicted_fp_rate = 0;
  std::optional<double> measured_fp_rate;
};

InspectTotals TotalsOf(const std::vector<InspectedTable>& tables);

// Prints on standard output: a row for each table, a row for each level, then
// what is wrong.
void PrintInspectText(const std::vector<InspectedFamily>& families);

// Prints on standard output. Rates are 0 to 1, sizes are bytes, seeds are texts
// such as "0x123", what is unknown is null. "partitions" is 0 for a filter that
// has none. RocksDB's filters have 0 in "lines" and null in
// "asked_bits_per_key" and "written_level". "total" has the members of a level,
// whose "level" is null.
void PrintInspectJson(const std::vector<InspectedFamily>& families,
                      const InspectOptions& options);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_REPORT_H_
