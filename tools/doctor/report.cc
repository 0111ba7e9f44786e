#include "tools/doctor/report.h"

#include <filesystem>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "tools/doctor/family.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

void PrintLevel(const AffectedLevel& level) {
  absl::PrintF("    L%-2d %14s %13s keys %9s of filters", level.level,
               Tables(level.tables), WithCommas(level.keys),
               BytesText(level.filter_bytes));
  if (level.expected_bytes > 0 && level.keys > 0) {
    const auto per_key = [&level](double bytes) {
      return absl::StrFormat("%.2f", BitsPerKey(bytes, level.keys));
    };
    const std::string least = per_key(level.expected_bytes);
    const std::string most = per_key(level.most_expected_bytes);
    absl::PrintF(", %s bits per key, expected %s%s",
                 per_key(level.filter_bytes), least,
                 least == most ? "" : absl::StrCat(" to ", most));
  }
  absl::PrintF("\n");
}

void PrintFinding(int number, const Finding& finding) {
  constexpr size_t kIndent = 4;
  absl::PrintF("\n%2d. %s%s", number, finding.kind->name,
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
  return {{"kind", finding.kind->name},
          {"severity", finding.severity()},
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
  return {
      {"begin", TextOrNull(sample->begin)},
      {"end", sample->end},
      {"lookups", sample->lookups},
      {"seeks", sample->seeks},
      {"filter_queries", sample->queries()},
      {"fp_rate", OrNull(sample->fp_rate())},
      {"lowest_expected_fp_rate", expected ? Json(expected->lowest) : nullptr},
      {"highest_expected_fp_rate",
       expected ? Json(expected->highest) : nullptr}};
}

// NAME="VALUE", of any bytes. The format has three escapes, \\, \" and \n, of
// which C's leave two to do: different values stay different.
std::string Label(const char* name, const std::string& value) {
  return absl::StrCat(name, "=\"",
                      absl::StrReplaceAll(absl::CHexEscape(value),
                                          {{"\\", "\\\\"}, {"\"", "\\\""}}),
                      "\"");
}

std::string GaugeText(const char* name, const char* help,
                      const std::map<std::string, double>& samples) {
  if (samples.empty()) return "";
  std::string text =
      absl::StrFormat("# HELP %1$s %2$s\n# TYPE %1$s gauge\n", name, help);
  for (const auto& [labels, value] : samples) {
    absl::StrAppendFormat(&text, "%s{%s} %.17g\n", name, labels, value);
  }
  return text;
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

std::string MetricsText(
    const std::map<std::string, std::optional<Findings>>& databases) {
  std::map<std::string, double> examined, problems, counts, tables;
  for (const auto& [path, findings] : databases) {
    const std::string db = Label("db", path);
    examined[db] = findings.has_value();
    if (!findings.has_value()) continue;
    // Also where nothing is found: a series that is missing raises no alert.
    problems[db] = 0;
    for (const Finding& finding : *findings) {
      if (finding.is_note()) continue;
      ++problems[db];
      const std::string labels =
          absl::StrCat(db, ",", Label("column_family", finding.column_family),
                       ",", Label("kind", finding.kind->name), ",",
                       Label("severity", finding.severity()));
      ++counts[labels];
      for (const AffectedLevel& level : finding.levels) {
        tables[labels] += level.tables;
      }
    }
  }
  return absl::StrCat(
      GaugeText("oneline_doctor_examined",
                "1, or 0 if the database could not be examined.", examined),
      GaugeText("oneline_doctor_finding", "Findings of one kind.", counts),
      GaugeText("oneline_doctor_finding_tables",
                "Tables that the findings are about.", tables),
      GaugeText("oneline_doctor_problems", "Findings in the database.",
                problems));
}

}  // namespace oneline
