#include <gtest/gtest.h>

#include "tools/inspect/inspect_report.h"

namespace oneline {
namespace {

TEST(InspectTotalsTest, ATableWithoutAFilterLetsEveryKeyPass) {
  InspectedTable filtered, unfiltered;
  filtered.kind = FoundKind::kBloom;
  filtered.blocks = 1;
  filtered.keys = 300;
  filtered.fp_rate = 0.02;
  filtered.measured_fp_rate = 0.04;
  unfiltered.keys = 100;
  const InspectTotals totals = TotalsOf({filtered, unfiltered});
  EXPECT_EQ(totals.keys, 400u);
  EXPECT_DOUBLE_EQ(totals.predicted_fp_rate, 0.75 * 0.02 + 0.25);
  EXPECT_DOUBLE_EQ(totals.measured_fp_rate.value(), 0.75 * 0.04 + 0.25);
  filtered.measured_fp_rate.reset();
  EXPECT_FALSE(TotalsOf({filtered, unfiltered}).measured_fp_rate.has_value());
}

}  // namespace
}  // namespace oneline
