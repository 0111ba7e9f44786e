// Runs `oneline doctor` on databases and parses its JSON.

#ifndef ONELINE_TESTS_TOOLS_DOCTOR_DOCTOR_REPORT_H_
#define ONELINE_TESTS_TOOLS_DOCTOR_DOCTOR_REPORT_H_

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {

using Kinds = std::vector<std::string>;

struct DoctorReport {
  Json json;

  Kinds kinds() const {
    Kinds all;
    for (const Json& finding : json["findings"].elements()) {
      all.push_back(finding["kind"].text());
    }
    return all;
  }
  Json finding(size_t i) const { return json["findings"][i]; }
  std::string what(size_t i) const { return finding(i)["what"].text(); }
  std::string remedy(size_t i) const { return finding(i)["remedy"].text(); }
  bool has_fault() const {
    for (const Json& finding : json["findings"].elements()) {
      if (finding["severity"].text() == "fault") return true;
    }
    return false;
  }
};

inline DoctorReport RunDoctor(const std::string& path,
                              const std::string& flags = "",
                              const std::string& before = "") {
  const Finished program =
      RunOneline("doctor --json '" + path + "' " + flags, before);
  EXPECT_EQ(program.err, "");
  DoctorReport report{Json::Parse(program.out)};
  EXPECT_EQ(program.exit_code, report.has_fault() ? 1 : 0);
  return report;
}

// Closes it first.
inline DoctorReport RunDoctor(ScratchDatabase& database,
                              const std::string& flags = "",
                              const std::string& before = "") {
  database.Close();
  return RunDoctor(database.path(), flags, before);
}

inline void ExpectHealthy(ScratchDatabase& database) {
  EXPECT_EQ(RunDoctor(database).kinds(), Kinds{});
}

// Expects this finding alone, and that it says all of `words`.
inline void ExpectFinding(const DoctorReport& report, const std::string& kind,
                          const std::vector<std::string>& words) {
  ASSERT_EQ(report.kinds(), Kinds{kind});
  EXPECT_TRUE(ContainsAll(report.what(0), words));
}

inline void MoveToLevel(ScratchDatabase& database, int level) {
  rocksdb::CompactRangeOptions options;
  options.change_level = true;
  options.target_level = level;
  ASSERT_TRUE(database->CompactRange(options, nullptr, nullptr).ok());
}

// Tables of many sizes on several levels, some compacted, some moved down from
// level 0 without being rewritten.
inline void Fill(ScratchDatabase& database) {
  database.WriteTable(0, 10000);
  database.CompactAll();
  MoveToLevel(database, 5);
  database.WriteTable(10000, 14000);
  MoveToLevel(database, 3);
  database.WriteTable(14000, 14010);
  MoveToLevel(database, 2);
  database.WriteTable(0, 1000);
  database.WriteTable(1000, 1002);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_DOCTOR_DOCTOR_REPORT_H_
