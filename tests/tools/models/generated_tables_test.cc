// Holds the committed tables of table/ to what their generators print.

#include "tests/testing.h"

namespace oneline {
namespace {

struct Generated {
  const char *generator, *table;
  bool takes_a_minute = false;
};

TEST(GeneratedTablesTest, AreWhatTheGeneratorsPrint) {
  for (const Generated& one :
       {Generated{"bloom_probes_gen", "table/bloom/bloom_probes_table.h"},
        {"expected_bits_gen", "table/ribbon_line/expected_bits_table.h", true},
        {"fp_rates_gen", "table/block/fp_rates_table.h"}}) {
    if (one.takes_a_minute && kSlow) continue;
    // Bazel runs tests where these paths, from its `data`, lead to the files.
    const std::string committed = ReadWholeFile(one.table);
    EXPECT_FALSE(committed.empty()) << one.table;
    const Finished run =
        RunProgram(std::string("tools/models/") + one.generator);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, committed)
        << "bazel run //tools/models:" << one.generator << " > " << one.table;
  }
}

}  // namespace
}  // namespace oneline
