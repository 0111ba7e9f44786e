// Tables of the report, in HTML.

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
  bool has_spread;    // name_lower and name_upper are shown, too
};

// A table for each combination of values of `headings`; within it a line above
// each new value of the first column. An error if a column is not there.
absl::StatusOr<std::string> HtmlTables(const TsvTable& table,
                                       const std::vector<std::string>& headings,
                                       const std::vector<HtmlColumn>& columns);

}  // namespace oneline

#endif  // ONELINE_BENCH_REPORT_HTML_TABLE_H_
