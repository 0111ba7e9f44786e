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
  bool multi_get = false;       // of 32 keys at once
  std::vector<Lookup> lookups;  // each round has its own part of them
  size_t rounds = 1;
  // Databases without a filter do 1 / unfiltered_share of the lookups.
  size_t unfiltered_share = 1;
  // 1 / latency_share of the lookups are timed one by one, on one thread, which
  // slows them down; 0: none.
  size_t latency_share = 0;
  // Each does an equal part of the others, all at the same time.
  size_t threads = 1;

  size_t per_round() const { return lookups.size() / rounds; }
};

// The results of one database.
struct Measured {
  uint64_t lookups = 0;
  LookupCounts counts;
  // Microseconds per lookup, for each round.
  std::vector<double> wall_micros;
  std::vector<double> cpu_micros;
  std::vector<float> latency_micros;  // of single calls, in all rounds
};

// Loads all databases, so many at once.
void LoadAll(const Records& records, const LoadPlan& plan,
             const Databases& databases, size_t at_once, Progress* progress);

// Opens all databases in turn, beginning with database `first`. Fails unless
// all have the same tables on the same levels.
void OpenAll(const Reads& reads, size_t first, const Databases& databases);

// Runs one round, 0 to rounds - 1, of the workload in all databases, which are
// open, and adds to the result of each.
void CompareRound(const Workload& workload, size_t round,
                  const Databases& databases, Progress* progress,
                  std::vector<Measured>* measured);

// Fails if a database with a filter skipped no table, or if two of them did not
// check the same number of filters. REQUIRES: keys were absent among those
// looked up, or present in several tables.
void CheckFiltersUsed(const Databases& databases,
                      const std::vector<Measured>& measured);

// Prints the results of each database (PrintResult):
//   lookups per second     of wall time, for each round
//   processor time, us     of the threads, for each lookup and each round
//   p50, us and p99, us    of single calls, if some were timed
//   filters queried        for each lookup
//   false positives in 1000, block reads in 1000    lookups
//   bits per key           of filter
void PrintLookups(const std::string& of, const Databases& databases,
                  std::vector<Measured> measured);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_COMPARISON_H_
