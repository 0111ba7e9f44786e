// The command `oneline inspect`.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/command/parallel.h"
#include "tools/database/database_tables.h"
#include "tools/inspect/inspect_report.h"
#include "tools/inspect/inspect_table.h"
#include "tools/inspect/inspect_totals.h"
#include "tools/text/file_progress.h"
#include "tools/text/number_text.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

std::vector<InspectedFamily> InspectAll(const DatabaseTables& database,
                                        const InspectOptions& options) {
  std::vector<InspectedFamily> families;
  uint64_t bytes = 0;
  for (const ColumnFamilyTables& family : database.column_families) {
    families.push_back({family.name, {}});
    for (const TableFile& file : family.tables) {
      families.back().files.push_back({file, {}});
      bytes += file.bytes;
    }
  }
  std::vector<InspectedFile*> files;
  for (InspectedFamily& family : families) {
    for (InspectedFile& file : family.files) files.push_back(&file);
  }
  Progress progress(stderr);
  progress.Begin(absl::StrCat("inspecting ", Tables(files.size())), bytes);
  ParallelFor(files.size(), absl::GetFlag(FLAGS_jobs), [&](size_t i) {
    FileProgress file(&progress, files[i]->file.bytes);
    files[i]->table = InspectTable(
        files[i]->file.path, options,
        [&](uint64_t read, uint64_t all) { file.Advance(read, all); });
  });
  progress.End();
  return families;
}

bool IsWrong(const InspectedFile& file) {
  return file.table.filter == "damaged" || file.table.filter == "missing";
}

// Tables that another process compacted away since they were listed.
absl::Status LeaveOutVanished(const std::string& path,
                              std::vector<InspectedFamily>* families) {
  const auto missing = [](const InspectedFile& file) {
    return file.table.filter == "missing";
  };
  bool any = false;
  for (const InspectedFamily& family : *families) {
    any |= std::any_of(family.files.begin(), family.files.end(), missing);
  }
  if (!any) return absl::OkStatus();
  const absl::StatusOr<DatabaseTables> again = TablesAt(path);
  if (!again.ok()) return again.status();
  for (InspectedFamily& family : *families) {
    const auto vanished = [&](const InspectedFile& file) {
      return missing(file) && !again->Lists(file.file.path);
    };
    family.files.erase(
        std::remove_if(family.files.begin(), family.files.end(), vanished),
        family.files.end());
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Inspect(const std::vector<std::string>& arguments) {
  const std::string& path = arguments[0];
  InspectOptions options;
  options.probes = absl::GetFlag(FLAGS_probes);
  options.probe_seed = absl::GetFlag(FLAGS_probe_seed);
  options.lines = absl::GetFlag(FLAGS_lines);
  const absl::StatusOr<DatabaseTables> database = TablesAt(path);
  if (!database.ok()) return database.status();
  std::vector<InspectedFamily> families = InspectAll(*database, options);
  if (!database->is_database) {
    const InspectedTable& table = families[0].files[0].table;
    if (table.filter == "other format") {
      return absl::UnimplementedError(absl::StrCat(path, ": ", table.message));
    }
  }
  const absl::Status status = LeaveOutVanished(path, &families);
  if (!status.ok()) return status;
  const std::string svg = absl::GetFlag(FLAGS_svg);
  if (!svg.empty()) {
    const absl::Status plotted = PlotInspected(families, svg);
    if (!plotted.ok()) return plotted;
  }
  if (absl::GetFlag(FLAGS_json)) {
    PrintInspectJson(families, options);
  } else {
    PrintInspectText(families);
  }
  for (const InspectedFamily& family : families) {
    if (std::any_of(family.files.begin(), family.files.end(), IsWrong)) {
      return kExitFound;
    }
  }
  return kExitFine;
}

}  // namespace

extern const Command kInspectCommand = {
    "inspect",
    "PATH [--json] [--svg=FILE] [--probes=N] [--probe_seed=N] [--nolines]"
    " [--jobs=N]",
    "show the filter of each table, and what it lets pass",
    R"(Shows the filter of each table of a database, or of one SST file:

  keys        that the filter was given, prefixes too; without a filter the
              table's entries
  filter      ribbon and bloom are ours, then RocksDB's; unknown is the filter of
              another policy
  bits/key    of the bytes and keys that are there, not of the options
  predicted   the part of absent keys that pass, by the bits of the filter
  measured    the part of --probes random keys that passed
  partitions  of a filter that has them
  seed        of the key hash

then what each level adds up to, and how the keys are spread over the lines of
our filters, beside how chance would spread them. Nothing is changed, and
another process may have the database open.

--svg also plots the rates of all tables and the keys per line; it needs gnuplot.

Exit codes: 0 all filters are as described, 1 a table or a filter is damaged, 2
PATH could not be looked at. `oneline verify` looks closer.

Example:

    oneline inspect db --svg=filters.svg
)",
    {"json", "svg", "probes", "probe_seed", "lines", "jobs"},
    1,
    1,
    &Inspect};

}  // namespace oneline
