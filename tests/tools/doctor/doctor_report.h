// Runs `oneline doctor` on databases and parses its JSON.

#ifndef ONELINE_TESTS_TOOLS_DOCTOR_DOCTOR_REPORT_H_
#define ONELINE_TESTS_TOOLS_DOCTOR_DOCTOR_REPORT_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"

namespace oneline {

using Kinds = std::vector<std::string>;

inline std::string Oneline() {
  return std::filesystem::absolute("tools/oneline");
}

struct DoctorReport {
  int exit_code = -1;
  nlohmann::json json;

  Kinds kinds() const {
    Kinds all;
    for (const auto& finding : json["findings"]) all.push_back(finding["kind"]);
    return all;
  }
  const nlohmann::json& finding(size_t i) const { return json["findings"][i]; }
};

// `before`: shell words before the program, such as environment variables.
inline DoctorReport RunDoctor(const std::string& path,
                              const std::string& flags = "",
                              const std::string& before = "") {
  const Finished program =
      RunProgram(before + Oneline() + " doctor --json '" + path + "' " + flags);
  EXPECT_EQ(program.err, "");
  DoctorReport report;
  report.exit_code = program.exit_code;
  report.json = nlohmann::json::parse(program.out, nullptr, false);
  EXPECT_FALSE(report.json.is_discarded()) << program.out;
  EXPECT_EQ(report.exit_code, report.json["findings"].empty() ? 0 : 1);
  return report;
}

inline void ExpectHealthy(ScratchDatabase& database) {
  database.Close();
  const DoctorReport report = RunDoctor(database.path());
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.json["findings"], nlohmann::json::array());
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
