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

}  // namespace
}  // namespace oneline
