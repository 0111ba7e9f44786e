// Runs the benchmarks in their smallest form: they print what they promise, all
// answers are right, filters are used, and the report has every table.

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tests/testing.h"

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
    std::ofstream paths(paths_);
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
  const std::string paths_ = directory_.File("cache/oneline/debian_paths.tsv");
  const std::string figures_ = directory_.File("figures.tsv");
};

TEST_F(BenchTest, ReportHasAllTables) {
  const Finished run =
      Run("bench/report/report.sh tiny " + directory_.File("out"));
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  const std::string page = ReadWholeFile(directory_.File("out/report.html"));
  for (const char* text :
       {"absent key, 16 KB", "opening, 16 KB", "absent keys from disk, paths",
        "compactions, 20,000 records, sorted",
        "Zipf, full filters, 90% hits, 1/30", "limit for one line",
        "</html>"}) {
    ExpectHas(page, text);
  }
  EXPECT_FALSE(absl::StrContains(page, "<?xml"));
  const std::string figures = ReadWholeFile(directory_.File("out/figures.tsv"));
  for (const std::string row :
       {"absent key, 16 KB\tRocksDB's Bloom, Debian's\tns",
        "build, 10 bits per key\tour Ribbon\tns",
        "false positives, 10 bits per key\tour Ribbon\t%",
        "half absent keys from disk, paths\tour Ribbon\tratio",
        "filling, 20,000 records in random order\tRocksDB's Ribbon\tratio"}) {
    ExpectHas(figures, "\n" + row + "\t");
  }
}

TEST_F(BenchTest, DbBenchComparesFiltersOfTheSameTables) {
  const std::string out = OutputOf("bench/databases/db_bench.sh 20000 8000 1");
  ExpectHas(out, "readrandom");
  for (const std::string filter : {"the same again", "our Ribbon"}) {
    ExpectHas(Figures(),
              "\nreadmissing\t" + filter + "\tfalse positives in 1000\t");
  }
}

TEST_F(BenchTest, DemoPrintsItsTables) {
  const std::string demo = OutputOf(
      "bench/demo/demo --present=1000 --absent=1000 --paths=" + paths_);
  ExpectHas(demo, "tables skipped");
  ExpectHas(demo, "28,000 paths");
}

TEST_F(BenchTest, LargeGoesOnWhereItWasStopped) {
  const std::string keep = directory_.File("keep");
  const std::string command = "KEEP=" + keep +
                              " bench/databases/databases.sh large "
                              "--scale=0.001";
  OutputOf(command);
  const std::string cell = "\nZipf, 30% absent, ours\tours\tratio\t";
  ExpectHas(Figures(), cell);
  ExpectHas(Figures(), "\nRefilter\tRibbon by level\tGB written\t");
  const std::string kept = keep + "/100000 records/";
  ASSERT_TRUE(std::filesystem::remove(kept + "Zipf, 30% absent, ours.tsv"));
  const auto loaded = std::filesystem::last_write_time(kept + "base.tsv");
  OutputOf(command);
  ExpectHas(Figures(), cell);
  EXPECT_EQ(std::filesystem::last_write_time(kept + "base.tsv"), loaded);
}

// Of medians, quartiles and ratios in each round.
TEST_F(BenchTest, FiguresAreThoseOfTheRounds) {
  std::ofstream(directory_.File("raw"))
      << "case\tRocksDB's Bloom\ts\t2\ncase\tours\ts\t4\n"
         "case\tRocksDB's Bloom\ts\t4\ncase\tours\ts\t4\n"
         "case\tRocksDB's Bloom\ts\t1\ncase\tours\ts\t3\n";
  const std::string awk =
      "awk -f bench/report/figures.awk -v published=" + figures_ + " " +
      directory_.File("raw");
  ExpectHas(OutputOf(awk), "4 (3.50-4)");
  EXPECT_EQ(Figures(),
            "case\tRocksDB's Bloom\ts\t2\t1.50\t3\ncase\tours\ts\t4\t3.50\t4\n"
            "case\tRocksDB's Bloom\tratio\t1.00\t\t\n"
            "case\tours\tratio\t2.00\t1.50\t2.50\n");
}

}  // namespace
}  // namespace oneline
