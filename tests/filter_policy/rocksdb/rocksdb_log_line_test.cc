// Tests of filter_policy/rocksdb/rocksdb_log_line.h, in databases.

#include "filter_policy/rocksdb/rocksdb_log_line.h"

#include <rocksdb/version.h>

#include "oneline/version.h"
#include "table/simd/instruction_sets.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

// The lines about these options, one for each.
std::vector<std::string> Lines(const std::vector<std::string>& options) {
  const auto set = static_cast<size_t>(ChosenInstructionSet());
  std::vector<std::string> lines;
  for (const std::string& text : options) {
    lines.push_back("[default] oneline: version " ONELINE_VERSION
                    " for RocksDB " +
                    rocksdb::GetRocksVersionAsString() + ", " +
                    kInstructionSetNames[set] + ", " + text);
  }
  return lines;
}

// Ours among the headers that were logged.
std::vector<std::string> LinesIn(const LinesLogged& log) {
  std::vector<std::string> lines;
  for (const std::string& line : log.headers) {
    if (line.find("] oneline: ") != line.npos) lines.push_back(line);
  }
  return lines;
}

TEST(LogLineTest, StandsOnceInTheLogOfEachDatabase) {
  const std::string options = "kind=bloom;fp_rate=0.01";
  rocksdb::Options of_database =
      OptionsWith(PolicyNamed("{id=oneline;fp_rate=0.01;kind=bloom}"));
  for (int i = 0; i < 2; ++i) {
    const auto log = std::make_shared<LinesLogged>();
    log->SetInfoLogLevel(rocksdb::InfoLogLevel::ERROR_LEVEL);
    of_database.info_log = log;
    ScratchDatabase database(of_database);
    EXPECT_EQ(LinesIn(*log), Lines({}));
    database.WriteTable(0, 100);
    database.WriteTable(100, 200);
    EXPECT_EQ(LinesIn(*log), Lines({options}));
    // A new LOG at the address of the old one.
    database.Reopen(of_database);
    database.WriteTable(200, 300);
    EXPECT_EQ(LinesIn(*log), Lines({options, options}));
  }
}

TEST(LogLineTest, SaysWhatIsNotTheDefault) {
  LinesLogged log;
  LogLine line;
  FilterOptions options;
  line.Write(nullptr, "default", options);
  line.Write(&log, "default", options);
  options.bits_per_key = 10;  // given, and as it is by default
  line.Write(&log, "default", options);
  options.bits_per_key = 12;
  options.bits_by_level = false;
  line.Write(&log, "default", options);
  EXPECT_EQ(log.headers,
            Lines({"default options", "bits_per_key=12;bits_by_level=false"}));
}

}  // namespace
}  // namespace oneline
