// Tests of the program `contest`: the published marks follow from the published
// collisions, and functions that only multiply and add make bad filters.

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
  const struct {
    const char *name, *collisions, *mean;
  } kPublished[] = {
      {"BKDRHash", "       2       0    4774     481", "   92.64"},
      {"APHash", "       2       3    4754     493", "   86.28"},
      {"DJBHash", "       2       2    4975     474", "   83.43"},
      {"JSHash", "       1       4    4761     506", "   81.94"},
      {"RSHash", "       1       0    4861     505", "   75.96"},
      {"SDBMHash", "       3       2    4849     504", "   72.41"},
      {"PJWHash", "      30      26    4878     513", "   21.95"},
      {"ELFHash", "      30      26    4878     513", "   21.95"},
  };
  for (const auto& [name, collisions, mean] : kPublished) {
    for (const auto& [i, end] : {std::pair(0, collisions), {1, mean}}) {
      const std::string line = LineOf(run.out, name, i), part = end;
      ASSERT_GT(line.size(), part.size());
      EXPECT_EQ(line.substr(line.size() - part.size()), part) << line;
    }
  }
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
