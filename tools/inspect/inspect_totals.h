// The inspected tables of a database, and their totals.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/database/table_scan.h"
#include "tools/inspect/inspect_table.h"

namespace oneline {

using InspectedFamily = ColumnFamilyOf<InspectedTable>;

// The totals of several tables. A table whose filter could not be read counts
// in `tables` and `unreadable` only.
struct InspectTotals : FilterSize {
  int level = -1;  // -1: all levels, or unknown
  uint64_t tables = 0;
  uint64_t unreadable = 0;
  // Means over the tables, weighted by their keys. A table without a filter has
  // rate 1. No measured rate if a table with a filter has none.
  double predicted_fp_rate = 0;
  std::optional<double> measured_fp_rate;
};

// The totals of each level that has tables, level 0 first.
std::vector<InspectTotals> TotalsByLevel(const InspectedFamily& family);

InspectTotals TotalsOf(const std::vector<InspectedTable>& tables);

// The sum over the tables of all column families.
KeysPerLine AllKeysPerLine(const std::vector<InspectedFamily>& families);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_
