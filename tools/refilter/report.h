// Prints what `oneline refilter` would do, or did.

#ifndef ONELINE_TOOLS_REFILTER_REPORT_H_
#define ONELINE_TOOLS_REFILTER_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "oneline/refilter.h"

namespace oneline {

struct RefilteredFamily {
  std::string name;
  std::string policy;             // for people, and for OPTIONS files
  std::string policy_in_options;  // what the program's compactions write
  RefilterReport report;          // of the dry run, then of the run
};

struct RefilterResult {
  std::string database;
  absl::Status status;  // why it was refused, or failed
  std::vector<RefilteredFamily> families;
  bool is_changed = false;  // it went beyond the dry run
  std::string kept;         // --keep_old
  std::vector<std::string> remarks;

  // The sum of a number over all families.
  uint64_t Sum(uint64_t RefilterReport::*number) const;
};

// JSON: {"path", "error": a text or null, "changed": true if --yes began,
// "column_families": [{"name", "filter_policy", "filter_policy_in_options",
// numbers with the names of RefilterReport, "left": [{"file", "level",
// "why"}]}], "kept": a path or null, "remarks": [texts]}
void PrintRefilterJson(const RefilterResult& result);
void PrintRefilterText(const RefilterResult& result);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_REPORT_H_
