// Runs bench/databases/database_bench on little data: it prints tables, and
// names errors in flags.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "bench/databases/database_filters.h"
#include "bench/measure/tsv.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

Finished RunBench(const std::string& flags) {
  return RunProgram(absl::StrCat("TMPDIR=", testing::TempDir(),
                                 " bench/databases/database_bench ", flags));
}

TEST(DatabaseBenchTest, ComparesRocksDBsFilters) {
  const TemporaryDirectory out;
  const Finished run = RunBench(
      "--scale=0.001 --rounds=5 --only=rocksdb-counters --out=" + out.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto lookups = ReadTsv(out.File("lookups.tsv"));
  ASSERT_TRUE(lookups.ok()) << lookups.status();
  const size_t num_filters = RocksDBFilters(10).size();
  EXPECT_EQ(lookups->rows.size(), 2 * 6 * num_filters);
  const size_t checks_at = lookups->FindColumn("checks");
  const size_t workload_at = lookups->FindColumn("workload");
  const size_t filter_at = lookups->FindColumn("filter");
  std::set<std::string> filters;
  for (const auto& row : lookups->rows) {
    filters.insert(row[filter_at]);
    if (row[filter_at] == "none" || row[workload_at] != "absent") continue;
    double checks = 0;
    ASSERT_TRUE(absl::SimpleAtod(row[checks_at], &checks));
    EXPECT_NEAR(checks, 6, 0.1);
  }
  EXPECT_EQ(filters.size(), num_filters);
  EXPECT_TRUE(absl::StrContains(run.out, "oneline ribbon"));
}

TEST(DatabaseBenchTest, ComparesLevelDBsFilters) {
  const TemporaryDirectory directory;
  const std::string out = directory.File("is/made");
  const Finished run =
      RunBench("--scale=0.001 --rounds=5 --only=leveldb-random --out=" + out);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ReadTsv(out + "/lookups.tsv")->rows.size(), 2u * 3 * 4);
}

TEST(DatabaseBenchTest, MeasuresNothingIfThereIsNoPlaceForIt) {
  const Finished run = RunBench("--out=/dev/null/x");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(absl::StrContains(run.err, "--out=/dev/null/x: Not a directory"))
      << run.err;
}

TEST(DatabaseBenchTest, PrintsTheOptionsOfFilters) {
  const Finished run = RunBench("--options");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(absl::StrContains(run.out, "bloom\tbloomfilter:10:false\n"));
}

TEST(DatabaseBenchTest, NamesErrorsInFlags) {
  for (const auto& [flags, error] :
       {std::pair("--scale=0", "--scale must be 0.001 to 10"),
        std::pair("--rounds=6", "--rounds must be odd, 5 to 99"),
        std::pair("--bits_per_key=1", "--bits_per_key must be 2 to 30"),
        std::pair("--only=none", "matches none of the runs: rocksdb-large"),
        std::pair("more", "unexpected argument 'more'")}) {
    const Finished run = RunBench(flags);
    EXPECT_EQ(run.exit_code, 2) << flags;
    EXPECT_TRUE(absl::StrContains(run.err, error)) << run.err;
  }
  EXPECT_EQ(RunBench("--only=paths --paths=/no/such/file").exit_code, 1);
}

}  // namespace
}  // namespace oneline
