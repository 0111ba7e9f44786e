// The findings of `oneline doctor` as metrics.

#include "tools/doctor/diagnosis.h"

namespace oneline {

void AddExamined(const std::string& path, bool is_examined,
                 PrometheusText* metrics) {
  metrics->Add("oneline_doctor_examined",
               "1, or 0 if the database could not be examined.", {{"db", path}},
               is_examined ? 1 : 0);
}

void AddMetrics(const std::string& path, const Diagnosis& diagnosis,
                PrometheusText* metrics) {
  AddExamined(path, true, metrics);
  // Also where nothing is found: a series that is missing raises no alert.
  metrics->Add("oneline_doctor_problems", "Findings in the database.",
               {{"db", path}}, static_cast<double>(diagnosis.findings.size()));
  for (const Finding& finding : diagnosis.findings) {
    const PrometheusText::Labels labels = {
        {"db", path},
        {"column_family", finding.column_family},
        {"kind", finding.kind},
        {"severity", finding.is_fault() ? "fault" : "warning"}};
    metrics->Add("oneline_doctor_finding", "Findings of one kind.", labels, 1);
    for (const AffectedLevel& level : finding.levels) {
      metrics->Add("oneline_doctor_finding_tables",
                   "Tables that the findings are about.", labels,
                   static_cast<double>(level.tables));
    }
  }
}

}  // namespace oneline
