// Holds the committed table/block/fp_rates_table.h to what its generator
// prints.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"

namespace oneline {
namespace {

// Bazel runs tests where these paths, from its `data`, lead to the files.
constexpr char kGenerator[] = "tools/models/fp_rates_gen";
constexpr char kTable[] = "table/block/fp_rates_table.h";

TEST(FpRatesTableTest, IsWhatTheGeneratorPrints) {
  const std::string committed = ReadWholeFile(kTable);
  EXPECT_FALSE(committed.empty()) << kTable;
  const Finished generator = RunProgram(kGenerator);
  EXPECT_EQ(generator.exit_code, 0) << generator.err;
  EXPECT_EQ(generator.out, committed)
      << "bazel run //tools/models:fp_rates_gen > " << kTable;
}

}  // namespace
}  // namespace oneline
