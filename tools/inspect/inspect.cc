// The command `oneline inspect`: the filter of each table, its predicted and
// its measured false-positive rate.

#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "tools/command/command.h"
#include "tools/command/flags.h"
#include "tools/database/table_scan.h"
#include "tools/inspect/inspect_report.h"
#include "tools/inspect/inspect_table.h"

namespace oneline {
namespace {

absl::StatusOr<int> Inspect(const std::vector<std::string>& arguments) {
  const std::string& path = arguments[0];
  InspectOptions options;
  options.probes = absl::GetFlag(FLAGS_probes);
  options.probe_seed = absl::GetFlag(FLAGS_probe_seed);
  options.lines = absl::GetFlag(FLAGS_lines);
  const absl::StatusOr<ScannedDatabase<InspectedTable>> scanned =
      ScanTables<InspectedTable>(
          path, absl::GetFlag(FLAGS_db_paths), absl::GetFlag(FLAGS_jobs),
          options.lines ? "reading all of" : "reading the filters of",
          [&](const TableFile& file, const EntryProgress& progress) {
            return InspectTable(file.path, options, progress);
          });
  if (!scanned.ok()) return scanned.status();
  const std::vector<InspectedFamily>& families = scanned->column_families;
  std::vector<absl::Status> statuses;
  for (const InspectedFamily& family : families) {
    for (const InspectedTable& table : family.tables) {
      statuses.push_back(WithPath(table.file.path, table.status));
    }
  }
  if (!scanned->is_database && absl::IsUnimplemented(statuses[0]) &&
      families[0].tables[0].kind != FoundKind::kForeign) {
    return statuses[0];
  }
  const std::string svg = absl::GetFlag(FLAGS_svg);
  if (!svg.empty()) {
    const absl::Status plotted = PlotInspected(families, svg);
    if (!plotted.ok()) return plotted;
  }
  if (absl::GetFlag(FLAGS_json)) {
    PrintInspectJson(families, options);
  } else if (absl::GetFlag(FLAGS_prometheus)) {
    PrintInspectPrometheus(path, families);
  } else {
    PrintInspectText(families);
  }
  return ExitCodeOf(statuses);
}

}  // namespace

extern const Command kInspectCommand = {
    "inspect",
    "PATH [FLAGS]",
    "the filter of each table, and its false-positive rate",
    R"(Shows the filter of each table of a database, or of one SST file:

  keys        keys and prefixes that the filter was given; for a table without
              a filter, its entries
  filter      "ribbon" and "bloom" are this library's, "RocksDB ..." are
              RocksDB's, "unknown" is a filter of another policy
  bits/key    the filter's size divided by its keys, not the option
  predicted   the false-positive rate by the filter's bits
  measured    the false-positive rate of --probes random keys
  partitions  the number of partitions, if the filter has them
  asked       the bits per key that the options gave the table when it was
              written; like "written to", only our filters record it
  written to  the level that the table was written to, which RocksDB may have
              moved since
  seed        the seed of the key hash

The totals of each level follow. inspect reads only filters, indexes and
properties. With --lines it also reads all keys, and prints how many keys the
lines of our filters have, beside how many they would have by chance.

It changes nothing, and another process may have the database open. --svg also
plots the rates of all tables, and the keys per line; it needs gnuplot.

Exit codes: 0 no damage was found, 1 a table or a filter is damaged or missing,
2 PATH, or a table, could not be read. `oneline verify` checks every key.

Example:

    oneline inspect db --svg=filters.svg
)",
    {"json", "prometheus", "svg", "probes", "probe_seed", "lines", "db_paths",
     "jobs"},
    1,
    1,
    &Inspect};

}  // namespace oneline
