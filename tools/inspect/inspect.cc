// The command `oneline inspect`: the filter of each table, its predicted and
// its measured false-positive rate.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/database/table_scan.h"
#include "tools/inspect/inspect_table.h"
#include "tools/sst/sst_reader.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

using InspectedFamily = ColumnFamilyOf<InspectedTable>;

// Of several tables. One whose filter could not be read counts in `tables` and
// `unreadable` only.
struct Totals {
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  uint64_t tables = 0;
  uint64_t unreadable = 0;
  // Means over the tables, weighted by their keys. A table without a filter has
  // rate 1. No measured rate if a table with a filter has none.
  double predicted_fp_rate = 0;
  std::optional<double> measured_fp_rate;
};

Totals TotalsOf(const std::vector<InspectedTable>& tables) {
  Totals totals;
  double predicted = 0, measured = 0;
  bool all_measured = true;
  for (const InspectedTable& table : tables) {
    ++totals.tables;
    if (!table.status.ok()) {
      ++totals.unreadable;
      continue;
    }
    const double keys = table.keys_to_filter();
    totals.keys += table.keys_to_filter();
    totals.filter_bytes += table.filter_bytes;
    predicted += keys * table.fp_rate;
    all_measured &= table.blocks == 0 || table.measured_fp_rate.has_value();
    measured += keys * table.measured_fp_rate.value_or(1);
  }
  if (totals.keys == 0) return totals;
  totals.predicted_fp_rate = predicted / totals.keys;
  if (all_measured) {
    totals.measured_fp_rate = measured / totals.keys;
  }
  return totals;
}

std::string LevelText(int level) {
  return level < 0 ? "-" : absl::StrCat("L", level);
}

std::string BitsText(uint64_t filter_bytes, uint64_t keys) {
  return keys > 0 ? absl::StrFormat("%.2f", BitsPerKey(filter_bytes, keys))
                  : "-";
}

std::string RateText(const std::optional<double>& rate) {
  return rate.has_value() ? PercentText(*rate) : "-";
}

std::string AskedText(const InspectedTable& table) {
  if (!IsOurs(table.kind)) return "-";
  const double asked = table.asked_bits_per_key;
  return asked > 0 ? absl::StrFormat("%.2f", asked) : "unknown";
}

std::string WrittenText(const InspectedTable& table) {
  if (!IsOurs(table.kind)) return "-";
  return table.written_level < 0 ? "unknown" : LevelText(table.written_level);
}

std::string SeedText(const InspectedTable& table) {
  if (table.seeds.empty()) return "-";
  if (table.seeds.size() > 1) return absl::StrCat(table.seeds.size(), " seeds");
  return absl::StrFormat("0x%x", table.seeds[0]);
}

void PrintTable(const InspectedTable& table) {
  const std::string name =
      Printable(std::filesystem::path(table.file.path).filename().string());
  const bool has_filter = table.blocks > 0;
  const uint64_t keys = table.keys_to_filter();
  absl::PrintF("%-14s %5s %14s  %-15s %8s %10s %10s %10s %8s  %-10s  %s\n",
               name, LevelText(table.file.level), WithCommas(keys),
               table.FilterText(),
               has_filter ? BitsText(table.filter_bytes, keys) : "-",
               has_filter ? PercentText(table.fp_rate) : "-",
               RateText(table.measured_fp_rate),
               table.partitioned ? WithCommas(table.blocks) : "-",
               AskedText(table), WrittenText(table), SeedText(table));
}

void PrintTotals(const std::string& what, const Totals& totals) {
  absl::PrintF("%-14s %5s %14s  %-15s %8s %10s %10s\n", what,
               WithCommas(totals.tables), WithCommas(totals.keys),
               BytesText(totals.filter_bytes),
               BitsText(totals.filter_bytes, totals.keys),
               totals.keys > 0 ? PercentText(totals.predicted_fp_rate) : "-",
               RateText(totals.measured_fp_rate));
}

void PrintFamily(const InspectedFamily& family) {
  if (!family.name.empty()) {
    absl::PrintF("Column family %s\n\n", Printable(family.name));
  }
  absl::PrintF("%-14s %5s %14s  %-15s %8s %10s %10s %10s %8s  %-10s  %s\n",
               "table", "level", "keys", "filter", "bits/key", "predicted",
               "measured", "partitions", "asked", "written to", "seed");
  for (const InspectedTable& table : family.tables) PrintTable(table);
  if (family.name.empty()) return;

  absl::PrintF("\n%-14s %5s %14s  %-15s %8s %10s %10s\n", "level", "tables",
               "keys", "filter memory", "bits/key", "predicted", "measured");
  for (const auto& [level, tables] : ByLevel(family.tables)) {
    PrintTotals(LevelText(level), TotalsOf(tables));
  }
  PrintTotals("all", TotalsOf(family.tables));
}

Json LevelOrNull(int level) { return level < 0 ? Json(nullptr) : Json(level); }

// What is unknown is null. "partitions" is 0 for a filter that has none.
Json JsonOf(const InspectedTable& table) {
  const uint64_t keys = table.keys_to_filter();
  Json seeds = Json::array();
  for (const uint64_t seed : table.seeds) {
    seeds.push_back(absl::StrFormat("0x%x", seed));
  }
  return {{"file", table.file.path},
          {"level", LevelOrNull(table.file.level)},
          {"filter", table.FilterText()},
          {"keys", keys},
          {"filter_bytes", table.filter_bytes},
          {"bits_per_key", BitsPerKey(table.filter_bytes, keys)},
          {"predicted_fp_rate",
           table.blocks > 0 ? Json(table.fp_rate) : Json(nullptr)},
          {"measured_fp_rate", OrNull(table.measured_fp_rate)},
          {"random_keys", table.probes},
          {"partitions", table.partitioned ? table.blocks : 0},
          {"lines", table.lines},
          {"seeds", seeds},
          {"asked_bits_per_key", table.asked_bits_per_key > 0
                                     ? Json(table.asked_bits_per_key)
                                     : Json(nullptr)},
          {"written_level", LevelOrNull(table.written_level)},
          {"message", std::string(table.status.message())}};
}

// `level`: -1 for all.
Json JsonOf(int level, const Totals& totals) {
  return {{"level", LevelOrNull(level)},
          {"tables", totals.tables},
          {"unreadable", totals.unreadable},
          {"keys", totals.keys},
          {"filter_bytes", totals.filter_bytes},
          {"bits_per_key", BitsPerKey(totals.filter_bytes, totals.keys)},
          {"predicted_fp_rate", totals.predicted_fp_rate},
          {"measured_fp_rate", OrNull(totals.measured_fp_rate)}};
}

Json JsonOf(const InspectedFamily& family) {
  Json tables = Json::array(), levels = Json::array();
  for (const InspectedTable& table : family.tables) {
    tables.push_back(JsonOf(table));
  }
  for (const auto& [level, level_tables] : ByLevel(family.tables)) {
    levels.push_back(JsonOf(level, TotalsOf(level_tables)));
  }
  return {{"name", family.name},
          {"tables", tables},
          {"levels", levels},
          {"total", JsonOf(-1, TotalsOf(family.tables))}};
}

// A row for each table, a row for each level, then what is wrong.
void PrintText(const std::vector<InspectedFamily>& families) {
  for (size_t i = 0; i < families.size(); ++i) {
    if (i > 0) absl::PrintF("\n");
    PrintFamily(families[i]);
  }
  const char* before = "\n";
  for (const InspectedFamily& family : families) {
    for (const InspectedTable& table : family.tables) {
      if (table.status.ok()) continue;
      absl::PrintF("%s%s: %s: %s\n", before, Printable(table.file.path),
                   table.FilterText(), Printable(table.status.message()));
      before = "";
    }
  }
}

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
    Json column_families = Json::array();
    for (const InspectedFamily& family : families) {
      column_families.push_back(JsonOf(family));
    }
    PrintJson({{"column_families", column_families},
               {"probe_seed", flags.options.probe_seed}});
  } else {
    PrintText(families);
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
