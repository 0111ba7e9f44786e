// Tests of the command `oneline hashes`. Its numbers are tested in
// tests/membership/hashes/hash_contest_test.cc.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/run_program.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr char kWords[] = "external/system/share/dict/american-english";

TEST(HashesTest, PrintsTheContestBesideThePublishedOne) {
  if (kSlow) GTEST_SKIP() << "takes long";
  const Finished run =
      RunProgram(std::string("tools/oneline hashes ") + kWords);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  // The published collisions of one function, then the marks of the winner.
  EXPECT_NE(run.out.find("      2      0   4774    481\n"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("  96.55 100.00  90.95  82.05   92.64\n"),
            std::string::npos)
      << run.out;
  for (const char* name : {"\nELFHash", "\nXXH3", "\nMurmurHash3",
                           "\nabsl::Hash", "0.819%   in theory"}) {
    EXPECT_NE(run.out.find(name), std::string::npos) << name;
  }
}

TEST(HashesTest, BadListsOfWords) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("words");
  Finished run = RunProgram("tools/oneline hashes " + path);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "oneline hashes: " + path +
                         ": can't be read; install wamerican, or give another "
                         "word list\n");
  std::ofstream(path) << "few\nwords\n\n";
  run = RunProgram("tools/oneline hashes " + path);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "oneline hashes: " + path +
                         ": has 2 words, one per line; at least 1000 are "
                         "needed\n");
}

}  // namespace
}  // namespace oneline
