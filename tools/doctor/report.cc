#include "tools/doctor/report.h"

#include <cstdint>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/doctor/family.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

void PrintLevel(const AffectedLevel& level) {
  absl::PrintF("    L%-2d %14s %13s keys %9s of filters", level.level,
               Tables(level.tables), WithCommas(level.keys),
               BytesText(static_cast<double>(level.filter_bytes)));
  if (level.expected_bytes > 0 && level.keys > 0) {
    const auto per_key = [&level](double bytes) {
      return absl::StrFormat("%.2f", BitsPerKey(bytes, level.keys));
    };
    const std::string least = per_key(level.expected_bytes);
    const std::string most = per_key(level.most_expected_bytes);
    absl::PrintF(", %s bits per key, expected %s%s",
                 per_key(static_cast<double>(level.filter_bytes)), least,
                 least == most ? "" : absl::StrCat(" to ", most));
  }
  absl::PrintF("\n");
}

void PrintFinding(int number, const Finding& finding) {
  constexpr size_t kIndent = 4;
  absl::PrintF("\n%2d. %s%s", number, finding.name(),
               finding.is_fault() ? "" : " (a warning)");
  if (!finding.column_family.empty()) {
    absl::PrintF(", column family \"%s\"", Printable(finding.column_family));
  }
  absl::PrintF("\n");
  PrintParagraph(finding.what, kIndent);
  for (const AffectedLevel& level : finding.levels) PrintLevel(level);
  PrintParagraph(absl::StrCat("What to do: ", finding.remedy), kIndent);
  for (const std::string& command : finding.commands) {
    absl::PrintF("      %s\n", command);
  }
}

Json FindingJson(const Finding& finding) {
  Json levels = Json::array();
  for (const AffectedLevel& level : finding.levels) {
    const auto size = [&](double bytes) {
      return level.expected_bytes > 0 ? Json(bytes) : Json(nullptr);
    };
    levels.push_back(
        {{"level", level.level},
         {"tables", level.tables},
         {"keys", level.keys},
         {"filter_bytes", level.filter_bytes},
         {"expected_bytes", size(level.expected_bytes)},
         {"most_expected_bytes", size(level.most_expected_bytes)}});
  }
  return {{"kind", finding.name()},
          {"severity", finding.severity_name()},
          {"column_family", finding.column_family},
          {"what", finding.what},
          {"remedy", finding.remedy},
          {"commands", finding.commands},
          {"levels", levels}};
}

// Null if the newest LOG has none.
Json StatisticsJson(const DatabaseSnapshot& snapshot) {
  const std::optional<LookupStatistics>& sample = snapshot.log.statistics;
  if (!sample.has_value() || !sample->is_of_newest_log) return nullptr;
  const std::optional<FilterRates> expected = ExpectedRates(snapshot);
  const auto rate = [&](double FilterRates::*which) {
    return expected.has_value() ? Json((*expected).*which) : Json(nullptr);
  };
  return {{"begin", TextOrNull(sample->begin)},
          {"end", sample->end},
          {"lookups", sample->lookups},
          {"seeks", sample->seeks},
          {"filter_queries", sample->queries()},
          {"fp_rate", OrNull(sample->fp_rate())},
          {"lowest_expected_fp_rate", rate(&FilterRates::lowest)},
          {"highest_expected_fp_rate", rate(&FilterRates::highest)}};
}

}  // namespace

void PrintText(const DatabaseSnapshot& snapshot, const Findings& findings) {
  absl::PrintF("%s, %s\ntables: %d; column families: %d\n",
               Printable(snapshot.path),
               std::filesystem::path(snapshot.options_file).filename().string(),
               snapshot.num_tables(), snapshot.column_families.size());
  int number = 0;
  for (const Finding& finding : findings) {
    if (finding.is_note()) continue;
    PrintFinding(++number, finding);
  }
  if (number == 0) {
    absl::PrintF("No problems found: the filters are as the options ask.\n");
  }
  for (const Finding& finding : findings) {
    if (!finding.is_note()) continue;
    absl::PrintF("\n");
    PrintParagraph(absl::StrCat("Note: ", finding.what), 0);
  }
}

Json DatabaseJson(const DatabaseSnapshot& snapshot, const Findings& findings) {
  Json problems = Json::array(), notes = Json::array();
  for (const Finding& finding : findings) {
    if (finding.is_note()) {
      notes.push_back(finding.what);
    } else {
      problems.push_back(FindingJson(finding));
    }
  }
  return {{"path", snapshot.path},
          {"options_file", snapshot.options_file},
          {"tables", snapshot.num_tables()},
          {"column_families", snapshot.column_families.size()},
          {"findings", problems},
          {"statistics", StatisticsJson(snapshot)},
          {"hits", OrNull(HitsOf(snapshot))},
          {"notes", notes}};
}

}  // namespace oneline
