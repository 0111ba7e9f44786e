#include <gtest/gtest.h>

#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"
#include "tools/doctor/diagnosis.h"

namespace oneline {
namespace {

TEST(DiagnosisPrometheusTest, FindingsOfOneKindAreOneSeries) {
  Diagnosis diagnosis;
  for (const char* family : {"default", "default", "other"}) {
    Finding finding;
    finding.kind = "no-filter";
    finding.column_family = family;
    finding.levels.resize(2);
    for (AffectedLevel& level : finding.levels) level.tables = 5;
    diagnosis.findings.push_back(finding);
  }
  PrometheusText metrics;
  AddMetrics("db", diagnosis, &metrics);
  AddMetrics("healthy", Diagnosis(), &metrics);
  EXPECT_EQ(metrics.Text(),
            R"(# HELP oneline_doctor_finding Findings of one kind.
# TYPE oneline_doctor_finding gauge
oneline_doctor_finding{db="db",column_family="default",kind="no-filter",severity="fault"} 2
oneline_doctor_finding{db="db",column_family="other",kind="no-filter",severity="fault"} 1
# HELP oneline_doctor_finding_tables Tables that the findings are about.
# TYPE oneline_doctor_finding_tables gauge
oneline_doctor_finding_tables{db="db",column_family="default",kind="no-filter",severity="fault"} 20
oneline_doctor_finding_tables{db="db",column_family="other",kind="no-filter",severity="fault"} 10
# HELP oneline_doctor_problems Findings in the database.
# TYPE oneline_doctor_problems gauge
oneline_doctor_problems{db="db"} 3
oneline_doctor_problems{db="healthy"} 0
)");
}

TEST(DiagnosisPrometheusTest, TheCommandPrintsThem) {
  ScratchDatabase database(OptionsWith(nullptr), 1000);
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.Close();
  const std::string doctor =
      OutputOf("doctor --prometheus " + database.path(), 1);
  EXPECT_TRUE(Contains(doctor, "\noneline_doctor_finding_tables{db=\"" +
                                   database.path() +
                                   "\",column_family=\"default\",kind=\"no-"
                                   "filter\",severity=\"fault\"} 1\n"));
}

}  // namespace
}  // namespace oneline
