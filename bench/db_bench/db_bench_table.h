// What runs of db_bench come to.

#ifndef ONELINE_BENCH_DB_BENCH_DB_BENCH_TABLE_H_
#define ONELINE_BENCH_DB_BENCH_DB_BENCH_TABLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "bench/measure/tsv.h"

namespace oneline {

// From one row for each run of readmissing, as bench/db_bench/db_bench.sh
// writes it:
//   setting, filter, round
//   fill_ops_per_s      of the run that made the database
//   ops_per_s, reads, found
//   useful, positive    filter checks that kept a table closed, or did not
// to one row for each filter:
//   setting, filter
//   ops_per_s, ratio    to `base` in the same round; medians, with _lower and
//                       _upper quartiles
//   checks              filters asked for each key
//   false_positives     for each 1000 keys
//   fill_ops_per_s
// An error if a missing key was found, a filter other than `none` kept no table
// closed, or a filter lacks a round of the base's.
absl::StatusOr<TsvTable> SummarizeDbBench(const TsvTable& runs,
                                          const std::string& base,
                                          const std::string& none);

}  // namespace oneline

#endif  // ONELINE_BENCH_DB_BENCH_DB_BENCH_TABLE_H_
