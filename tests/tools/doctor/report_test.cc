// Tests of the metrics of tools/doctor/report.cc; doctor_test.cc has the text
// and the JSON.

#include "tests/testing.h"
#include "tools/doctor/finding.h"

namespace oneline {
namespace {

// Lines must not break, and a byte that is no UTF-8 is an error for all that
// the file has.
TEST(MetricsTest, NamesMayBeAnyBytesAndEachSeriesStandsOnce) {
  const std::string named =
      MetricsText({{"\"\\\n\xff", std::nullopt}, {"\\xff", std::nullopt}});
  EXPECT_NE(named.find(R"({db="\\\"\\\\\\n\\xff"} 0)"), named.npos) << named;
  EXPECT_NE(named.find(R"({db="\\\\xff"} 0)"), named.npos) << named;
  Finding finding = {&kNoFilter, "default", "No filter.", "Wait."};
  finding.levels = {{0, 2}, {3, 5}};
  const std::string text = MetricsText(
      {{"db", Findings{finding, finding, Found(kNote, "", "A note.")}}});
  const std::string labels =
      R"({db="db",column_family="default",kind="no-filter",severity="fault"} )";
  for (const std::string& line :
       {"finding" + labels + "2", "finding_tables" + labels + "14",
        std::string(R"(problems{db="db"} 2)"),
        std::string(R"(examined{db="db"} 1)")}) {
    EXPECT_NE(text.find("\noneline_doctor_" + line + "\n"), text.npos) << line;
  }
}

}  // namespace
}  // namespace oneline
