// Databases with our filter give the same answers as without, with each layout
// of tables, and RocksDB's tickers show that filters gave some of them.

#include <gtest/gtest.h>

#include "tests/filter_policy/differential.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

class DifferentialTest : public testing::TestWithParam<TableLayout> {};

INSTANTIATE_TEST_SUITE_P(Layouts, DifferentialTest,
                         testing::ValuesIn(kTableLayouts), LayoutName);

TEST_P(DifferentialTest, SameAnswersWithTheFilterAndWithout) {
  Differential differential({GetParam(), PolicyFor(GetParam()), nullptr},
                            TestRandom());
  differential.Run(800);
  if (HasFatalFailure()) return;
  differential.ExpectFiltersUsed();
  for (const auto& table : differential.filtered().Tables()) {
    EXPECT_EQ(table->filter_policy_name, "oneline");
  }
}

}  // namespace
}  // namespace oneline
