// Tests of tools/text/key_count.h: parsing and printing.

#include "tools/text/key_count.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace oneline {
namespace {

TEST(KeyCountTest, ReadsNumbers) {
  for (const auto& [text, keys] : {std::pair<const char*, double>{"1", 1},
                                   {"10000000000000", 1e13},
                                   {"1e13", 1e13},
                                   {"10T", 1e13},
                                   {"10t", 1e13},
                                   {"2.5M", 2.5e6},
                                   {" 7k ", 7000},
                                   {"7 K", 7000},
                                   {"3G", 3e9},
                                   {"0.5", 1},
                                   {"1.4", 1}}) {
    KeyCount count;
    std::string error;
    EXPECT_TRUE(AbslParseFlag(text, &count, &error)) << text;
    EXPECT_EQ(count.keys, keys) << text;
    EXPECT_EQ(error, "");
  }
}

TEST(KeyCountTest, RefusesAllElse) {
  for (const char* text :
       {"", " ", "0", "0.4", "-5", "-5M", "M", "5X", "5MM", "5Mi", "nan", "inf",
        "infM", "1e999", "1,000", "1e300", "1.1e15", "1001T"}) {
    KeyCount count{7};
    std::string error;
    EXPECT_FALSE(AbslParseFlag(text, &count, &error)) << text;
    EXPECT_EQ(count.keys, 7) << text;
    EXPECT_EQ(error,
              "must be a number of keys, as 5000000, 1e13 or 10M, and at most "
              "1e15");
  }
}

TEST(KeyCountTest, TextBringsTheSameBack) {
  for (double keys : {1.0, 1e6, 1e15, 123456789012345.0}) {
    KeyCount count;
    std::string error;
    EXPECT_TRUE(AbslParseFlag(AbslUnparseFlag({keys}), &count, &error));
    EXPECT_EQ(count.keys, keys);
  }
}

TEST(KeyCountTextTest, HasCommas) {
  EXPECT_EQ(KeyCountText(0), "0");
  EXPECT_EQ(KeyCountText(999), "999");
  EXPECT_EQ(KeyCountText(999.6), "1,000");
  EXPECT_EQ(KeyCountText(123456), "123,456");
  EXPECT_EQ(KeyCountText(1e13), "10,000,000,000,000");
}

}  // namespace
}  // namespace oneline
