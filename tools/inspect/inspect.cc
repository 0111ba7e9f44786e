// The command `oneline inspect`: the filter of each table, its predicted and
// its measured false-positive rate.

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/command/command.h"
#include "tools/database/table_scan.h"
#include "tools/inspect/inspect_report.h"
#include "tools/inspect/inspect_table.h"

namespace oneline {
namespace {

struct InspectFlags : ScanFlags {
  std::string path;
  InspectOptions options;
};

absl::StatusOr<int> Inspect(const InspectFlags& flags) {
  const absl::StatusOr<ScannedDatabase<InspectedTable>> scanned =
      ScanTables<InspectedTable>(
          flags.path, flags.db_paths, flags.jobs, "reading the filters of",
          [&](const TableFile& file, const EntryProgress&) {
            return InspectTable(file.path, flags.options);
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
  if (flags.json) {
    PrintInspectJson(families, flags.options);
  } else {
    PrintInspectText(families);
  }
  return ExitCodeOf(statuses);
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<InspectFlags>();
  flags->Argument("PATH", &given->path);
  given->AddTo(flags);
  flags->Number("--probes=N", "random keys to look up in each filter", {0, 1e9},
                &given->options.probes);
  flags->Number("--probe_seed=SEED", "seed of the random keys of --probes",
                {0, kMaxKeyCount}, &given->options.probe_seed);
  return [given] { return Inspect(*given); };
}

}  // namespace

extern const Command kInspectCommand = {
    "inspect", "PATH [FLAGS]",
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
properties. It changes nothing, and another process may have the database open.

Exit codes: 0 no damage was found, 1 a table or a filter is damaged or missing,
2 PATH, or a table, could not be read. `oneline verify` checks every key.

Examples:

    $ oneline inspect db --probes=1e6
)",
    &Define};

}  // namespace oneline
