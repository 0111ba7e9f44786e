// Prints what `oneline refilter` would do, or did.

#ifndef ONELINE_TOOLS_REFILTER_REPORT_H_
#define ONELINE_TOOLS_REFILTER_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "oneline/refilter.h"
#include "tools/refilter/plan.h"

namespace oneline {

struct RefilterResult {
  RefilterPlan plan;
  absl::Status status;         // why it was refused, or failed
  RefilterReport report;       // of the dry run, then of the run
  bool is_changed = false;     // it went beyond the dry run
  bool is_left_known = false;  // it came to the tables
  std::string kept;            // --keep_old
  std::vector<std::string> remarks;
};

void PrintRefilterJson(const RefilterResult& result);
void PrintRefilterText(const RefilterResult& result);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_REPORT_H_
