// Prints what `oneline refilter` would do, or did.

#ifndef ONELINE_TOOLS_REFILTER_REPORT_H_
#define ONELINE_TOOLS_REFILTER_REPORT_H_

#include <string>
#include <vector>

#include "tools/refilter/plan.h"
#include "tools/refilter/run.h"

namespace oneline {

struct RefilterReport {
  std::string database;
  bool done = false;  // the plan was carried out
  std::string kept;   // the directory of the old state; empty: not kept
  RunResult result;   // if done
  std::vector<std::string> remarks;
};

// Of the plan: what later compactions will write, and the lines to change.
std::vector<std::string> RemarksOn(const RefilterPlan& plan);

// JSON: {"path", "tables", "tables_kept", "bytes", "refused": [texts],
// "column_families": [{"name", "filter_policy", "filter_policy_in_options",
// "levels": [{"level", "tables", "rewritten", "keys", "now": {"memory",
// "wasted_reads"}, "then": the same}]}], "done": null or {"tables",
// "bytes_written", "batches": [{"tables", "bytes", "seconds"}],
// "left": [paths]}, "kept": a path or null, "remarks": [texts]}
void PrintReportJson(const RefilterPlan& plan, const RefilterReport& report);
void PrintReportText(const RefilterPlan& plan, const RefilterReport& report);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_REPORT_H_
