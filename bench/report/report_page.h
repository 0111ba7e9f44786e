// The report of a comparison as one page of HTML that needs no other file.

#ifndef ONELINE_BENCH_REPORT_REPORT_PAGE_H_
#define ONELINE_BENCH_REPORT_REPORT_PAGE_H_

#include <string>

#include "absl/status/statusor.h"

namespace oneline {

// Reads what bench/report/compare.sh and bench/report/report.sh have put into
// the directory:
//   machine.tsv                what, value: where and with what it was measured
//   rates.tsv, filters.tsv     of filter_rates and filter_bench
//   leveldb_filters.tsv        of leveldb_filter_bench
//   lookups.tsv, writes.tsv    of database_bench
//   db_bench.tsv               of bench/db_bench/db_bench.sh
//   *.svg                      plots, see bench/report/plots.gnuplot
// An error if one is missing, or lacks a column.
absl::StatusOr<std::string> ReportPage(const std::string& directory);

}  // namespace oneline

#endif  // ONELINE_BENCH_REPORT_REPORT_PAGE_H_
