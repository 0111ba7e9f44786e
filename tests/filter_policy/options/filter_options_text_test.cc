// Tests of filter_policy/options/filter_options_text.h: single options, as text
// and in the struct. options_together_test.cc has those given together.

#include "filter_policy/options/filter_options_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <locale>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/options/option_table.h"
#include "tests/filter_policy/options/expect_options.h"

namespace oneline {
namespace {

void ExpectSetError(const char* name, const char* value,
                    const std::vector<const char*>& parts) {
  SCOPED_TRACE(testing::Message() << name << "=" << value);
  FilterOptions options = Unusual();
  ExpectError(SetOption(name, value, &options), parts);
  ExpectEqual(options, Unusual());
}

// Each option: a text that sets it, and what it is printed as then, which sets
// it to the same again. No other option changes, unless it is excluded, and
// reset leaves the default.
TEST(FilterOptionsTextTest, ValuesAreReadAndPrinted) {
  std::string longest = "1";
  for (int i = 1; i < 1000; ++i) longest += ":2";
  const struct {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values;
  } kValues[] = {
      {"kind", {{"bloom", "bloom"}, {"ribbon", "ribbon"}}},
      // To the thousandth.
      {"bits_per_key",
       {{"0", "0"},
        {"0.4", "0.4"},
        {"1", "1"},
        {"10", "10"},
        {"9.9", "9.9"},
        {"1e1", "10"},
        {"9.87649", "9.876"},
        {"9.87651", "9.877"},
        {"99.9996", "100"},
        {"100", "100"},
        {" 10\t", "10"},
        {"+9.5", "9.5"}}},
      // To six digits.
      {"fp_rate",
       {{"0.01", "0.01"},
        {"1e-2", "0.01"},
        {"0.5", "0.5"},
        {"1e-9", "1e-09"},
        {"0.000000001", "1e-09"},
        {"0.012345649", "0.0123456"},
        {"0.012345651", "0.0123457"}}},
      {"level_bits_per_key",
       {{"10", "10"},
        {"16:16:14:12:10:8:6", "16:16:14:12:10:8:6"},
        {"0:0.4:99.9994:9.87651", "0:0.4:99.999:9.877"},
        {"16 : 8", "16:8"},
        {longest, longest}}},
      {"bits_by_level",
       {{"true", "true"},
        {"1", "true"},
        {" true ", "true"},
        {"false", "false"},
        {"0", "false"},
        {" 0", "false"}}},
      {"hits", {{"0.25", "0.25"}, {"1", "1"}}},
      {"bloom_before_level",
       {{"-1", "-1"}, {"0", "0"}, {"6", "6"}, {"1000", "1000"}, {" +4 ", "4"}}},
      {"max_filter_bytes",
       {{"4096", "4096"},
        {"1048576", "1048576"},
        {"4294967296", "4294967296"},
        {"none", "none"}}},
      {"hash_seed",
       {{"0", "0"},
        {" 7", "7"},
        {"9223372036854775808", "9223372036854775808"},
        {"18446744073709551615", "18446744073709551615"},
        {"random", "random"}}},
  };
  for (const OptionRow& option : kOptions) {
    EXPECT_TRUE(std::any_of(
        std::begin(kValues), std::end(kValues),
        [&option](const auto& row) { return row.name == option.name; }))
        << option.name << ": not in kValues";
  }
  for (const auto& [name, values] : kValues) {
    for (const auto& [value, printed] : values) {
      SCOPED_TRACE(name + "=" + value);
      FilterOptions options = Unusual(), read, again;
      ASSERT_EQ(SetOption(name, value, &options), "");
      EXPECT_EQ(GetOption(name, options), printed);
      EXPECT_EQ(Validate(options), "");
      ASSERT_EQ(SetOption(name, printed, &again), "");
      EXPECT_EQ(GetOption(name, again), printed);
      ASSERT_EQ(SetOption(name, value, &read), "");
      ExpectEqual(read, again);
      FindOption(name)->field.reset(&again);
      ExpectEqual(again, FilterOptions());
      for (const OptionRow& other : kOptions) {
        const OptionRow& set = *FindOption(name);
        if (&other == &set || Excludes(set, other) || Excludes(other, set)) {
          continue;
        }
        EXPECT_EQ(other.field.print(options), other.field.print(Unusual()))
            << other.name;
      }
    }
  }
}

TEST(FilterOptionsTextTest, EveryThousandthComesBack) {
  FilterOptions options;
  for (int thousandths = 0; thousandths <= 100000; ++thousandths) {
    options.bits_per_key = thousandths / 1000.0;
    FilterOptions read;
    const std::string text = GetOption("bits_per_key", options);
    ASSERT_EQ(SetOption("bits_per_key", text, &read), "") << text;
    ASSERT_EQ(read.bits_per_key, options.bits_per_key) << text;
    ASSERT_EQ(GetOption("bits_per_key", read), text);
  }
}

TEST(FilterOptionsTextTest, AnyFpRateComesBack) {
  for (double rate = 1e-9; rate <= 0.5; rate *= 1.00123) {
    FilterOptions options, read, again;
    options.fp_rate = rate;
    const std::string text = GetOption("fp_rate", options);
    ASSERT_EQ(SetOption("fp_rate", text, &read), "") << text;
    ASSERT_NEAR(read.fp_rate.value_or(-1), rate, rate * 1e-5) << text;
    ASSERT_EQ(GetOption("fp_rate", read), text);
    ASSERT_EQ(SetOption("fp_rate", text, &again), "");
    ASSERT_EQ(again.fp_rate, read.fp_rate);
  }
}

TEST(FilterOptionsTextTest, ValuesOutOfBoundsAreErrors) {
  std::string too_long = "1";
  for (int i = 0; i < 1000; ++i) too_long += ":2";
  const struct {
    const char* name;
    std::vector<const char*> values;
  } kWrong[] = {
      {"kind", {"", "Bloom", "ribbons", "1", "cuckoo"}},
      {"bits_per_key",
       {"",       " ",       "nan", "-nan",  "inf",   "-inf", "-1",
        "-0.001", "100.001", "101", "1e300", "1e999", "ten",  "10x",
        "10;",    "1,5",     "0x",  "0x10",  "1e",    "1e+",  ".",
        "+-1",    "++1",     "1 0", "1.0.0"}},
      {"fp_rate",
       {"", "nan", "inf", "-inf", "0", "-0.01", "0.50001", "1", "100",
        "9.9e-10", "1%", "1e-999", "small"}},
      {"level_bits_per_key",
       {"", ":", "16:", ":16", "16::8", "16,8", "16:-1", "16:100.001", "nan",
        "16:nan", "16:inf", "16:ten", "16;8", too_long.c_str()}},
      {"bits_by_level", {"", "True", "yes", "2", "-1", "10", "true1"}},
      {"hits", {"", "nan", "-0.1", "1.001", "90", "90%", "all"}},
      {"bloom_before_level",
       {"", "-2", "+-1", "1001", "2147483647", "4294967296", "0.5", "all"}},
      {"max_filter_bytes",
       {"", "0", "4095", "4294967297", "-1", "1e6", "1M", "64 MiB", "None",
        "nan"}},
      {"hash_seed",
       {"", "Random", "-1", "18446744073709551616", "1.5", "0x10", "7 7",
        "nan"}},
  };
  for (const auto& [name, values] : kWrong) {
    for (const char* value : values) {
      ExpectSetError(name, value,
                     {"oneline", name, value, FindOption(name)->bounds});
    }
  }
}

// As in German.
class DecimalComma : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(FilterOptionsTextTest, NumbersAreTheSameInEveryLocale) {
  const std::locale before = std::locale::global(
      std::locale(std::locale::classic(), new DecimalComma));
  ExpectSetError("bits_per_key", "9,876", {"bits_per_key=9,876", "1 to 100"});
  FilterOptions options = Unusual();
  EXPECT_EQ(SetOption("bits_per_key", "9.876", &options), "");
  EXPECT_EQ(GetOption("bits_per_key", options), "9.876");
  options.bloom_before_level = 1000;
  EXPECT_EQ(GetOption("bloom_before_level", options), "1000");
  options.hash_seed = 1234567;
  EXPECT_EQ(GetOption("hash_seed", options), "1234567");
  options.bits_per_key = 1234.5;
  ExpectError(Validate(options), {"bits_per_key=1234.5", "1 to 100"});
  std::locale::global(before);
}

TEST(FilterOptionsTextTest, UnknownNameIsAnError) {
  for (const char* name : {"", "Kind", "bits", "bits_per_key "}) {
    ExpectSetError(name, "10",
                   {"oneline", name, "no such option", "kind", "hash_seed"});
  }
}

}  // namespace
}  // namespace oneline
