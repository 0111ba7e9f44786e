// The same lookups in several databases by turns, so that what else the machine
// does meets all alike; and the checks without which the results would mean
// nothing.

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

// Keys of one MultiGet, the most that RocksDB asks a filter for at once.
inline constexpr size_t kKeysAtOnce = 32;

struct Workload {
  Operation operation = Operation::kGet;
  std::vector<Lookup> lookups;  // each round has its own part of them
  size_t rounds = 0;            // odd, for the median
  // Databases without a filter do one in so many of a round's lookups.
  size_t unfiltered_share = 1;
  // One in so many lookups is timed for itself, which takes time; 0: none.
  size_t latency_share = 0;

  size_t per_round() const { return lookups.size() / rounds; }
};

// What one database did.
struct Measured {
  uint64_t lookups = 0;
  LookupCounts counts;
  // Microseconds for a lookup, of each round.
  std::vector<double> wall_micros;
  std::vector<double> cpu_micros;
  std::vector<float> latency_micros;  // of single calls, from all rounds
};

// An error if an answer is wrong. REQUIRES: databases open for lookups.
absl::StatusOr<std::vector<Measured>> Compare(const Workload& workload,
                                              const Databases& databases,
                                              Progress* progress);

// Fails if two databases have not the same tables on the same levels.
absl::Status CheckSameTrees(const Databases& databases);

// Fails if a database with a filter skipped no table, though lookups of absent
// keys were among those measured, or if two of them did not check the same
// number of filters. (Databases without a filter check none.)
absl::Status CheckFiltersUsed(const Databases& databases,
                              const std::vector<Measured>& measured);

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_COMPARISON_H_
