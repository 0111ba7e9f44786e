// Tests of bench/measure/tsv_reporter.h.

#include "bench/measure/tsv_reporter.h"

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace oneline {
namespace {

using Repeated = benchmark::BenchmarkReporter::Run;

Repeated Repetition(const std::string& name, double nanoseconds,
                    double counter) {
  Repeated run;
  run.run_name.function_name = name;
  run.run_type = Repeated::RT_Iteration;
  run.iterations = 10;
  run.cpu_accumulated_time = 10 * nanoseconds * 1e-9;
  run.time_unit = benchmark::kNanosecond;
  run.counters["bits/key"] = counter;
  return run;
}

TEST(TsvReporterTest, QuartilesOfRepetitions) {
  TsvReporter reporter({"what", "filter"}, {"bits/key", "match%"});
  reporter.ReportRuns({Repetition("absent/bloom", 5, 10),
                       Repetition("present/bloom", 9, 10),
                       Repetition("absent/bloom", 1, 12)});
  reporter.ReportRuns({Repetition("absent/bloom", 3, 11)});
  const TsvTable table = reporter.Table();
  EXPECT_EQ(table.columns, (std::vector<std::string>{
                               "what", "filter", "repetitions", "ns",
                               "ns_lower", "ns_upper", "bits/key", "match%"}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"absent", "bloom", "3",
                                                     "3", "2", "4", "11", ""}));
  EXPECT_EQ(table.rows[1][0], "present");
}

TEST(TsvReporterTest, LeavesOutAggregatesAndOtherNames) {
  TsvReporter reporter({"what", "filter"}, {});
  Repeated mean = Repetition("absent/bloom", 5, 10);
  mean.run_type = Repeated::RT_Aggregate;
  reporter.ReportRuns({mean, Repetition("keys_alone", 5, 10)});
  EXPECT_TRUE(reporter.Table().rows.empty());
}

TEST(TsvReporterTest, IgnoresWhatGoogleBenchmarkAppendsToNames) {
  TsvReporter reporter({"what", "filter"}, {});
  reporter.ReportRuns({Repetition("absent/bloom/min_time:0.1", 5, 10)});
  ASSERT_EQ(reporter.Table().rows.size(), 1u);
}

}  // namespace
}  // namespace oneline
