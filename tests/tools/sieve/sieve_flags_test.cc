// The flags that `oneline sieve` takes and refuses, and its selftest.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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

// They are known before the input is read: nobody should wait for an error that
// is certain.
TEST(SieveFlagsTest, WrongFlags) {
  for (const auto& [flags, error] :
       std::vector<std::pair<const char*, const char*>>{
           {"",
            "--db=DIRECTORY (exact) or --capacity=N (approximate) must be "
            "given"},
           {"--db x --capacity 5",
            "--capacity is not for --db, which is exact"},
           {"--capacity 5 --memory 1GB",
            "--memory is not for --capacity, whose memory follows from its "
            "rate"},
           {"--capacity 10 --hashes 3",
            "--hashes is not for --capacity, whose memory follows from its "
            "rate"},
           {"info x --db x", "--db is not for info"},
           {"selftest --keys 5 --save x", "--save is not for selftest"},
           {"--capacity 5 --fp_rate 2", "--fp_rate=2: must be 1e-9 to 0.5"},
           {"selftest --keys 5 --hashes 65", "--hashes=65: must be 1 to 64"},
           {"selftest --keys 5 --hashes 8 --fp_rate 0.1",
            "only one of --fp_rate and --hashes can be given"},
           {"file",
            "'file' is neither 'info PATH' nor 'selftest'; lines are read from "
            "standard input"},
           {"info none", "none: can't be read: No such file or directory"},
           {"--capacity 5 --save none/x",
            "none/x.lock: No such file or directory"}}) {
    ExpectRefusal(RunProgram("echo line | { tools/oneline sieve " +
                             std::string(flags) + "; }"),
                  "oneline sieve: " + std::string(error) + "\n");
  }
}

// 200000 keys with 8 hashes set half of 200000 * 8 / ln 2 bits; 1 absent key in
// 256 passes.
TEST(SieveSelfTestTest, HashesInsteadOfARate) {
  const std::string out = OutputOf("sieve selftest --keys 200000 --hashes 8");
  EXPECT_TRUE(ContainsAll(
      out, {"filter         288540 bytes", "11.54 bits per key, 8 hashes\n",
            "measured, 0.390624 % predicted\n", "keys lost      0\n"}));
}

}  // namespace
}  // namespace oneline
