// Tests of tools/text/number_text.h.

#include "tools/text/number_text.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TEST(NumberTextTest, WithCommas) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(7315688), "7,315,688");
  EXPECT_EQ(WithCommas(~uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(NumberTextTest, Tables) {
  EXPECT_EQ(Tables(0), "0 tables");
  EXPECT_EQ(Tables(1), "1 table");
  EXPECT_EQ(Tables(1234), "1,234 tables");
}

TEST(NumberTextTest, Percent) {
  EXPECT_EQ(PercentText(0), "0 %");
  EXPECT_EQ(PercentText(0.001634), "0.163 %");
  EXPECT_EQ(PercentText(0.01), "1.00 %");
  EXPECT_EQ(PercentText(0.5), "50.0 %");
  EXPECT_EQ(PercentText(0.9994), "99.9 %");
  EXPECT_EQ(PercentText(0.9996), "100 %");
  EXPECT_EQ(PercentText(1), "100 %");
}

TEST(NumberTextTest, Duration) {
  EXPECT_EQ(DurationText(0), "0:00");
  EXPECT_EQ(DurationText(59.9), "0:59");
  EXPECT_EQ(DurationText(754), "12:34");
  EXPECT_EQ(DurationText(3600), "1:00:00");
  EXPECT_EQ(DurationText(90061), "25:01:01");
  EXPECT_EQ(DurationText(1e300), "277777:46:40");
}

}  // namespace
}  // namespace oneline
