// Tests of tools/text/byte_size.h: parsing and printing.

#include "tools/text/byte_size.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace oneline {
namespace {

TEST(ByteSizeTest, ReadsNumbersWithUnits) {
  for (const auto& [text, bytes] : {std::pair<const char*, double>{"0", 0},
                                    {"4096", 4096},
                                    {"1e6", 1e6},
                                    {"17B", 17},
                                    {"512MiB", 512.0 * 1024 * 1024},
                                    {"512mib", 512.0 * 1024 * 1024},
                                    {"512M", 512.0 * 1024 * 1024},
                                    {"512 MiB", 512.0 * 1024 * 1024},
                                    {"  1.5GB ", 1.5e9},
                                    {"1K", 1024},
                                    {"1KiB", 1024},
                                    {"1kB", 1000},
                                    {"1G", 1073741824},
                                    {"2TiB", 2199023255552},
                                    {"2TB", 2e12},
                                    {"3PB", 3e15},
                                    {"1PiB", 1125899906842624}}) {
    ByteSize size;
    std::string error;
    EXPECT_TRUE(AbslParseFlag(text, &size, &error)) << text;
    EXPECT_EQ(size.bytes, bytes) << text;
    EXPECT_EQ(error, "");
  }
}

TEST(ByteSizeTest, RefusesAllElse) {
  for (const char* text :
       {"", " ", "MiB", "-1", "-1MiB", "1XB", "1MiBB", "1 2", "nan", "inf",
        "1e999", "infGB", "1MiB!", "1,5GB", "1e30", "1025PiB", "1e20kB"}) {
    ByteSize size{7};
    std::string error;
    EXPECT_FALSE(AbslParseFlag(text, &size, &error)) << text;
    EXPECT_EQ(size.bytes, 7) << text;
    EXPECT_EQ(
        error,
        "must be a number of bytes, as 512MiB, 1.5GB or 4096, and at most "
        "1024PiB");
  }
}

// Abseil saves and restores flags as text.
TEST(ByteSizeTest, TextBringsTheSameBack) {
  for (double bytes : {0.0, 1.0, 4096.0, 1e15 + 1, 0.1, 0x1p60}) {
    ByteSize size;
    std::string error;
    EXPECT_TRUE(AbslParseFlag(AbslUnparseFlag({bytes}), &size, &error));
    EXPECT_EQ(size.bytes, bytes);
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
