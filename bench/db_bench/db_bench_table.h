// Summarizes runs of db_bench.

#ifndef ONELINE_BENCH_DB_BENCH_DB_BENCH_TABLE_H_
#define ONELINE_BENCH_DB_BENCH_DB_BENCH_TABLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "bench/measure/tsv.h"

namespace oneline {

// Takes one row for each run of readmissing, as bench/db_bench/db_bench.sh
// writes it:
//   setting, filter, round
//   fill_ops_per_s      of the run that filled the database
//   ops_per_s, reads, found
//   useful, positive    filter checks by which a table was skipped, or not
// and returns one row for each filter:
//   setting, filter
//   ops_per_s           the median, and _lower and _upper quartiles
//   ratio               ops_per_s divided by that of `base` in the same round,
//                       likewise
//   checks              filters checked per key
//   false_positives     per 1000 keys
//   fill_ops_per_s
// An error if a missing key was found, a filter other than `none` skipped no
// table, or a filter does not have as many rounds as the base.
absl::StatusOr<TsvTable> SummarizeDbBench(const TsvTable& runs,
                                          const std::string& base,
                                          const std::string& none);

}  // namespace oneline

#endif  // ONELINE_BENCH_DB_BENCH_DB_BENCH_TABLE_H_
