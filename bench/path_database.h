// One of the demo's databases: path -> package, in a tree of several levels
// whose shape depends on the data alone, so that databases that differ in
// nothing but the filter can be compared table by table.

#ifndef ONELINE_BENCH_PATH_DATABASE_H_
#define ONELINE_BENCH_PATH_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/statistics.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/path_list.h"
#include "tools/progress.h"

namespace oneline {

// Which of the tree's flushes each path of a list goes to, the same in all
// databases: a random one, as if the paths had arrived in random order.
std::vector<uint8_t> AssignFlushes(size_t num_paths, uint64_t seed);

// Table entries that loading so many paths writes: flushed, then compacted.
uint64_t EntriesWritten(const std::vector<uint8_t>& flush_of_path);

struct Lookup {
  std::string_view path;
  std::optional<std::string_view> package;  // none: the path is not there
};

// What lookups did, from RocksDB's tickers.
struct LookupCounts {
  uint64_t skipped = 0;          // tables that the filter kept closed
  uint64_t false_positives = 0;  // tables opened for a path they lack
  uint64_t true_positives = 0;
  uint64_t block_reads = 0;  // data blocks read from a file

  uint64_t checks() const { return skipped + false_positives + true_positives; }
};

// A table's level, entries, first and last path.
using TableShape = std::tuple<int, uint64_t, std::string, std::string>;

class PathDatabase {
 public:
  struct Options {
    std::string name;       // in errors and in the result
    std::string directory;  // is made
    std::shared_ptr<const rocksdb::FilterPolicy> filter;  // null for none
    bool direct_reads = false;  // past the kernel's page cache
  };

  explicit PathDatabase(Options options);

  // Writes all paths of the list, each in its flush; `progress` advances by
  // EntriesWritten.
  absl::Status Load(const PathList& list,
                    const std::vector<uint8_t>& flush_of_path,
                    Progress* progress);

  // Opens what was loaded for lookups, and checks that each table has a filter
  // of our policy (or none, if that is what was asked for).
  absl::Status OpenForLookups();

  // Looks up paths one after the other: microseconds each. An error if an
  // answer is not the expected one.
  absl::StatusOr<double> RunLookups(const Lookup* lookups, size_t count);

  // Counts since OpenForLookups or the last call.
  LookupCounts TakeCounts();

  const std::string& name() const { return options_.name; }
  bool has_filter() const { return options_.filter != nullptr; }
  double filter_bits_per_key() const { return filter_bits_per_key_; }
  // From the newest table to the oldest, as a lookup meets them.
  const std::vector<TableShape>& tables() const { return tables_; }

 private:
  absl::Status Open();
  absl::Status WriteFlush(const PathList& list,
                          const std::vector<uint8_t>& flush_of_path,
                          size_t flush, Progress* progress);
  absl::Status CompactInto(int level, Progress* progress);
  absl::Status CheckFilters();
  absl::Status Error(const std::string& what) const;
  absl::Status Error(const rocksdb::Status& status) const;
  absl::Status WrongAnswer(const Lookup& lookup,
                           const std::string& answer) const;

  const Options options_;
  rocksdb::Options rocksdb_options_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<TableShape> tables_;
  double filter_bits_per_key_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_PATH_DATABASE_H_
