// The filter of one table: its kind and size, its predicted and measured
// false-positive rates, and what it records of how it was written.

#ifndef ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_
#define ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "table/block/filter_block.h"
#include "tools/database/database_tables.h"
#include "tools/sst/distinct_keys.h"

namespace oneline {

// How many keys the lines of our filters have, beside how many they would have
// by chance: a histogram over the lines of any number of filters.
class KeysPerLine {
 public:
  // Adds one filter: the number of keys of each of its lines.
  void AddFilter(const std::vector<uint32_t>& keys_of_line);
  void Add(const KeysPerLine& other);

  // lines()[i] is the number of lines with i keys; expected()[i] is the number
  // to expect if keys fall on lines at random: the keys of a line then have a
  // Poisson distribution with the mean of its own filter. Both have the same
  // length.
  const std::vector<uint64_t>& lines() const { return lines_; }
  const std::vector<double>& expected() const { return expected_; }
  uint64_t num_lines() const { return num_lines_; }

 private:
  void Extend(size_t length);

  std::vector<uint64_t> lines_;
  std::vector<double> expected_;
  uint64_t num_lines_ = 0;
};

struct FilterSize {
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;

  double bits_per_key() const {
    return keys == 0 ? 0
                     : 8 * static_cast<double>(filter_bytes) /
                           static_cast<double>(keys);
  }
};

// `keys` are the keys and prefixes that the filter was given; without a filter,
// the table's entries.
struct InspectedTable : FilterSize {
  TableFile file;  // set by ScanTables

  // The kind (decoded_filter.h), or "none", "unknown" (the filter is another
  // policy's), "other format" (the table is not block-based), "damaged" (the
  // filter or the table), "missing" (there is no file) or "unreadable" (the
  // system did not let it be read).
  std::string filter = "none";
  std::string message;  // the reason, for "unknown" and those named after it

  uint64_t blocks = 0;  // 1, or the number of partitions
  bool partitioned = false;

  // Our filters only; where partitions differ, of the largest. Tables that were
  // written to be ingested have no level.
  std::optional<Trailer> trailer;

  // Rates of the whole filter: means over the partitions, weighted by their
  // bytes and so about by their keys.
  double predicted_fp_rate = 1;
  std::optional<double> measured_fp_rate;
  uint64_t probes = 0;

  // The distinct seeds of our blocks and of RocksDB's Ribbon blocks.
  std::vector<uint64_t> seeds;
  uint64_t lines = 0;         // of our blocks
  KeysPerLine keys_per_line;  // the same; empty without InspectOptions::lines

  bool is_missing() const { return filter == "missing"; }
  // Whether the table has no filter, or one that could be read.
  bool is_readable() const { return filter == "none" || blocks > 0; }
};

struct InspectOptions {
  uint32_t probes = 100000;  // random keys looked up; 0: measure nothing
  uint64_t probe_seed = 1;   // of the random keys
  bool lines = false;        // read all keys, for keys_per_line
};

// Thread-safe. Never fails: `filter` and `message` of the result say what could
// not be read.
InspectedTable InspectTable(const std::string& path,
                            const InspectOptions& options,
                            const EntryProgress& progress);

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_INSPECT_TABLE_H_
