// The last step of bench/db_bench/db_bench.sh: prints a summary of runs of
// readmissing. Reads them from standard input, a line for each, with these
// cells separated by tabs:
//   filter
//   fill_ops_per_s      of the run that filled the database
//   ops_per_s, reads, found
//   useful, positive    filter checks by which a table was skipped, or not
// The filter "none" is none, and ratios are to "bloom". Ends with an error if a
// missing key was found, a filter skipped no table, or filters do not have as
// many rounds.

#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

struct Runs {
  std::string filter;
  double fill_ops = 0, reads = 0, found = 0, useful = 0, positive = 0;
  std::vector<double> ops;  // of each round
};

// In the order of their first run. False if a line is no run.
bool Read(std::istream& lines, std::vector<Runs>* all) {
  std::map<std::string, size_t> indices;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string filter;
    std::getline(cells, filter, '\t');
    double fill_ops, ops, reads, found, useful, positive;
    if (!(cells >> fill_ops >> ops >> reads >> found >> useful >> positive)) {
      return false;
    }
    const auto [at, added] = indices.emplace(filter, all->size());
    if (added) all->push_back({filter, fill_ops, 0, 0, 0, 0, {}});
    Runs& runs = (*all)[at->second];
    runs.ops.push_back(ops);
    runs.reads += reads;
    runs.found += found;
    runs.useful += useful;
    runs.positive += positive;
  }
  return true;
}

// What is wrong with them; empty if nothing is.
std::string ErrorIn(const std::vector<Runs>& all) {
  for (const Runs& runs : all) {
    const std::string name = absl::StrCat("'", runs.filter, "': ");
    if (runs.found > 0) return name + "a missing key was found";
    if (runs.filter != "none" && runs.useful == 0) {
      return name + "the filter was not used: it skipped no table";
    }
    if (runs.ops.size() != all[0].ops.size()) {
      return absl::StrCat(name, runs.ops.size(), " rounds, but ",
                          all[0].ops.size(), " of '", all[0].filter, "'");
    }
  }
  return "";
}

void Print(const std::vector<Runs>& all, const Runs& base) {
  absl::PrintF("%-15s %8s %21s %7s %7s %11s\n", "", "ops/s", "ratio", "checks",
               "false", "fill ops/s");
  for (const Runs& runs : all) {
    const Spread ratio = SpreadOfRatios(runs.ops, base.ops);
    absl::PrintF("%-15s %8.0f %21s %7.3f %7.2f %11.0f\n", runs.filter,
                 SpreadOf(runs.ops).median,
                 absl::StrFormat("%.3f (%.3f-%.3f)", ratio.median, ratio.lower,
                                 ratio.upper),
                 (runs.useful + runs.positive) / runs.reads,
                 1000 * runs.positive / runs.reads, runs.fill_ops);
  }
}

}  // namespace
}  // namespace oneline

int main() {
  std::vector<oneline::Runs> all;
  std::string error = "a run of db_bench lacks a number";
  if (oneline::Read(std::cin, &all)) error = oneline::ErrorIn(all);
  const oneline::Runs* base = nullptr;
  for (const auto& runs : all) {
    if (runs.filter == "bloom") base = &runs;
  }
  if (error.empty() && base == nullptr) error = "there are no runs of 'bloom'";
  if (error.empty()) {
    oneline::Print(all, *base);
    return 0;
  }
  absl::FPrintF(stderr, "error: db_bench: %s\n", error);
  return 1;
}
