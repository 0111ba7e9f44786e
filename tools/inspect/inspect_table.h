// The filter of one table: its kind and size, its predicted and measured
// false-positive rates, and what it records of how it was written.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "filter_policy/refilter/table_filter.h"
#include "tools/database/database_tables.h"

namespace oneline {

// `filter_bytes` are those of its blocks.
struct InspectedTable : TableFilter {
  TableFile file;  // set by ScanTables

  // Why the table or its filter could not be read: NotFound if there is no
  // file, Unavailable if the system did not let it be read, Unimplemented if
  // the filter is another policy's or the table is not block-based. Otherwise
  // it is damaged.
  absl::Status status;

  uint64_t blocks = 0;  // 1, or the number of partitions
  bool partitioned = false;

  // Of the whole filter: by the bits of its blocks, and by random keys. The
  // mean over the partitions, weighted by their bytes and so about by their
  // keys.
  double fp_rate = 1;
  std::optional<double> measured_fp_rate;
  uint64_t probes = 0;

  // The distinct seeds of our blocks and of RocksDB's Ribbon blocks.
  std::vector<uint64_t> seeds;
  uint64_t lines = 0;  // of our blocks

  bool is_missing() const { return absl::IsNotFound(status); }
  // NameOf(kind), or why it is not known: "unknown", "other format", "damaged",
  // "missing" or "unreadable".
  const char* FilterText() const;
};

struct InspectOptions {
  uint32_t probes = 100000;  // random keys looked up; 0: measure nothing
  uint64_t probe_seed = 1;   // of the random keys
};

// Thread-safe. Never fails: the result has a status.
InspectedTable InspectTable(const std::string& path,
                            const InspectOptions& options);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_
