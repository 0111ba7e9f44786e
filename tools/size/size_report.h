// Plans of filters as text and as JSON, on standard output.

#ifndef ONELINE_TOOLS_SIZE_SIZE_REPORT_H_
#define ONELINE_TOOLS_SIZE_SIZE_REPORT_H_

#include <vector>

#include "tools/size/size_plan.h"

namespace oneline {

// `is_tree`: the levels are told one by one. The first two plans are then the
// uniform and the monkey one of the same kind.
void PrintSizeTable(const Store& store, bool is_tree, const SizeWanted& wanted,
                    const std::vector<SizePlan>& plans);

//   {"keys": N, "keys_per_filter": N, "runs": N, "filters": [
//     {"name": "RocksDB Bloom", "filter_policy": "bloomfilter:10:false",
//      "allocation": "uniform", "bits_per_key": N, "memory": N,
//      "false_positives_per_lookup": N, "wasted_reads_per_million": N,
//      "probes": N, "fp_rate": N},
//     ...]}
//
// Memory is bytes; "columns" takes the place of "probes" for a Ribbon. For a
// tree, instead of the last line:
//
//      "levels": [{"level": N, "runs": N, "keys": N, "filters": N,
//                  "asked_bits_per_key": N, "memory": N,
//                  "probes": N, "fp_rate": N}, ...]},
//
// Keys, filters and memory are those of all runs of the level. A level without
// filters is asked 0 bits per key, and has no "probes".
void PrintSizeJson(const Store& store, bool is_tree,
                   const std::vector<SizePlan>& plans);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_SIZE_REPORT_H_
