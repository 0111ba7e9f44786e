// Tests of filter_policy/options/filter_options_text.h: single options, as text
// and in the struct. options_together_test.cc has those given together.

#include "filter_policy/options/filter_options_text.h"

#include <gtest/gtest.h>

#include <locale>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/options/option_table.h"
#include "tests/filter_policy/options/expect_options.h"

namespace oneline {
namespace {

void ExpectSetError(const std::string& name, const std::string& value,
                    const std::vector<std::string>& parts) {
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
  const std::pair<std::string, NamesAndValues> kValues[] = {
      {"kind", {{"bloom", "bloom"}, {"ribbon", "ribbon"}}},
      // To the thousandth.
      {"bits_per_key",
       {{"0", "0"},
        {"0.4", "0.4"},
        {"1e1", "10"},
        {"9.87649", "9.876"},
        {"9.87651", "9.877"},
        {"99.9996", "100"},
        {" 10\t", "10"},
        {"+9.5", "9.5"}}},
      // To six digits.
      {"fp_rate",
       {{"1e-2", "0.01"},
        {"0.5", "0.5"},
        {"0.000000001", "1e-09"},
        {"0.012345649", "0.0123456"},
        {"0.012345651", "0.0123457"}}},
      {"level_bits_per_key",
       {{"10", "10"},
        {"0:0.4:99.9994:9.87651", "0:0.4:99.999:9.877"},
        {"16 : 8", "16:8"},
        {longest, longest}}},
      {"bits_by_level",
       {{"1", "true"},
        {" true ", "true"},
        {"false", "false"},
        {" 0", "false"}}},
      {"hits", {{"0.25", "0.25"}, {"1", "1"}}},
      {"bloom_before_level",
       {{"-1", "-1"}, {"0", "0"}, {"1000", "1000"}, {" +4 ", "4"}}},
      {"max_filter_bytes",
       {{"4096", "4096"}, {"4294967296", "4294967296"}, {"none", "none"}}},
      {"hash_seed",
       {{" 7", "7"},
        {"18446744073709551615", "18446744073709551615"},
        {"random", "random"}}},
  };
  for (auto [name, values] : kValues) {
    values.emplace_back(FindOption(name)->example, FindOption(name)->example);
    for (const auto& [value, printed] : values) {
      SCOPED_TRACE(name + "=" + value);
      FilterOptions options = Unusual(), read, again;
      ASSERT_EQ(SetOption(name, value, &options), "");
      EXPECT_EQ(GetOption(name, options), printed);
      EXPECT_EQ(Normalise(&options), "");
      ASSERT_EQ(SetOption(name, printed, &again), "");
      EXPECT_EQ(GetOption(name, again), printed);
      ASSERT_EQ(SetOption(name, value, &read), "");
      ExpectEqual(read, again);
      FindOption(name)->reset(&again);
      ExpectEqual(again, FilterOptions());
      for (const OptionRow& other : kOptions) {
        const OptionRow& set = *FindOption(name);
        if (&other == &set || Exclusive(set, other)) continue;
        EXPECT_EQ(other.print(options), other.print(Unusual())) << other.name;
      }
    }
  }
}

// In code, too, a value is what its text says.
TEST(FilterOptionsTextTest, NormalisedValuesComeBack) {
  const auto expect_back = [](const char* name, const FilterOptions& given) {
    FilterOptions normal = given, read;
    ASSERT_EQ(Normalise(&normal), "");
    const std::string text = GetOption(name, normal);
    ASSERT_EQ(SetOption(name, text, &read), "") << text;
    ASSERT_EQ(read.bits_per_key, normal.bits_per_key) << text;
    ASSERT_EQ(read.fp_rate, normal.fp_rate) << text;
    ASSERT_EQ(GetOption(name, read), text);
  };
  FilterOptions bits, rate;
  for (double thousandths = -0.4; thousandths <= 100000;
       thousandths += 123.45) {
    bits.bits_per_key = thousandths / 1000;
    expect_back("bits_per_key", bits);
  }
  for (rate.fp_rate = 1e-9; *rate.fp_rate <= 0.5; *rate.fp_rate *= 1.0723) {
    expect_back("fp_rate", rate);
  }
}

TEST(FilterOptionsTextTest, ValuesOutOfBoundsAreErrors) {
  std::string too_long = "1";
  for (int i = 0; i < 1000; ++i) too_long += ":2";
  const std::pair<std::string, std::vector<std::string>> kWrong[] = {
      {"kind", {"", "Bloom", "ribbons", "1"}},
      {"bits_per_key",
       {"", " ", "nan", "inf", "-inf", "-0.001", "100.001", "1e999", "ten",
        "10;", "1,5", "0x10", "1e", ".", "+-1", "++1", "1 0", "1.0.0"}},
      {"fp_rate", {"", "nan", "-0.01", "0.50001", "9.9e-10", "1%", "1e-999"}},
      {"level_bits_per_key",
       {"", ":", "16:", ":16", "16::8", "16,8", "16:-1", "16:nan", "16;8",
        too_long}},
      {"bits_by_level", {"", "True", "2", "-1", "true1"}},
      {"hits", {"", "nan", "-0.1", "1.001", "90%"}},
      {"bloom_before_level", {"", "1001", "2147483648", "0.5", "all"}},
      {"max_filter_bytes",
       {"", "0", "4095", "4294967297", "-1", "1e6", "64 MiB", "None"}},
      {"hash_seed", {"", "Random", "-1", "18446744073709551616", "1.5", "7 7"}},
  };
  for (const auto& [name, values] : kWrong) {
    for (const std::string& value : values) {
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
  options.hash_seed = 1234567;
  EXPECT_EQ(GetOption("hash_seed", options), "1234567");
  options.bits_per_key = 1234.5;
  ExpectError(Normalise(&options), {"bits_per_key=1234.5", "1 to 100"});
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
