// What doctor prints of a database: text, JSON, or metrics.

#ifndef ONELINE_TOOLS_DOCTOR_REPORT_H_
#define ONELINE_TOOLS_DOCTOR_REPORT_H_

#include <string>

#include "tools/doctor/database_snapshot.h"
#include "tools/doctor/finding.h"
#include "tools/text/json_output.h"
#include "tools/text/prometheus_text.h"

namespace oneline {

void PrintText(const DatabaseSnapshot& snapshot, const Findings& findings);

Json DatabaseJson(const DatabaseSnapshot& snapshot, const Findings& findings);

// Whether the database at `path` could be examined.
void AddExamined(const std::string& path, bool is_examined,
                 PrometheusText* metrics);
// That it could be, and what was found.
void AddMetrics(const std::string& path, const Findings& findings,
                PrometheusText* metrics);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_REPORT_H_
