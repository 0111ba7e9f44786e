// The results of Google Benchmark as one table, with medians and quartiles of
// the repetitions.

#ifndef ONELINE_BENCH_MEASURE_TSV_REPORTER_H_
#define ONELINE_BENCH_MEASURE_TSV_REPORTER_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/tsv.h"

namespace oneline {

// The columns are those of `name_parts`, the parts of the benchmarks' names;
// then
//   repetitions
//   ns, ns_lower, ns_upper    per item: median and quartiles
// then the medians of `counters`, empty where a benchmark does not have the
// counter. Benchmarks whose names have another number of parts are left out.
class TsvReporter final : public benchmark::BenchmarkReporter {
 public:
  TsvReporter(std::vector<std::string> name_parts,
              std::vector<std::string> counters)
      : name_parts_(std::move(name_parts)), counters_(std::move(counters)) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  TsvTable Table() const;

 private:
  struct Benchmark {
    std::string name;
    std::vector<double> nanoseconds;  // of each repetition
    std::map<std::string, std::vector<double>> counters;
  };

  Benchmark* Find(const std::string& name);

  const std::vector<std::string> name_parts_;
  const std::vector<std::string> counters_;
  std::vector<Benchmark> benchmarks_;  // in the order of their first run
  std::map<std::string, size_t> indices_;
};

// Runs the registered benchmarks as the flags say, and returns the exit code
// for main(). With --benchmark_out=FILE the table goes to that file.
int RunBenchmarks(const std::vector<std::string>& name_parts,
                  const std::vector<std::string>& counters, int argc,
                  char** argv);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_TSV_REPORTER_H_
