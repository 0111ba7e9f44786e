// A database that was inspected: its tables and what they add up to.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/database/database_tables.h"
#include "tools/inspect/inspect_table.h"

namespace oneline {

struct InspectedFile {
  TableFile file;
  InspectedTable table;
};

struct InspectedFamily {
  std::string name;                  // empty if the path is one SST file
  std::vector<InspectedFile> files;  // as in ColumnFamilyTables
};

// Several tables together. Those whose filter could not be read count as tables
// and in nothing else.
struct InspectTotals {
  int level = -1;  // -1: of all levels, or not known
  uint64_t tables = 0;
  uint64_t unreadable = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // Means over the tables by their keys, a table without a filter letting all
  // pass. Nothing measured if one that has a filter was not.
  double predicted_fp_rate = 0;
  std::optional<double> measured_fp_rate;
  KeysPerLine keys_per_line;

  double bits_per_key() const {
    return keys == 0 ? 0
                     : 8 * static_cast<double>(filter_bytes) /
                           static_cast<double>(keys);
  }
};

// One for each level that has tables, in order.
std::vector<InspectTotals> TotalsByLevel(const InspectedFamily& family);

InspectTotals TotalsOf(const std::vector<const InspectedFile*>& files);

// Of all column families.
KeysPerLine AllKeysPerLine(const std::vector<InspectedFamily>& families);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_TOTALS_H_
