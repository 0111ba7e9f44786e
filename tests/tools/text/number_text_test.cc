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

// The flag's value, as Abseil saves it to restore it, or the error.
std::string ParsedNumber(const char* text) {
  KeyCount count{7};
  std::string error;
  if (AbslParseFlag(text, &count, &error)) return AbslUnparseFlag(count);
  EXPECT_EQ(count.keys, 7);
  return error;
}

TEST(KeyCountTest, ReadsNumbers) {
  for (const auto& [text, keys] :
       {std::pair<const char*, const char*>{"1", "1"},
        {"1e13", "10000000000000"},
        {"10T", "10000000000000"},
        {"2.5M", "2500000"},
        {" 7 k ", "7000"},
        {"3G", "3000000000"},
        {"0.5", "1"},
        {"1.4", "1"}}) {
    EXPECT_EQ(ParsedNumber(text), keys) << text;
  }
}

TEST(KeyCountTest, RefusesAllElse) {
  for (const char* text : {"", " ", "0", "0.4", "-5M", "M", "5X", "5MM", "5Mi",
                           "nan", "inf", "infM", "1e999", "1,000", "1001T"}) {
    EXPECT_EQ(ParsedNumber(text),
              "must be a number of keys, as 5000000, 1e13 or 10M, and at most "
              "1e15")
        << text;
  }
}

TEST(KeyCountTextTest, HasCommas) {
  EXPECT_EQ(KeyCountText(999.6), "1,000");
  EXPECT_EQ(KeyCountText(1e13), "10,000,000,000,000");
}

}  // namespace
}  // namespace oneline
