// `oneline inspect` as text for people.

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/inspect/inspect_report.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

std::string LevelText(int level) {
  return level < 0 ? "-" : absl::StrCat("L", level);
}

std::string BitsText(uint64_t filter_bytes, uint64_t keys) {
  return absl::StrFormat("%.2f", BitsPerKey(filter_bytes, keys));
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
  const bool any = totals.keys > 0;
  absl::PrintF("%-14s %5s %14s  %-15s %8s %10s %10s\n", what,
               WithCommas(totals.tables), WithCommas(totals.keys),
               BytesText(static_cast<double>(totals.filter_bytes)),
               any ? BitsText(totals.filter_bytes, totals.keys) : "-",
               any ? PercentText(totals.predicted_fp_rate) : "-",
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

void PrintMessages(const std::vector<InspectedFamily>& families) {
  bool any = false;
  for (const InspectedFamily& family : families) {
    for (const InspectedTable& table : family.tables) {
      if (table.status.ok()) continue;
      absl::PrintF("%s%s: %s: %s\n", any ? "" : "\n",
                   Printable(table.file.path), table.FilterText(),
                   Printable(table.status.message()));
      any = true;
    }
  }
}

}  // namespace

void PrintInspectText(const std::vector<InspectedFamily>& families) {
  for (size_t i = 0; i < families.size(); ++i) {
    if (i > 0) absl::PrintF("\n");
    PrintFamily(families[i]);
  }
  PrintMessages(families);
}

}  // namespace oneline
