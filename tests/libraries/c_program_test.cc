// Tests of liboneline_preload.so preloaded into a program that uses RocksDB's C
// interface, as the bindings for Rust and Go do.

#include <gtest/gtest.h>

#include <string>

#include "tests/libraries/preloaded_programs.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

class CProgramTest : public LibraryTest {
 protected:
  Finished Run(const std::string& environment,
               const std::string& options) const {
    return RunProgram(Preload(environment) + "tests/libraries/c_program " +
                      Database() + " '" + options + "'");
  }

  // Runs the program and expects that its lookups and tables had our filters.
  // RocksDB's Bloom filters of as many bits would pass more than `max_fp_rate`
  // of the absent keys.
  void ExpectOurFilters(const std::string& environment,
                        const std::string& options, double bits_per_key,
                        double max_fp_rate) const {
    const Finished program = Run(environment, options);
    ASSERT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(program.err, "");
    EXPECT_EQ(SumOf("present ", program.out), kKeys);
    EXPECT_TRUE(Contains(program.out, "\nabsent 0\n")) << program.out;
    EXPECT_LT(1 - Useful(program) / kKeys, max_fp_rate);
    ExpectFilters("oneline", bits_per_key);
  }
};

TEST_F(CProgramTest, TextWithOptions) {
  ExpectOurFilters(
      "", "block_based_table_factory={filter_policy={id=oneline;fp_rate=0.01}}",
      7, 0.015);
}

TEST_F(CProgramTest, BloomFilterIsReplaced) {
  ExpectOurFilters(Replace("1"), "bloom", 10, 0.005);
}

TEST_F(CProgramTest, WrongOptionsAreAnError) {
  const Finished program =
      Run("", "block_based_table_factory={filter_policy=oneline:1000}");
  EXPECT_EQ(program.exit_code, 1);
  EXPECT_EQ(program.err,
            "Invalid argument: oneline: bits_per_key=1000: must be a number "
            "from 1 to 100, or 0 for no filter\n");
}

}  // namespace
}  // namespace oneline
