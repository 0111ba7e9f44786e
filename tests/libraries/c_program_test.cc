// Tests of liboneline_preload.so preloaded into a program that uses RocksDB's C
// interface, as the bindings for Rust and Go do.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr double kKeys = 20000;  // as in c_program.c

// The number after `label`.
double NumberAfter(const std::string& label, const std::string& text) {
  const size_t at = text.find(label);
  if (at == std::string::npos) return -1;
  return std::atof(text.c_str() + at + label.size());
}

class CProgramTest : public testing::Test {
 protected:
  // Bazel runs tests in a directory in which these are the paths of their
  // `data`.
  Finished Run(const std::string& environment,
               const std::string& options) const {
    return RunProgram(
        environment + " LD_PRELOAD=" +
        std::string(std::filesystem::absolute("liboneline_preload.so")) +
        " tests/libraries/c_program " + Database() + " '" + options + "'");
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
    EXPECT_EQ(NumberAfter("present ", program.out), kKeys);
    EXPECT_EQ(NumberAfter("absent ", program.out), 0);
    const double useful =
        NumberAfter("rocksdb.bloom.filter.useful COUNT :", program.out);
    EXPECT_LT(1 - useful / kKeys, max_fp_rate);

    const Finished dump = RunProgram("sst_dump --file=" + Database() +
                                     " --show_properties --command=none");
    ASSERT_EQ(dump.exit_code, 0) << dump.err;
    EXPECT_NE(dump.out.find("filter policy name: oneline\n"), std::string::npos)
        << dump.out;
    EXPECT_NEAR(8 * NumberAfter("filter block size:", dump.out) / kKeys,
                bits_per_key, 0.1);
  }

 private:
  std::string Database() const { return directory_.File("db"); }

  const TemporaryDirectory directory_;
};

TEST_F(CProgramTest, TextWithOptions) {
  ExpectOurFilters(
      "", "block_based_table_factory={filter_policy={id=oneline;fp_rate=0.01}}",
      7, 0.015);
}

TEST_F(CProgramTest, BloomFilterIsReplaced) {
  ExpectOurFilters("ONELINE_REPLACE_BUILTIN=1", "bloom", 10, 0.005);
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
