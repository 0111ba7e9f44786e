#include "tools/text/number_text.h"

#include "tests/testing.h"

namespace oneline {
namespace {

TEST(NumberTextTest, PrintsNumbers) {
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(~uint64_t{0}), "18,446,744,073,709,551,615");
  EXPECT_EQ(Tables(1), "1 table");
  EXPECT_EQ(Tables(1234), "1,234 tables");
  EXPECT_EQ(KeyCountText(999.6), "1,000");
  EXPECT_EQ(PercentText(0), "0 %");
  EXPECT_EQ(PercentText(0.001634), "0.163 %");
  EXPECT_EQ(PercentText(0.9994), "99.9 %");
  EXPECT_EQ(PercentText(0.9996), "100 %");
  EXPECT_EQ(DurationText(59.9), "0:59");
  EXPECT_EQ(DurationText(90061), "25:01:01");
  EXPECT_EQ(DurationText(1e300), "277777:46:40");
  const double mib = 1024 * 1024;
  EXPECT_EQ(BytesText(999), "999 B");
  EXPECT_EQ(BytesText(1000), "0.98 KiB");
  EXPECT_EQ(BytesText(1.214 * mib), "1.21 MiB");
  EXPECT_EQ(BytesText(9.996 * mib), "10.0 MiB");
  EXPECT_EQ(BytesText(99.96 * mib), "100 MiB");
  EXPECT_EQ(BytesText(999.6 * mib), "0.98 GiB");
  EXPECT_EQ(BytesText(mib * mib * mib * 5000), "5000 EiB");
}

TEST(NumberTextTest, ParsesNumbersAndSizes) {
  constexpr std::optional<double> kNone;
  struct Case {
    const char* text;
    std::optional<double> number, bytes;
  };
  for (const auto& [text, number, bytes] :
       std::vector<Case>{{"0", 0, 0},
                         {"-0.5", -0.5, -0.5},
                         {"1e13", 1e13, 1e13},
                         {"10T", 1e13, 10 * 0x1p40},
                         {" 7 k ", 7e3, 7168},
                         {"2.5M", 2.5e6, 2621440},
                         {"17B", kNone, 17},
                         {"512mib", kNone, 0x1p29},
                         {"1.5GB", kNone, 1.5e9},
                         {"1kB", kNone, 1000},
                         {"1024PiB", kNone, 0x1p60}}) {
    EXPECT_EQ(ParseNumber(text), number) << text;
    EXPECT_EQ(ParseByteSize(text), bytes) << text;
  }
  for (const char* wrong : {"", " ", "M", "MiB", "5X", "5XB", "5MM", "5MiBB",
                            "5Mi", "5 2", "1,000", "1MiB!", "5ib", "nan"}) {
    EXPECT_EQ(ParseNumber(wrong), kNone) << wrong;
    EXPECT_EQ(ParseByteSize(wrong), kNone) << wrong;
  }
}

}  // namespace
}  // namespace oneline
