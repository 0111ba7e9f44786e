// Holds the committed table/bloom/bloom_probes_table.h to what its generator
// prints.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"

namespace oneline {
namespace {

// Bazel runs tests where these paths, from its `data`, lead to the files.
constexpr char kGenerator[] = "tools/models/bloom_probes_gen";
constexpr char kTable[] = "table/bloom/bloom_probes_table.h";

TEST(BloomProbesTableTest, IsWhatTheGeneratorPrints) {
  const std::string committed = ReadWholeFile(kTable);
  EXPECT_FALSE(committed.empty()) << kTable;
  const Finished generator = RunProgram(kGenerator);
  EXPECT_EQ(generator.exit_code, 0) << generator.err;
  EXPECT_EQ(generator.out, committed)
      << "bazel run //tools/models:bloom_probes_gen > " << kTable;
}

}  // namespace
}  // namespace oneline
