#include "tools/inspect/inspect_report.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

// The totals of each level that has tables, level 0 first.
std::vector<InspectTotals> TotalsByLevel(const InspectedFamily& family) {
  std::vector<InspectTotals> totals;
  for (const auto& [level, tables] : ByLevel(family.tables)) {
    totals.push_back(TotalsOf(tables));
    totals.back().level = level;
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

void PrintTotals(const std::string& what, const InspectTotals& totals) {
  absl::PrintF("%-14s %5s %14s  %-15s %8s %10s %10s\n", what,
               WithCommas(totals.tables), WithCommas(totals.keys),
               BytesText(static_cast<double>(totals.filter_bytes)),
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
  for (const InspectTotals& level : TotalsByLevel(family)) {
    PrintTotals(LevelText(level.level), level);
  }
  PrintTotals("all", TotalsOf(family.tables));
}

Json LevelOrNull(int level) { return level < 0 ? Json(nullptr) : Json(level); }

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

Json JsonOf(const InspectTotals& totals) {
  return {{"level", LevelOrNull(totals.level)},
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
  for (const InspectTotals& level : TotalsByLevel(family)) {
    levels.push_back(JsonOf(level));
  }
  return {{"name", family.name},
          {"tables", tables},
          {"levels", levels},
          {"total", JsonOf(TotalsOf(family.tables))}};
}

}  // namespace

InspectTotals TotalsOf(const std::vector<InspectedTable>& tables) {
  InspectTotals totals;
  double predicted = 0, measured = 0;
  bool all_measured = true;
  for (const InspectedTable& table : tables) {
    ++totals.tables;
    if (!table.status.ok()) {
      ++totals.unreadable;
      continue;
    }
    const auto keys = static_cast<double>(table.keys_to_filter());
    totals.keys += table.keys_to_filter();
    totals.filter_bytes += table.filter_bytes;
    predicted += keys * table.fp_rate;
    all_measured &= table.blocks == 0 || table.measured_fp_rate.has_value();
    measured += keys * table.measured_fp_rate.value_or(1);
  }
  if (totals.keys == 0) return totals;
  totals.predicted_fp_rate = predicted / static_cast<double>(totals.keys);
  if (all_measured) {
    totals.measured_fp_rate = measured / static_cast<double>(totals.keys);
  }
  return totals;
}

void PrintInspectText(const std::vector<InspectedFamily>& families) {
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

void PrintInspectJson(const std::vector<InspectedFamily>& families,
                      const InspectOptions& options) {
  Json column_families = Json::array();
  for (const InspectedFamily& family : families) {
    column_families.push_back(JsonOf(family));
  }
  PrintJson({{"column_families", column_families},
             {"probe_seed", options.probe_seed}});
}

}  // namespace oneline
