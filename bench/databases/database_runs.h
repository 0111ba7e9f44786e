// The runs of the database comparison: each loads databases that differ only in
// the filter, measures them by turns and checks that the comparison is fair.

#ifndef ONELINE_BENCH_DATABASES_DATABASE_RUNS_H_
#define ONELINE_BENCH_DATABASES_DATABASE_RUNS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "bench/comparison/fixed_tree.h"
#include "bench/keys/data_set.h"
#include "tools/text/progress.h"

namespace oneline {

enum class Engine { kRocksDB, kLevelDB };

// How much is measured.
struct Effort {
  double bits_per_key = 10;
  size_t rounds = 7;  // odd
  // Lookups per round of the longest workload; the others do a part of these.
  size_t lookups = 20000;
};

struct Run {
  Engine engine = Engine::kRocksDB;
  FixedTree tree;
  // Measures lookups with all blocks in the block cache.
  bool in_cache = false;
  // Measures them with direct reads and a block cache of 1 % of the data.
  bool from_disk = false;
};

// How many absent keys a data set needs for all workloads of a run.
size_t AbsentKeysNeeded(const Effort& effort);

// Creates databases in `directory`, measures lookups, prints them as a table,
// appends them to `rows` (PrintLookups), and removes the databases. An error if
// an answer is wrong, a filter was not used, trees or numbers of filter checks
// differ, or sizes of filters differ by more than 5 %.
absl::Status CompareLookups(const Run& run, const DataSet& data,
                            const Effort& effort, const std::string& directory,
                            Progress* progress, std::string* rows);

// The same for writing (PrintWrites): each round loads the databases again, one
// at a time. There are 2 * effort.rounds + 1 rounds, because the differences
// are a few percent.
absl::Status CompareWrites(const Run& run, Arrival arrival, const DataSet& data,
                           const Effort& effort, const std::string& directory,
                           Progress* progress, std::string* rows);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_DATABASE_RUNS_H_
