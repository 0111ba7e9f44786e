// The flags that `oneline sieve` takes and refuses, and its selftest.

#include <gtest/gtest.h>

#include <string>

#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

TEST(SieveFlagsTest, WarnsPastTheCapacity) {
  const Finished run = RunProgram(
      "seq 1000 | { tools/oneline sieve --capacity 999 --fp_rate 1e-9; }");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err,
            "oneline sieve: warning: more than 999 distinct lines: from now on "
            "more new lines are lost than --fp_rate says\n");
  EXPECT_EQ(RunProgram("seq 999 | { tools/oneline sieve --capacity 999; }").err,
            "");
}

TEST(SieveFlagsTest, WrongFlags) {
  const auto error = [](const std::string& flags) {
    const Finished run = RunOneline("sieve " + flags + " </dev/null");
    EXPECT_EQ(run.exit_code, 2) << flags;
    return run.err;
  };
  EXPECT_EQ(error(""),
            "oneline sieve: --db=FOLDER (exact) or --capacity=LINES "
            "(approximate) must be given\n");
  EXPECT_EQ(error("--db x --capacity 5"),
            "oneline sieve: --capacity is not for --db, which is exact\n");
  EXPECT_EQ(error("--capacity 5 --memory 1GB"),
            "oneline sieve: --memory is not for --capacity, whose memory "
            "follows from its rate\n");
  EXPECT_EQ(error("--capacity 10 --hashes 3"),
            "oneline sieve: --hashes is not for --capacity, whose memory "
            "follows from its rate\n");
  EXPECT_EQ(error("--db x --keys 3"),
            "oneline sieve: --keys is not for --db, which is exact\n");
  EXPECT_EQ(error("info x --db x"), "oneline sieve: --db is not for info\n");
  EXPECT_EQ(error("selftest --keys 5 --save x"),
            "oneline sieve: --save is not for selftest\n");
  EXPECT_EQ(error("--db="),
            "oneline sieve: --db= is empty; it needs a value: directory of the "
            "database that remembers seen lines, exactly\n");
  EXPECT_EQ(error("--db x --memory 1e30"),
            "oneline sieve: --memory=1e30: must be a number of bytes, as "
            "512MiB, 1.5GB or 4096, and at most 1024PiB\n");
  EXPECT_EQ(error("--capacity 1e300"),
            "oneline sieve: --capacity=1e300: must be a number of keys, as "
            "5000000, 1e13 or 10M, and at most 1e15\n");
  EXPECT_EQ(error("--capacity 5 --fp_rate 2"),
            "oneline sieve: a false-positive rate is at least 2^-64 and less "
            "than 1, not 2\n");
  EXPECT_EQ(error("selftest --keys 5 --hashes 65"),
            "oneline sieve: --hashes is 1 to 64, not 65\n");
  EXPECT_EQ(error("selftest --keys 5 --hashes 8 --fp_rate 0.1"),
            "oneline sieve: only one of --fp_rate and --hashes can be given\n");
  EXPECT_EQ(
      error("file"),
      "oneline sieve: 'file' is neither 'info PATH' nor 'selftest'; lines "
      "are read from standard input\n");
  EXPECT_EQ(error("info none"),
            "oneline sieve: none: can't be read: No such file or directory\n");
}

// Of a run that a signal ended, which are no other command's.
TEST(SieveFlagsTest, HelpTellsTheExitCodesOfSignals) {
  EXPECT_TRUE(Contains(RunOneline("sieve --help").out,
                       "the exit code is then 130\nor 143."));
}

// Before the input is read: nobody should wait for an error that is certain.
TEST(SieveFlagsTest, AFileThatCanNotBeSavedIsAnErrorAtOnce) {
  const Finished run = RunProgram(
      "echo line | { tools/oneline sieve --capacity 5 --save none/x; }");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "oneline sieve: none/x.lock: No such file or directory\n");
}

TEST(SieveSelfTestTest, MeasuresWhatItPredicts) {
  const Finished run =
      RunOneline("sieve selftest --keys 200000 --fp_rate 0.01");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_TRUE(Contains(run.out, "filter         239627 bytes")) << run.out;
  EXPECT_TRUE(Contains(run.out, "keys lost      0\n")) << run.out;
}

// 200000 keys with 8 hashes set half of 200000 * 8 / ln 2 bits; 1 absent key in
// 256 passes.
TEST(SieveSelfTestTest, HashesInsteadOfARate) {
  const Finished run = RunOneline("sieve selftest --keys 200000 --hashes 8");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  for (const char* part :
       {"filter         288540 bytes", "11.54 bits per key, 8 hashes\n",
        "measured, 0.390624 % predicted\n", "keys lost      0\n"}) {
    EXPECT_TRUE(Contains(run.out, part)) << run.out;
  }
}

}  // namespace
}  // namespace oneline
