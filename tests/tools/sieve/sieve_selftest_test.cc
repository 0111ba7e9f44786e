// Tests of `oneline sieve selftest`.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"

namespace oneline {
namespace {

TEST(SieveSelfTestTest, MeasuresWhatItPredicts) {
  const Finished run =
      RunProgram("tools/oneline sieve selftest --keys 200000 --fp_rate 0.01");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(run.out.find("filter         239627 bytes"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("keys lost      0\n"), std::string::npos);
}

// 200000 keys with 8 hashes set half of 200000 * 8 / ln 2 bits; 1 absent key in
// 256 passes.
TEST(SieveSelfTestTest, HashesInsteadOfARate) {
  const Finished run =
      RunProgram("tools/oneline sieve selftest --keys 200000 --hashes 8");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  for (const char* part :
       {"filter         288540 bytes", "11.54 bits per key, 8 hashes\n",
        "measured, 0.390624 % predicted\n", "keys lost      0\n"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << run.out;
  }
}

}  // namespace
}  // namespace oneline
