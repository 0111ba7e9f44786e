// Reads every key of a table and looks it up in the table's own filter.

#ifndef ONELINE_TOOLS_SST_DISTINCT_KEYS_H_
#define ONELINE_TOOLS_SST_DISTINCT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "tools/sst/filtered_keys.h"
#include "tools/sst/sst_reader.h"

namespace oneline {

// Receives the number of entries read since the previous call, and the number
// that the table has.
using EntryProgress = std::function<void(uint64_t read, uint64_t all)>;

// One key of a table. The views are valid during the visit only.
struct DistinctKey {
  std::string_view key;

  // What the filter must contain for this key.
  FilteredKeys::Entries entries;

  // Whether all of it passes the filter.
  bool passes = false;

  // The partition that it passes, or, for a key that does not pass, the one
  // that the key before it passed. 0 for a filter without partitions.
  size_t partition = 0;

  // The key has a prefix, and the last key before it that had one had the same.
  bool repeats_prefix = false;
};

// Calls `visit` once for each distinct key of the table, in the table's order;
// the versions of one key, deletions included, are one key. Stops when `visit`
// returns false. Calls `progress` every 16,384 entries and at the end.
//
// REQUIRES: the table has a filter block. Errors: those of
// SstReader::ForEachEntry; a key that does not pass is no error.
absl::Status ForEachDistinctKey(
    SstReader& table, const FilteredKeys& keys, const EntryProgress& progress,
    const std::function<bool(const DistinctKey&)>& visit);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_DISTINCT_KEYS_H_
