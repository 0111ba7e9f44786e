// Loads several databases, measures the same lookups in them by turns, so that
// other work of the machine affects all of them alike, and checks that the
// comparison is fair.

#ifndef ONELINE_BENCH_COMPARISON_COMPARISON_H_
#define ONELINE_BENCH_COMPARISON_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/comparison/database.h"
#include "tools/text/progress.h"

namespace oneline {

using Databases = std::vector<std::unique_ptr<Database>>;

enum class Operation { kGet, kMultiGet, kSeekPrefix };

// Keys per MultiGet: the most that RocksDB looks up in a filter at once.
inline constexpr size_t kKeysAtOnce = 32;

struct Workload {
  Operation operation = Operation::kGet;
  std::vector<Lookup> lookups;  // each round has its own part of them
  size_t rounds = 0;            // odd, for the median
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

// Loads all databases, so many at once. REQUIRES: their loading times are not
// compared.
absl::Status LoadAll(const Records& records, const LoadPlan& plan,
                     const Databases& databases, size_t at_once,
                     Progress* progress);

// Opens all databases in turn, beginning with database `first`. An error unless
// all have the same tables on the same levels.
absl::Status OpenAll(const Reads& reads, size_t first,
                     const Databases& databases);

// Runs one round, 0 to rounds - 1, of the workload in all databases, and adds
// to the result of each. An error if an answer is wrong. REQUIRES: all
// databases are open for lookups; as many results.
absl::Status CompareRound(const Workload& workload, size_t round,
                          const Databases& databases, Progress* progress,
                          std::vector<Measured>* measured);

// Runs all rounds; one result for each database.
absl::StatusOr<std::vector<Measured>> Compare(const Workload& workload,
                                              const Databases& databases,
                                              Progress* progress);

// An error if a database with a filter skipped no table, or if two of them did
// not check the same number of filters. REQUIRES: keys were absent among those
// looked up.
absl::Status CheckFiltersUsed(const Databases& databases,
                              const std::vector<Measured>& measured);

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_COMPARISON_H_
