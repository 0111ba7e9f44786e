// Tests of the command `oneline hashes`. Its numbers are tested in
// tests/membership/hashes/hash_contest_test.cc.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

constexpr char kWords[] = "external/system/share/dict/american-english";

TEST(HashesTest, PrintsTheContestBesideThePublishedOne) {
  if (kSlow) GTEST_SKIP() << "takes long";
  const Finished run = RunOneline(std::string("hashes ") + kWords);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  // The published collisions of one function, then the marks of the winner.
  for (const char* part :
       {"      2      0   4774    481\n",
        "  96.55 100.00  90.95  82.05   92.64\n", "\nELFHash", "\nXXH3",
        "\nMurmurHash3", "\nabsl::Hash", "0.819%   in theory"}) {
    EXPECT_TRUE(Contains(run.out, part)) << part << run.out;
  }
}

TEST(HashesTest, BadListsOfWords) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("words");
  ExpectRefusal(RunOneline("hashes " + path),
                path +
                    ": can't be read; install wamerican, or give another "
                    "word list\n");
  std::ofstream(path) << "few\nwords\n\n";
  ExpectRefusal(RunOneline("hashes " + path),
                path +
                    ": has 2 words, one per line; at least 1000 are "
                    "needed\n");
}

}  // namespace
}  // namespace oneline
