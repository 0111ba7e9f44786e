// Runs the benchmarks in their smallest form: they print what they promise, all
// answers are right, filters are used, and the report has every table and plot.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

void ExpectHas(const std::string& text, const std::string& part) {
  EXPECT_TRUE(absl::StrContains(text, part)) << part << "\nis not in\n" << text;
}

class BenchTest : public testing::Test {
 protected:
  // Writes a list of paths where bench/keys/debian_paths.sh keeps its own.
  BenchTest() {
    std::filesystem::create_directories(directory_.File("cache/oneline"));
    std::ofstream paths(directory_.File("cache/oneline/debian_paths.tsv"));
    for (int i = 0; i < 25000; ++i) {
      paths << absl::StrFormat("usr/bin/%05d\tpackage-%d\n", i, i % 100);
    }
    for (int i = 0; i < 3000; ++i) {
      paths << absl::StrFormat("usr/share/%05d.html\tdoc\n", i);
    }
  }

  // Runs it with the programs that are built.
  Finished Run(const std::string& command) const {
    return RunProgram(absl::StrCat(
        "ONELINE_PROGRAMS=", std::filesystem::current_path().string(),
        " XDG_CACHE_HOME=", directory_.File("cache"),
        " TMPDIR=", directory_.path(), " ", command));
  }
  // What it prints.
  std::string OutputOf(const std::string& command) const {
    const Finished run = Run("FIGURES=" + figures_ + " " + command);
    EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.err;
    return run.out;
  }
  // What the last one wrote for the documents.
  std::string Figures() const { return ReadWholeFile(figures_); }

  const TemporaryDirectory directory_;
  const std::string figures_ = directory_.File("figures.tsv");
};

TEST_F(BenchTest, ReportHasAllTablesAndPlots) {
  const Finished run =
      Run("bench/report/report.sh tiny " + directory_.File("out"));
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  const std::string page = ReadWholeFile(directory_.File("out/report.html"));
  for (const char* text :
       {"10 bits, 16 KB, offset 0", "20 keys",
        "blocks from cache: MultiGet absent, 2 threads",
        "paths keys, value bytes: packages, blocks from disk: absent",
        "writing, sorted", "LevelDB, 20000 records", "prefix present",
        "Zipf, full filters, 90% hits, 1/30", "database_plot_5", "</html>"}) {
    EXPECT_TRUE(absl::StrContains(page, text)) << text;
  }
  // Its tables' numbers, and those of the documents.
  const std::string figures = ReadWholeFile(directory_.File("out/figures.tsv"));
  for (const char* text :
       {"command\tmake bench, tiny: 1 repetitions\n",
        "false positives, 10 bits per key\tRocksDB's Ribbon\t%\t",
        "20 keys\tabsent key: our Ribbon\tns\t",
        "Get, absent keys\tour Ribbon\tns of 2 threads\t",
        "absent keys from disk, paths\tno filter\tratio\t",
        "LevelDB, absent keys in the cache, 20,000 records\tLevelDB's Bloom\t",
        "cache lines, present key, filter at 16 modulo 64\tour Bloom, "}) {
    ExpectHas(figures, text);
  }
  // It needs no other file.
  EXPECT_FALSE(absl::StrContains(page, "src="));
  EXPECT_FALSE(absl::StrContains(page, "<?xml"));
}

TEST_F(BenchTest, FlagsThatMeanNothingAreErrors) {
  for (const char* command :
       {"budget/budget_bench --keys=1", "databases/database_bench --rounds=6",
        "demo/demo", "filters/filter_bench --no_such_flag",
        "levels/hits_bench --keys=1", "levels/level_bench --keys=1",
        "urls/crawled_urls 5x", "urls/url_sets_bench x"}) {
    EXPECT_EQ(Run(absl::StrCat("bench/", command)).exit_code, 2) << command;
  }
}

TEST_F(BenchTest, DbBenchComparesFiltersOfTheSameTables) {
  const std::string out = OutputOf("bench/databases/db_bench.sh 20000 8000 1");
  ExpectHas(out, "readwhilewriting");
  for (const std::string filter : {"the same again", "our Ribbon"}) {
    ExpectHas(Figures(),
              "\nreadmissing\t" + filter + "\tfalse positives in 1000\t");
  }
}

TEST_F(BenchTest, WaysToRememberUrlsAreCompared) {
  const std::string out =
      OutputOf("bench/urls/urls.sh --benchmark_min_time=0.001 20000");
  ExpectHas(out, "20000 URLs: ns");
  ExpectHas(Figures(), "\n20000 URLs\tset of strings\tadd\t");
  ExpectHas(out, "new lost%");
}

TEST_F(BenchTest, SieveAndItsRivalsPrintTheSame) {
  const std::string out = OutputOf("bench/urls/sieve_bench.sh 1 5000");
  ExpectHas(out, "Debian paths: 5000 lines, 5000 different");
  ExpectHas(out, "generated URLs: 5000 lines, 2500 different");
  ExpectHas(Figures(), "\ngenerated URLs\tsieve --capacity\tx awk\t");
}

TEST_F(BenchTest, RefilterIsComparedWithCompactions) {
  const std::string out = OutputOf(
      "COMPRESSIONS=kNoCompression SECONDS_EACH=1 "
      "bench/refilter/refilter_bench.sh 3 1");
  ExpectHas(out, "CompactRange kForceOptimized");
  ExpectHas(out, "refilter cold");
  const std::string figures = Figures();
  ExpectHas(figures, "\nkNoCompression, jobs 2\trefilter cold\twall s\t");
  for (const std::string beside : {"no refilter, again", "Refilter, 20 MB/s"}) {
    ExpectHas(figures, "\nlookups, kNoCompression\t" + beside + "\tp99, us\t");
  }
}

TEST_F(BenchTest, OneBudgetForFiltersAndData) {
  ExpectHas(OutputOf("bench/budget/budget.sh --keys=300000 --lookups=1000 "
                     "--only='full filters, 90% hits, 1/30'"),
            "\nZipf, full filters, 90% hits, 1/30 ");
  for (const char* filter : {"RocksDB's Bloom", "RocksDB's Bloom, again",
                             "oneline", "uniform", "hits"}) {
    ExpectHas(Figures(), absl::StrCat("\t", filter, "\tblocks\t"));
  }
}

TEST_F(BenchTest, DemoAndHistoriesPrintTheirTables) {
  const std::string demo =
      OutputOf("bench/demo/demo --present=1000 --absent=1000 --paths=" +
               directory_.File("cache/oneline/debian_paths.tsv"));
  ExpectHas(demo, "tables skipped");
  ExpectHas(demo, "28,000 paths");
  ExpectHas(OutputOf("bench/levels/levels.sh --keys=4000000 --lookups=1000 "
                     "--only='one run'"),
            "of uniform");
  ExpectHas(Figures(),
            "\none run, after CompactRange\toneline:10\tof uniform, median\t");
}

}  // namespace
}  // namespace oneline
