// What `oneline advise` found, and its output as text, JSON and a plot.

#ifndef ONELINE_TOOLS_ADVISE_ADVICE_REPORT_H_
#define ONELINE_TOOLS_ADVISE_ADVICE_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/advise/column_family_model.h"

namespace oneline {

struct Advice {
  std::string path;
  std::string options_file;  // of the database; empty if there is none
  // Of the lookups that come to the last level, those that find their key.
  double hits = 0;
  std::vector<ColumnFamilyModel> models;
  std::vector<ColumnFamilyAdvice> families;  // of the models, as asked for
  // Proposals with today's memory, and with today's wasted reads. Empty if no
  // filters are in use today.
  std::vector<ColumnFamilyAdvice> same_memory, same_reads;
  std::vector<std::string> remarks;  // sentences
};

// A C++ call of SetOptions that applies the proposal to an open database. Empty
// if the current policy is not ours: then the database must be reopened.
std::string SetOptionsCall(const ColumnFamilyAdvice& family);

void PrintAdviceText(const Advice& advice);

// Memory is in bytes, wasted reads are per lookup that comes to the last level;
// null is what is unknown or empty.
void PrintAdviceJson(const Advice& advice);

// Writes an SVG to `path`: wasted reads against memory, a curve for filters
// with bits by level and one for the same bits on all levels, with today's
// filters and the proposal as points. Errors are those of WriteSvg.
absl::Status PlotAdvice(const Advice& advice, const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_ADVICE_REPORT_H_
