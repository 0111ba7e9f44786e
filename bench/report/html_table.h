// The tables of the report in HTML.

#ifndef ONELINE_BENCH_REPORT_HTML_TABLE_H_
#define ONELINE_BENCH_REPORT_HTML_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/measure/tsv.h"

namespace oneline {

struct HtmlColumn {
  const char* name;   // in the table
  const char* title;  // on the page
  bool has_spread;    // also show the columns name_lower and name_upper
};

// One HTML table, with a heading, for each combination of values of the columns
// `headings`, with a line above each new value of the first of `columns`. An
// error if a column does not exist.
absl::StatusOr<std::string> HtmlTables(const TsvTable& table,
                                       const std::vector<std::string>& headings,
                                       const std::vector<HtmlColumn>& columns);

}  // namespace oneline

#endif  // ONELINE_BENCH_REPORT_HTML_TABLE_H_
