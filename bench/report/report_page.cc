#include "bench/report/report_page.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "bench/measure/tsv.h"
#include "bench/report/html_table.h"

namespace oneline {
namespace {

constexpr char kHead[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>oneline: filters compared</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
h1, h2, h3 { line-height: 1.2 }
h3 { margin: 1.6em 0 0.4em }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { padding: 1px 8px; text-align: right; white-space: nowrap }
th { border-bottom: 1px solid #999; vertical-align: bottom }
.text { text-align: left }
tr.first td { border-top: 1px solid #ccc }
.spread { color: #777 }
figure { margin: 1em 0 }
svg { max-width: 100%; height: auto }
</style></head><body>
)";

constexpr char kIntroduction[] = R"(
<p>Filters take turns in all measurements. Figures are medians and, in grey,
quartiles; ratios of databases are of the same round. All filters of a
comparison have the same size. All answers were checked, and all databases of a
comparison have the same tree and the same number of filter checks.</p>
)";

constexpr char kLookupsText[] = R"(
<p>ops/s: keys or prefixes per second, by one thread. ratio: to the Bloom filter
of RocksDB or LevelDB. p50 and p99: of single calls; a call of MultiGet has 32
keys. cpu: time of the thread per key. checks: filters checked per key. false
and reads: false positives, which are wasted reads of data blocks, and data
blocks read, per 1000 keys. bits: of filter per record. With all data in the
cache nothing is read, and a false positive costs a search in a block. For
present prefixes, false also counts the tables that do have the prefix, because
RocksDB does not distinguish them.</p>
)";

constexpr char kWritesText[] = R"(<h2>Writing</h2>
<p>Seconds for all records: to fill memtables and level 0, for compactions, and
processor time of both. Records are written in random order with a log, as most
applications do, or, for RocksDB, sorted and without a log, which is the fastest
way to load.</p>
)";

constexpr char kDbBenchText[] = R"(<h2>RocksDB's own db_bench</h2>
<p>The distribution's program, unchanged, with the library preloaded: readmissing
in databases that fillrandom made. Each database has the tree that its
compactions happened to make, so compare checks.</p>
)";

constexpr char kFiltersText[] = R"(
<p>Times are ns per key and include the time to make the key. A
"dependent" lookup waits for the answer before, as a database asks one filter
after the other.</p>
<details><summary>All measurements</summary>
)";

// Builds the page, and keeps the first error.
class Page {
 public:
  explicit Page(std::string directory) : directory_(std::move(directory)) {}

  void Text(const std::string& html) { html_ += html; }

  void Plot(const std::string& name) {
    const std::string path = absl::StrCat(directory_, "/", name, ".svg");
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
      return Fail(absl::StrCat("cannot read ", path, ": ", strerror(errno)));
    }
    const std::string svg = text.str();
    const size_t start = svg.find("<svg");  // after the XML declaration
    if (start == svg.npos) return Fail(path + " is not an SVG file");
    // The names of elements must be unique on the page.
    absl::StrAppend(&html_, "<figure>",
                    absl::StrReplaceAll(svg.substr(start),
                                        {{"gnuplot_plot_", name + "_plot_"},
                                         {"gpPt", name + "_point_"},
                                         {"gpDot", name + "_dot"}}),
                    "</figure>\n");
  }

  void Table(const std::string& file, const std::vector<std::string>& headings,
             const std::vector<HtmlColumn>& columns) {
    const auto table = ReadTsv(absl::StrCat(directory_, "/", file));
    if (!table.ok()) return Fail(std::string(table.status().message()));
    const auto html = HtmlTables(*table, headings, columns);
    if (!html.ok()) {
      return Fail(
          absl::StrCat(file, ": ", std::string(html.status().message())));
    }
    html_ += *html;
  }

  absl::StatusOr<std::string> Finish() const {
    if (!status_.ok()) return status_;
    return html_ + "</body></html>\n";
  }

 private:
  void Fail(const std::string& what) {
    status_.Update(absl::InvalidArgumentError(what));
  }

  const std::string directory_;
  std::string html_ = kHead;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::string> ReportPage(const std::string& directory) {
  Page page(directory);
  page.Text("<h1>Filters compared</h1>\n");
  page.Table("machine.tsv", {},
             {{"what", "measured on", false}, {"value", "", false}});
  page.Text(kIntroduction);

  page.Text("<h2>Filters in databases</h2>\n");
  page.Plot("database");
  page.Text(kLookupsText);
  page.Table("lookups.tsv",
             {"store", "keys", "value_bytes", "records", "reads"},
             {{"workload", "workload", false},
              {"filter", "filter", false},
              {"ops_per_s", "ops/s", true},
              {"ratio", "ratio", true},
              {"p50_us", "p50 us", false},
              {"p99_us", "p99 us", false},
              {"cpu_us", "cpu us", false},
              {"checks", "checks", false},
              {"false_positives", "false", false},
              {"block_reads", "reads", false},
              {"filter_bits", "bits", false}});
  page.Text(kWritesText);
  page.Table("writes.tsv", {"store", "keys", "value_bytes", "records"},
             {{"workload", "arrival", false},
              {"filter", "filter", false},
              {"fill_s", "fill s", false},
              {"fill_ratio", "ratio", true},
              {"compact_s", "compaction s", false},
              {"compact_ratio", "ratio", true},
              {"cpu_s", "cpu s", false},
              {"cpu_ratio", "ratio", true},
              {"filter_bits", "bits", false}});
  page.Text(kDbBenchText);
  page.Table("db_bench.tsv", {"setting"},
             {{"filter", "filter", false},
              {"ops_per_s", "ops/s", true},
              {"ratio", "ratio", true},
              {"checks", "checks", false},
              {"false_positives", "false", false},
              {"fill_ops_per_s", "fill ops/s", false}});

  page.Text("<h2>Filters alone</h2>\n");
  page.Plot("rates");
  for (const char* what : {"absent", "present", "batch32", "dependent_absent",
                           "dependent_present"}) {
    page.Plot(what);
  }
  page.Plot("build");
  page.Text(kFiltersText);
  page.Table("filters.tsv", {"what", "bits_per_key", "kilobytes", "offset"},
             {{"filter", "filter", false},
              {"ns", "ns", true},
              {"bits/key", "bits/key", false},
              {"match%", "match %", false},
              {"theory%", "theory %", false},
              {"peak_bytes/key", "peak bytes/key", false}});
  page.Table("leveldb_filters.tsv", {"what", "keys"},
             {{"filter", "filter", false},
              {"ns", "ns", true},
              {"bits/key", "bits/key", false},
              {"match%", "match %", false},
              {"theory%", "theory %", false}});
  page.Table("rates.tsv", {"what", "filter"},
             {{"bits_per_key", "bits/key", false},
              {"fp_rate", "rate", false},
              {"standard_error", "standard error", false}});
  page.Text("</details>\n");
  return page.Finish();
}

}  // namespace oneline
