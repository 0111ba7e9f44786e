// Advice as text, as JSON and as a plot.

#ifndef ONELINE_TOOLS_ADVISE_ADVICE_REPORT_H_
#define ONELINE_TOOLS_ADVISE_ADVICE_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/advise/advice.h"
#include "tools/database/log_file.h"

namespace oneline {

struct Advice {
  std::string path;
  std::string options_file;  // of the database; empty if there is none
  std::vector<FamilyTree> trees;
  std::vector<FamilyAdvice> families;  // of the trees, with what was asked for
  // The same trees with the memory of today, and with as many wasted reads as
  // today. Empty if there are no filters today.
  std::vector<FamilyAdvice> same_memory, same_reads;
  std::optional<FilterStatistics> statistics;
  std::vector<std::string> remarks;  // sentences

  // What --write did.
  std::string written;  // the OPTIONS file; empty: none
  std::string backup;   // what was there before; empty: it was the same
};

// What to do online, as C++: SetOptions for a policy of ours, or nothing where
// the database must be opened anew.
std::string SetOptionsCall(const FamilyAdvice& family);

void PrintAdviceText(const Advice& advice);

//   {"path": S, "options_file": S,
//    "now": {"memory": N, "wasted_reads": N}, "proposed": {the same},
//    "same_memory": {the same} or null, "same_reads": {the same} or null,
//    "column_families": [{"name": S, "filter_policy": S, "proposed": S,
//      "set_options": S or null, "keys": N, "levels": [{"level": N,
//        "tables": N, "keys": N, "now": {"bits_per_key": N, "memory": N,
//        "wasted_reads": N}, "proposed": {the same}}, ...]}, ...],
//    "statistics": {"time": S, "lookups": N, "filter_negatives": N,
//      "filter_positives": N, "filter_true_positives": N} or null,
//    "remarks": [S, ...], "written": S or null, "backup": S or null}
//
// Memory is bytes, wasted reads are for each lookup of an absent key.
void PrintAdviceJson(const Advice& advice);

// Wasted reads against memory: the curve of our filters, allocated over levels
// and all the same, and on it today's point and the proposal.
absl::Status PlotAdvice(const Advice& advice, const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_ADVICE_REPORT_H_
