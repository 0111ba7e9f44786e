#include "bench/measure/tsv_reporter.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

// The parts of the name without those that Google Benchmark appends, such as
// "/min_time:0.1".
std::vector<std::string> PartsOf(const std::string& name) {
  std::vector<std::string> parts;
  for (const auto part : absl::StrSplit(name, '/')) {
    if (part.find(':') == part.npos) parts.emplace_back(part);
  }
  return parts;
}

// Whether a run has no time because of an error. Google Benchmark 1.8 renamed
// the field.
template <typename Run>
auto HasFailed(const Run& run, int /*preferred*/)
    -> decltype(run.error_occurred) {
  return run.error_occurred;
}
template <typename Run>
bool HasFailed(const Run& run, long /*otherwise*/) {
  return run.skipped != 0;
}

}  // namespace

TsvReporter::Benchmark* TsvReporter::Find(const std::string& name) {
  const auto [found, added] = indices_.emplace(name, benchmarks_.size());
  if (added) benchmarks_.push_back({name, {}, {}});
  return &benchmarks_[found->second];
}

void TsvReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration || HasFailed(run, 0)) continue;
    Benchmark* const benchmark = Find(run.run_name.str());
    benchmark->nanoseconds.push_back(run.GetAdjustedCPUTime());
    for (const auto& [name, counter] : run.counters) {
      benchmark->counters[name].push_back(counter.value);
    }
  }
}

TsvTable TsvReporter::Table() const {
  TsvTable table;
  table.columns = name_parts_;
  for (const char* column : {"repetitions", "ns", "ns_lower", "ns_upper"}) {
    table.columns.push_back(column);
  }
  table.columns.insert(table.columns.end(), counters_.begin(), counters_.end());
  for (const Benchmark& benchmark : benchmarks_) {
    std::vector<std::string> row = PartsOf(benchmark.name);
    if (row.size() != name_parts_.size()) continue;
    const Spread spread = SpreadOf(benchmark.nanoseconds);
    row.push_back(absl::StrCat(benchmark.nanoseconds.size()));
    row.push_back(TsvNumber(spread.median));
    row.push_back(TsvNumber(spread.lower));
    row.push_back(TsvNumber(spread.upper));
    for (const std::string& name : counters_) {
      const auto found = benchmark.counters.find(name);
      row.push_back(found == benchmark.counters.end()
                        ? ""
                        : TsvNumber(SpreadOf(found->second).median));
    }
    table.rows.push_back(row);
  }
  return table;
}

void TsvReporter::Finalize() {
  const auto text = TsvText(Table());
  if (text.ok()) {
    GetOutputStream() << *text;
  } else {
    std::cerr << "error: " << text.status().message() << "\n";
  }
}

int RunBenchmarks(const std::vector<std::string>& name_parts,
                  const std::vector<std::string>& counters, int argc,
                  char** argv) {
  // Google Benchmark refuses a reporter for a file if no file is named.
  const bool to_file = std::any_of(argv, argv + argc, [](const char* word) {
    return std::string_view(word).substr(0, 16) == "--benchmark_out=";
  });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  TsvReporter reporter(name_parts, counters);
  benchmark::RunSpecifiedBenchmarks(nullptr, to_file ? &reporter : nullptr);
  return 0;
}

}  // namespace oneline
