// What `oneline inspect` shows: a table, JSON, a plot.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_REPORT_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/inspect/inspect_table.h"
#include "tools/inspect/inspect_totals.h"

namespace oneline {

// On standard output: a line for each table, one for each level, then how many
// keys the lines have.
void PrintInspectText(const std::vector<InspectedFamily>& families);

// On standard output; rates are parts of 1, sizes bytes, seeds text, what is
// not known null:
//
//   {"column_families": [
//      {"name": "default",
//       "tables": [{"file": PATH, "level": 0, "filter": "ribbon", "keys": N,
//                   "filter_bytes": N, "bits_per_key": N,
//                   "predicted_fp_rate": N, "measured_fp_rate": N,
//                   "probes": N, "partitions": N, "lines": N,
//                   "seeds": ["0x123"], "message": ""}],
//       "levels": [{"level": 0, "tables": N, "unreadable": N, "keys": N,
//                   "filter_bytes": N, "bits_per_key": N,
//                   "predicted_fp_rate": N, "measured_fp_rate": N}],
//       "total": {as a level, whose number is null}}],
//    "keys_per_line": [{"keys": 51, "lines": N, "expected": N}],
//    "probe_seed": N}
//
// "partitions" is 0 for a filter without, "lines" 0 for those of RocksDB.
void PrintInspectJson(const std::vector<InspectedFamily>& families,
                      const InspectOptions& options);

// Writes the rates of all tables and the keys of lines to `path`, as SVG.
absl::Status PlotInspected(const std::vector<InspectedFamily>& families,
                           const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_REPORT_H_
