// Measures the same lookups in several databases by turns, so that other work
// of the machine affects all of them alike, and fails unless the comparison is
// fair.

#ifndef ONELINE_BENCH_DATABASES_COMPARISON_H_
#define ONELINE_BENCH_DATABASES_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/databases/database.h"
#include "bench/keys/records.h"
#include "tools/text/progress.h"

namespace oneline {

using Databases = std::vector<std::unique_ptr<Database>>;

struct Workload {
  std::string name;
  std::vector<Lookup> lookups;  // each round has its own part of them
  bool multi_get = false;       // of 32 keys at once
  // Of each database in a round, in each of which it looks up as many keys.
  // Many short ones keep from the results what slows the machine for seconds.
  size_t turns = 1;
  // The first half of the turns fills the cache, and is not counted.
  bool fills_cache = false;
  // Databases without a filter do 1 / unfiltered_share of the lookups.
  size_t unfiltered_share = 1;
  // 1 / latency_share of the lookups are timed one by one, which slows them
  // down; 0: none.
  size_t latency_share = 0;
};

// The results of one database.
struct Measured {
  uint64_t lookups = 0;
  LookupCounts counts;
  // Microseconds per lookup, for each turn.
  std::vector<double> wall_micros;
  std::vector<double> cpu_micros;
  // Of single calls, in all rounds: with keys that are there, and with others.
  std::vector<double> present_micros, absent_micros;
};

// Databases with the same tables: that of the first filter is loaded, the
// others are copies of it.
Databases MakeDatabases(const std::string& directory,
                        const std::vector<Filter>& filters,
                        const rocksdb::Options& options,
                        const rocksdb::BlockBasedTableOptions& table,
                        const Records& records, const LoadPlan& plan,
                        Progress* progress);

// Opens all databases in turn, beginning with database `first`. Fails unless
// all have the same tables on the same levels.
void OpenAll(const Reads& reads, size_t first, const Databases& databases);

// Runs all rounds of the workloads. Returns what was measured of each workload
// and, in it, of each database. All databases are opened anew for each round,
// in another order: where the memory of a database happens to lie makes a
// difference of up to 7 % in its lookups. With direct reads they are opened for
// each workload, too, so that none finds its blocks in the cache.
std::vector<std::vector<Measured>> Compare(
    const Reads& reads, const std::vector<Workload>& workloads, size_t rounds,
    const Databases& databases, Progress* progress);

// Fails if a database with a filter skipped no table, or if two of them with
// filters in all tables did not check the same number. REQUIRES: keys were
// absent among those looked up, or present in several tables.
void CheckFiltersUsed(const Databases& databases,
                      const std::vector<Measured>& measured);

// Prints the results of each database (PrintResult):
//   lookups per second     of wall time, for each turn
//   processor time, us     for each lookup and each turn
//   p50, us and p99, us    of single calls, if some were timed; "p50 absent,
//   us"
//                          where keys of both kinds were looked up
//   filters queried        for each lookup
//   false positives in 1000, block reads in 1000, blocks    lookups: the last
//                          are of all kinds, read into the cache
//   bits per key           of filter
void PrintLookups(const std::string& of, const Databases& databases,
                  const std::vector<Measured>& measured);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_COMPARISON_H_
