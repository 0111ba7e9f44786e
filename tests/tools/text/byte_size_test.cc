#include "tools/text/byte_size.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace oneline {
namespace {

TEST(ParseByteSizeTest, ReadsNumbersWithUnits) {
  for (const auto& [text, bytes] : {std::pair<const char*, double>{"0", 0},
                                    {"4096", 4096},
                                    {"0.1", 0.1},
                                    {"17B", 17},
                                    {"512mib", 536870912},
                                    {"512 M", 536870912},
                                    {"  1.5GB ", 1.5e9},
                                    {"1kB", 1000},
                                    {"2TiB", 0x1p41},
                                    {"1024PiB", 0x1p60}}) {
    EXPECT_EQ(ParseByteSize(text), bytes) << text;
  }
  for (const char* wrong :
       {"", " ", "MiB", "1XB", "1MiBB", "1 2", "1MiB!", "1,5GB"}) {
    EXPECT_FALSE(ParseByteSize(wrong).has_value()) << wrong;
  }
}

TEST(BytesTextTest, HasThreeDigits) {
  const double mib = 1024 * 1024;
  for (const auto& [bytes, text] : {std::pair<double, const char*>{0, "0 B"},
                                    {1, "1 B"},
                                    {999, "999 B"},
                                    {1000, "0.98 KiB"},
                                    {1024, "1.00 KiB"},
                                    {1.214 * mib, "1.21 MiB"},
                                    {9.996 * mib, "10.0 MiB"},
                                    {99.96 * mib, "100 MiB"},
                                    {999.4 * mib, "999 MiB"},
                                    {999.6 * mib, "0.98 GiB"},
                                    {mib * mib * 1024 * 12, "12.0 PiB"},
                                    {mib * mib * mib * 5000, "5000 EiB"}}) {
    EXPECT_EQ(BytesText(bytes), text);
  }
}

}  // namespace
}  // namespace oneline
