// The last step of bench/db_bench/db_bench.sh: prints the summary of the runs,
// and writes it to a file. Usage: summarize_db_bench RUNS.tsv [RESULT.tsv]

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "bench/db_bench/db_bench_table.h"
#include "bench/measure/tsv.h"

namespace oneline {
namespace {

void Print(const TsvTable& table) {
  absl::PrintF("\n%s\n%-15s %10s %-19s %7s %-13s %7s %7s %10s\n",
               table.rows.empty() ? "" : table.rows[0][0], "", "ops/s",
               "quartiles", "ratio", "quartiles", "checks", "false",
               "fill ops/s");
  for (const std::vector<std::string>& row : table.rows) {
    absl::PrintF("%-15s %10s %-19s %7.5s %-13s %7.5s %7.5s %10s\n", row[1],
                 row[2], row[3] + "-" + row[4], row[5],
                 row[6].substr(0, 5) + "-" + row[7].substr(0, 5), row[8],
                 row[9], row[10]);
  }
}

int Fail(const absl::Status& status) {
  absl::FPrintF(stderr, "error: %s\n", status.message());
  return 1;
}

int Run(const std::string& runs_file, const std::string& result_file) {
  const auto runs = ReadTsv(runs_file);
  if (!runs.ok()) return Fail(runs.status());
  const auto table = SummarizeDbBench(*runs, "bloom", "none");
  if (!table.ok()) return Fail(table.status());
  Print(*table);
  if (result_file.empty()) return 0;
  const absl::Status status = WriteTsv(*table, result_file);
  return status.ok() ? 0 : Fail(status);
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    absl::FPrintF(stderr, "usage: summarize_db_bench RUNS.tsv [RESULT.tsv]\n");
    return 2;
  }
  return oneline::Run(argv[1], argc == 3 ? argv[2] : "");
}
