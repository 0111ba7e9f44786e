// Tests of bench/report/report_page.h and bench/report/plots.gnuplot, which
// read the same tables, with made-up ones.

#include "bench/report/report_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "bench/comparison/comparison_table.h"
#include "bench/measure/tsv.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kLookups[] = {"absent", "present", "batch32",
                                    "dependent_absent", "dependent_present"};

std::vector<std::string> Plots() {
  std::vector<std::string> plots(std::begin(kLookups), std::end(kLookups));
  plots.insert(plots.end(), {"rates", "build", "database"});
  return plots;
}

Rows FilterRows() {
  Rows rows;
  for (const char* filter :
       {"oneline_ribbon_avx2", "oneline_bloom_haswell", "rocksdb_bloom",
        "rocksdb_ribbon", "rocksdb_avx2_bloom", "rocksdb_avx2_ribbon"}) {
    for (const char* what : kLookups) {
      for (const char* size : {"1024KB", "16KB"}) {
        rows.push_back({what, "10", size, "0", filter, "5", "10", "9", "12",
                        "10.01", "1", "0.9", ""});
      }
    }
  }
  for (const char* filter :
       {"oneline_ribbon", "oneline_bloom", "rocksdb_bloom", "rocksdb_ribbon",
        "rocksdb_avx2_bloom", "rocksdb_avx2_ribbon"}) {
    for (const char* bits : {"5", "10"}) {
      rows.push_back({"build", bits, "1024KB", "0", filter, "5", "30", "29",
                      "31", "", "", "", "9"});
    }
  }
  return rows;
}

Rows RateRows() {
  Rows rows = {{"limit", "one line", "10", "0.0013", ""},
               {"limit", "any filter", "10", "0.001", ""},
               {"theory", "oneline_bloom", "10", "0.0096", ""},
               {"theory", "oneline_ribbon", "10", "0.0016", ""}};
  for (const char* filter :
       {"oneline_bloom", "oneline_ribbon", "rocksdb_bloom", "rocksdb_ribbon"}) {
    rows.push_back({"measured", filter, "10", "0.002", "0.0001"});
  }
  return rows;
}

Rows LookupRows(const TsvTable& table) {
  Rows rows;
  for (const char* filter :
       {"none", "bloom", "ribbon", "oneline ribbon", "oneline bloom"}) {
    std::vector<std::string> row = {"RocksDB", "random", "100",  "8000000",
                                    "disk",    "absent", filter, "2000"};
    row.resize(table.columns.size(), "1.5");
    rows.push_back(row);
  }
  return rows;
}

class ReportPageTest : public testing::Test {
 protected:
  ReportPageTest() {
    Write("machine.tsv", {{"what", "value"}, {{"processor", "a < b & c"}}});
    Write("rates.tsv",
          {{"what", "filter", "bits_per_key", "fp_rate", "standard_error"},
           RateRows()});
    Write("filters.tsv",
          {{"what", "bits_per_key", "kilobytes", "offset", "filter",
            "repetitions", "ns", "ns_lower", "ns_upper", "bits/key", "match%",
            "theory%", "peak_bytes/key"},
           FilterRows()});
    Write("leveldb_filters.tsv",
          {{"what", "keys", "filter", "repetitions", "ns", "ns_lower",
            "ns_upper", "bits/key", "match%", "theory%"},
           {{"absent", "20keys", "bloom", "5", "10", "9", "11", "10", "1",
             "1"}}});
    TsvTable lookups = NewLookupTable();
    lookups.rows = LookupRows(lookups);
    Write("lookups.tsv", lookups);
    TsvTable writes = NewWriteTable();
    writes.rows.emplace_back(writes.columns.size(), "2.5");
    Write("writes.tsv", writes);
    Write(
        "db_bench.tsv",
        {{"setting", "filter", "ops_per_s", "ops_per_s_lower",
          "ops_per_s_upper", "ratio", "ratio_lower", "ratio_upper", "checks",
          "false_positives", "fill_ops_per_s"},
         {{"2 million", "ours", "1", "2", "3", "4", "5", "6", "7", "8", "9"}}});
    for (const std::string& plot : Plots()) {
      std::ofstream(File(absl::StrCat(plot, ".svg")))
          << "<?xml version=\"1.0\"?>\n<svg><g id=\"gnuplot_plot_1\"/></svg>\n";
    }
  }

  std::string File(const std::string& name) const {
    return directory_.File(name);
  }
  void Write(const std::string& name, const TsvTable& table) const {
    const absl::Status status = WriteTsv(table, File(name));
    ASSERT_TRUE(status.ok()) << name << ": " << status;
  }
  absl::StatusOr<std::string> Page() const {
    return ReportPage(directory_.path());
  }

  const TemporaryDirectory directory_;
};

TEST_F(ReportPageTest, HasAllTablesAndPlots) {
  const auto page = Page();
  ASSERT_TRUE(page.ok()) << page.status();
  for (const char* text :
       {"a &lt; b &amp; c",
        "RocksDB, random keys, value bytes: 100, 8000000 records, blocks from "
        "disk",
        "oneline bloom", "1.5 <span class=spread>1.5&ndash;1.5</span>",
        "2 million", "20keys", "build, bits per key: 10, 1024KB, offset: 0",
        "limit, one line", "rates_plot_1", "database_plot_1", "</html>"}) {
    EXPECT_TRUE(absl::StrContains(*page, text)) << text;
  }
  EXPECT_FALSE(absl::StrContains(*page, "<?xml"));
  EXPECT_FALSE(absl::StrContains(*page, "src="));
}

TEST_F(ReportPageTest, ErrorsNameMissingFiles) {
  std::filesystem::remove(File("build.svg"));
  EXPECT_TRUE(
      absl::StrContains(std::string(Page().status().message()), "build.svg"));
  std::filesystem::remove(File("writes.tsv"));
  EXPECT_TRUE(
      absl::StrContains(std::string(Page().status().message()), "writes.tsv"));
}

TEST_F(ReportPageTest, ErrorsNameMissingColumns) {
  Write("db_bench.tsv", {{"setting"}, {{"2 million"}}});
  EXPECT_EQ(Page().status().message(),
            "db_bench.tsv: there is no column 'filter'");
}

TEST_F(ReportPageTest, PlotsAreMadeFromTheTables) {
  for (const std::string& plot : Plots()) {
    std::filesystem::remove(File(absl::StrCat(plot, ".svg")));
  }
  char* const root = std::getenv("TEST_SRCDIR");
  ASSERT_NE(root, nullptr);
  const std::string script = absl::StrCat(
      root, "/", std::getenv("TEST_WORKSPACE"), "/bench/report/plots.gnuplot");
  const Finished run =
      RunProgram(absl::StrCat("cd ", directory_.path(),
                              " && gnuplot -e \"ribbon='oneline_ribbon_avx2';"
                              " bloom='oneline_bloom_haswell'\" ",
                              script));
  EXPECT_EQ(run.exit_code, 0);
  // gnuplot would warn of series without points.
  EXPECT_EQ(run.err, "");
  for (const std::string& plot : Plots()) {
    const std::string svg = ReadWholeFile(File(absl::StrCat(plot, ".svg")));
    EXPECT_TRUE(absl::StrContains(svg, "</svg>")) << plot;
    EXPECT_TRUE(absl::StrContains(svg, "oneline ribbon")) << plot;
  }
}

}  // namespace
}  // namespace oneline
