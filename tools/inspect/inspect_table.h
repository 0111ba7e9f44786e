// What one table's filter is, what it should let pass and what it does.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/inspect/keys_per_line.h"

namespace oneline {

struct InspectedTable {
  // Of the filter (filter_facts.h), or "none", "unknown" (of another policy),
  // "other format" (of the table), "damaged" (the filter or the table),
  // "missing".
  std::string filter = "none";
  std::string message;  // for "unknown" and what comes after it

  // What the filter was given, prefixes too; entries if there is no filter.
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  uint64_t blocks = 0;  // 1, or the number of partitions
  bool partitioned = false;

  // Of the whole filter; partitions count by their bytes, so about by keys.
  double predicted_fp_rate = 1;
  std::optional<double> measured_fp_rate;
  uint64_t probes = 0;

  std::vector<uint64_t> seeds;  // of ours and RocksDB's Ribbon, each once
  uint64_t lines = 0;           // of ours
  KeysPerLine keys_per_line;    // of ours, if asked for

  // Filters that could be read, be it that they are none.
  bool is_readable() const { return filter == "none" || blocks > 0; }
  double bits_per_key() const {
    return keys == 0 ? 0
                     : 8 * static_cast<double>(filter_bytes) /
                           static_cast<double>(keys);
  }
};

struct InspectOptions {
  uint32_t probes = 100000;  // random keys asked for, 0: measure nothing
  uint64_t probe_seed = 1;
  bool lines = true;  // read all keys, for keys_per_line
};

// `progress` is called now and then with the entries read since the last time,
// and how many the table has.
InspectedTable InspectTable(
    const std::string& path, const InspectOptions& options,
    const std::function<void(uint64_t read, uint64_t all)>& progress);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_
