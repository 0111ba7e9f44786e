// The inspected tables of a database, and their totals.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/database/table_scan.h"
#include "tools/inspect/inspect_table.h"

namespace oneline {

using InspectedFile = ScannedFile<InspectedTable>;
using InspectedFamily = ScannedFamily<InspectedTable>;

// The totals of several tables. A table whose filter could not be read counts
// in `tables` and `unreadable` only.
struct InspectTotals {
  int level = -1;  // -1: all levels, or unknown
  uint64_t tables = 0;
  uint64_t unreadable = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // Means over the tables, weighted by their keys. A table without a filter has
  // rate 1. No measured rate if a table with a filter has none.
  double predicted_fp_rate = 0;
  std::optional<double> measured_fp_rate;

  double bits_per_key() const {
    return keys == 0 ? 0
                     : 8 * static_cast<double>(filter_bytes) /
                           static_cast<double>(keys);
  }
};

// The totals of each level that has tables, level 0 first.
std::vector<InspectTotals> TotalsByLevel(const InspectedFamily& family);

InspectTotals TotalsOf(const std::vector<const InspectedFile*>& files);

// The sum over the tables of all column families.
KeysPerLine AllKeysPerLine(const std::vector<InspectedFamily>& families);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_
