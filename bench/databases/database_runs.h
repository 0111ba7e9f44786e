// The runs of the database comparison: each loads databases that differ in
// nothing but the filter and measures them by turns, with the checks.

#ifndef ONELINE_BENCH_DATABASES_DATABASE_RUNS_H_
#define ONELINE_BENCH_DATABASES_DATABASE_RUNS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "bench/keys/data_set.h"
#include "bench/measure/tsv.h"
#include "tools/text/progress.h"

namespace oneline {

enum class Store { kRocksDB, kLevelDB };

// How much is measured.
struct Effort {
  double bits_per_key = 10;
  size_t rounds = 7;  // odd
  // The longest workload's lookups in a round; others have a share of these.
  size_t lookups = 20000;
};

struct Run {
  Store store = Store::kRocksDB;
  FixedTree tree;
  bool in_cache = false;   // lookups with all blocks in the block cache
  bool from_disk = false;  // direct reads, and a cache of a hundredth
};

// Keys that a data set must lack, for all workloads of a run.
size_t AbsentKeysNeeded(const Effort& effort);

// Makes databases in `directory` and removes them again. Rows go to `table`. An
// error if an answer is wrong, a filter was not used, trees or the numbers of
// filter checks differ, or memory differs by more than a twentieth.
absl::Status CompareLookups(const Run& run, const DataSet& data,
                            const Effort& effort, const std::string& directory,
                            Progress* progress, TsvTable* table);

// Loads the databases again in each round, one at a time. There are twice as
// many rounds and one: what differs by a few percent takes many.
absl::Status CompareWrites(const Run& run, Arrival arrival, const DataSet& data,
                           const Effort& effort, const std::string& directory,
                           Progress* progress, TsvTable* table);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_DATABASE_RUNS_H_
