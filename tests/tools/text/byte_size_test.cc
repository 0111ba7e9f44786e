#include "tools/text/byte_size.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace oneline {
namespace {

// The flag's value, as Abseil saves it to restore it, or the error.
std::string Parsed(const char* text) {
  ByteSize size{7};
  std::string error;
  if (AbslParseFlag(text, &size, &error)) return AbslUnparseFlag(size);
  EXPECT_EQ(size.bytes, 7);
  return error;
}

TEST(ByteSizeTest, ReadsNumbersWithUnits) {
  for (const auto& [text, bytes] :
       {std::pair<const char*, const char*>{"0", "0"},
        {"4096", "4096"},
        {"0.1", "0.10000000000000001"},
        {"17B", "17"},
        {"512mib", "536870912"},
        {"512 M", "536870912"},
        {"  1.5GB ", "1500000000"},
        {"1kB", "1000"},
        {"2TiB", "2199023255552"},
        {"1024PiB", "1.152921504606847e+18"}}) {
    EXPECT_EQ(Parsed(text), bytes) << text;
  }
}

TEST(ByteSizeTest, RefusesAllElse) {
  for (const char* text :
       {"", " ", "MiB", "-1", "1XB", "1MiBB", "1 2", "nan", "inf", "1e999",
        "infGB", "1MiB!", "1,5GB", "1025PiB"}) {
    EXPECT_EQ(Parsed(text),
              "must be a number of bytes, as 512MiB, 1.5GB or 4096, and at "
              "most 1024PiB")
        << text;
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
