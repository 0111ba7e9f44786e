// The report of all measurements: a page of HTML that needs no other file.

#ifndef ONELINE_BENCH_REPORT_REPORT_PAGE_H_
#define ONELINE_BENCH_REPORT_REPORT_PAGE_H_

#include <string>

#include "absl/status/statusor.h"

namespace oneline {

// Reads the files that bench/report/compare.sh and bench/report/report.sh have
// written to the directory:
//   machine.tsv                what, value: the machine and the versions
//   rates.tsv, filters.tsv     of filter_rates and filter_bench
//   leveldb_filters.tsv        of leveldb_filter_bench
//   lookups.tsv, writes.tsv    of database_bench
//   db_bench.tsv               of bench/db_bench/db_bench.sh
//   *.svg                      plots, see bench/report/plots.gnuplot
// and returns the page. An error if a file or a column is missing.
absl::StatusOr<std::string> ReportPage(const std::string& directory);

}  // namespace oneline

#endif  // ONELINE_BENCH_REPORT_REPORT_PAGE_H_
