#include "tools/doctor/metrics.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace oneline {
namespace {

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

void Metrics::AddNotExamined(const std::string& path) {
  examined_[Label("db", path)] = 0;
}

void Metrics::Add(const std::string& path, const Findings& findings) {
  const std::string db = Label("db", path);
  examined_[db] = 1;
  // Also where nothing is found: a series that is missing raises no alert.
  double& problems = problems_[db];
  for (const Finding& finding : findings) {
    if (finding.is_note()) continue;
    ++problems;
    const std::string labels =
        absl::StrCat(db, ",", Label("column_family", finding.column_family),
                     ",", Label("kind", finding.name()), ",",
                     Label("severity", finding.severity_name()));
    ++findings_[labels];
    for (const AffectedLevel& level : finding.levels) {
      tables_[labels] += static_cast<double>(level.tables);
    }
  }
}

std::string Metrics::Text() const {
  return absl::StrCat(
      GaugeText("oneline_doctor_examined",
                "1, or 0 if the database could not be examined.", examined_),
      GaugeText("oneline_doctor_finding", "Findings of one kind.", findings_),
      GaugeText("oneline_doctor_finding_tables",
                "Tables that the findings are about.", tables_),
      GaugeText("oneline_doctor_problems", "Findings in the database.",
                problems_));
}

}  // namespace oneline
