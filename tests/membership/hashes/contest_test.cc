// Tests of the program `contest`. Its numbers are tested in
// hash_contest_test.cc.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/run_program.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr char kProgram[] = "membership/hashes/contest ";
constexpr char kWords[] = "external/system/share/dict/american-english";

TEST(ContestTest, PrintsTheContestBesideThePublishedOne) {
  if (kSlow) GTEST_SKIP() << "takes long";
  const Finished run = RunProgram(std::string(kProgram) + kWords);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  // The published collisions of one function, then the marks of the winner.
  for (const char *part :
       {"      2      0   4774    481\n",
        "  96.55 100.00  90.95  82.05   92.64\n", "\nELFHash", "\nXXH3",
        "\nMurmurHash3", "\nabsl::Hash", "0.819%   in theory"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << run.out;
  }
}

TEST(ContestTest, BadListsOfWords) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("words");
  for (int words : {0, 2}) {
    if (words != 0) std::ofstream(path) << "few\nwords\n\n";
    const Finished run = RunProgram(kProgram + path);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "contest: " + path + ": has " + std::to_string(words) +
                           " words, one per line; at least 1000 are needed: "
                           "install wamerican, or give another list\n");
  }
}

}  // namespace
}  // namespace oneline
