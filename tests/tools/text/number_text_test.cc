#include "tools/text/number_text.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace oneline {
namespace {

TEST(NumberTextTest, WithCommas) {
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(7315688), "7,315,688");
  EXPECT_EQ(WithCommas(~uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(NumberTextTest, Tables) {
  EXPECT_EQ(Tables(1), "1 table");
  EXPECT_EQ(Tables(1234), "1,234 tables");
}

TEST(NumberTextTest, Percent) {
  EXPECT_EQ(PercentText(0), "0 %");
  EXPECT_EQ(PercentText(0.001634), "0.163 %");
  EXPECT_EQ(PercentText(0.01), "1.00 %");
  EXPECT_EQ(PercentText(0.9994), "99.9 %");
  EXPECT_EQ(PercentText(0.9996), "100 %");
}

TEST(NumberTextTest, Duration) {
  EXPECT_EQ(DurationText(0), "0:00");
  EXPECT_EQ(DurationText(59.9), "0:59");
  EXPECT_EQ(DurationText(3600), "1:00:00");
  EXPECT_EQ(DurationText(90061), "25:01:01");
  EXPECT_EQ(DurationText(1e300), "277777:46:40");
}

TEST(ParseNumberTest, ReadsNumbersWithUnits) {
  for (const auto& [text, number] : {std::pair<const char*, double>{"1", 1},
                                     {"-0.5", -0.5},
                                     {"1e13", 1e13},
                                     {"10T", 1e13},
                                     {"2.5M", 2.5e6},
                                     {" 7 k ", 7000},
                                     {"3G", 3e9}}) {
    EXPECT_EQ(ParseNumber(text), number) << text;
  }
  for (const char* wrong : {"", " ", "M", "5X", "5MM", "5Mi", "1,000"}) {
    EXPECT_FALSE(ParseNumber(wrong).has_value()) << wrong;
  }
}

TEST(KeyCountTextTest, HasCommas) {
  EXPECT_EQ(KeyCountText(999.6), "1,000");
  EXPECT_EQ(KeyCountText(1e13), "10,000,000,000,000");
}

}  // namespace
}  // namespace oneline
