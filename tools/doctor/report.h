// What doctor prints of a database: text or JSON.

#ifndef ONELINE_TOOLS_DOCTOR_REPORT_H_
#define ONELINE_TOOLS_DOCTOR_REPORT_H_

#include "tools/doctor/database_snapshot.h"
#include "tools/doctor/finding.h"
#include "tools/text/json_output.h"

namespace oneline {

void PrintText(const DatabaseSnapshot& snapshot, const Findings& findings);

Json DatabaseJson(const DatabaseSnapshot& snapshot, const Findings& findings);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_REPORT_H_
