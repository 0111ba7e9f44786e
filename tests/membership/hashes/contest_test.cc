// Tests of the program `contest`: functions that only multiply and add make bad
// filters.

#include "tests/testing.h"

namespace oneline {
namespace {

constexpr char kContest[] = "membership/hashes/contest ";
constexpr char kWords[] = "external/system/share/dict/american-english";

// The line of `out` that begins with a name; of several the number i.
std::string LineOf(const std::string& out, const std::string& name, int i) {
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name + " ", 0) == 0 && i-- == 0) return line;
  }
  return "";
}

TEST(ContestTest, PrintsTheContestBesideThePublishedOne) {
  const Finished run = RunProgram(std::string(kContest) + kWords);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(LineOf(run.out, "random", 0),
            "random             2       2    4837     498   by chance");
  // For functions that only multiply and add, the first byte changes the hash
  // of all strings of a length by the same constant, so strings that collide
  // once collide for every first byte. The contest's winner is one of these.
  constexpr double kTheory = 0.00819;
  const auto rate_of = [&](const char* name) {
    return std::stod(LineOf(run.out, name, 2).substr(12)) / 100;
  };
  for (const char* name :
       {"BKDRHash", "DJBHash", "RSHash", "SDBMHash", "PJWHash", "ELFHash"}) {
    EXPECT_GT(rate_of(name), 1.5 * kTheory) << name;
  }
  for (const char* name : {"APHash", "JSHash", "XXH3", "MurmurHash3"}) {
    EXPECT_NEAR(rate_of(name), kTheory, 6 * std::sqrt(kTheory / 100000))
        << name;
  }
}

}  // namespace
}  // namespace oneline
