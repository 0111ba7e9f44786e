// Tests of filter_policy/options/filter_options_text.h: single options, as text
// and in the struct; several, set one after the other, given together, or in
// the text of a policy.

#include "filter_policy/options/filter_options_text.h"

#include <locale>

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
  const auto expect_back = [](const char* name, FilterOptions normal) {
    ASSERT_EQ(Normalise(&normal), "");
    FilterOptions read;
    const std::string text = GetOption(name, normal);
    ASSERT_EQ(SetOption(name, text, &read), "") << text;
    ASSERT_EQ(read.bits_per_key, normal.bits_per_key) << text;
    ASSERT_EQ(read.fp_rate, normal.fp_rate) << text;
  };
  FilterOptions bits, rate;
  for (bits.bits_per_key = -0.0004; *bits.bits_per_key <= 100;) {
    expect_back("bits_per_key", bits);
    *bits.bits_per_key += 0.12345;
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

// The options that say how large filters are: one at a time.
NamesAndValues Sizes() {
  return {{"bits_per_key", "10"},
          {"fp_rate", "0.02"},
          {"level_bits_per_key", "16:8.5"}};
}

TEST(OptionsTogetherTest, SizesTakeEachOthersPlace) {
  for (const auto& [one, value] : Sizes()) {
    for (const auto& [two, other_value] : Sizes()) {
      SCOPED_TRACE(one + ", " + two);
      FilterOptions options;
      ASSERT_EQ(SetOption(one, value, &options), "");
      ASSERT_EQ(SetOption(two, other_value, &options), "");
      for (const auto& [name, set] : Sizes()) {
        EXPECT_EQ(GetOption(name, options), name == two ? set : "");
      }
      EXPECT_EQ(Normalise(&options), "");
      // An error in one leaves the other as it was.
      ASSERT_NE(SetOption(one, "1001", &options), "");
      EXPECT_EQ(GetOption(two, options), other_value);
    }
  }
}

// hits is for bits_by_level alone. As defaults, which RocksDB prints, they do
// not exclude each other.
TEST(OptionsTogetherTest, HitsTakeThePlaceOfAllThatSetsOtherBits) {
  FilterOptions options;
  for (const auto& [name, value] : NamesAndValues{
           {"bits_by_level", "false"}, {"level_bits_per_key", "16:8"}}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(SetOption("hits", "0.9", &options), "");
    EXPECT_TRUE(options.bits_by_level);
    EXPECT_TRUE(options.level_bits_per_key.empty());
    ASSERT_EQ(SetOption("bits_by_level", "true", &options), "");
    EXPECT_EQ(options.hits, 0.9);
    ASSERT_EQ(SetOption(name, value, &options), "");
    EXPECT_EQ(options.hits, 0);
    EXPECT_EQ(GetOption("hits", options), "");
    ASSERT_EQ(SetOption("hits", "0", &options), "");
    EXPECT_EQ(GetOption(name, options), value);
    ASSERT_EQ(SetOptionsTogether({{name, value}, {"hits", "0"}}, &options), "");
  }
  EXPECT_EQ(
      SetOptionsTogether(
          {{"hits", "0.5"}, {"bits_by_level", "true"}, {"fp_rate", "0.01"}},
          &options),
      "");
  EXPECT_EQ(options.hits, 0.5);
  EXPECT_EQ(Normalise(&options), "");
}

TEST(OptionsTogetherTest, ParsesNamesOfPolicies) {
  const std::pair<const char*, NamesAndValues> kTexts[] = {
      {"oneline", {}},
      {"{id=oneline;}", {}},
      {"oneline:12.5", {{"bits_per_key", "12.5"}}},
      {"{bits_per_key=12.5;id=oneline}", {{"bits_per_key", "12.5"}}},
      {"{ id = oneline ; bits_per_key = 12.5; ; hash_seed = 7 ; }",
       {{"bits_per_key", "12.5"}, {"hash_seed", "7"}}},
      {"{kind=bloom;id=oneline;bloom_before_level=2;fp_rate=1e-2}",
       {{"kind", "bloom"}, {"bloom_before_level", "2"}, {"fp_rate", "0.01"}}},
      {"{id=oneline:9;fp_rate=0.01}", {{"fp_rate", "0.01"}}},
      {"{id=oneline;level_bits_per_key=16:14:0;bits_by_level=0}",
       {{"level_bits_per_key", "16:14:0"}, {"bits_by_level", "false"}}},
  };
  for (const auto& [text, given] : kTexts) {
    SCOPED_TRACE(text);
    FilterOptions expected;
    ASSERT_EQ(SetOptionsTogether(given, &expected), "");
    // Options that the text does not name get their defaults.
    FilterOptions options = Unusual();
    EXPECT_EQ(ParsePolicy(text, &options), "");
    ExpectEqual(options, expected);
  }
}

TEST(OptionsTogetherTest, RefusesWhatNamesNoPolicy) {
  for (const char* text :
       {"", "oneline2", "Oneline", "oneline 10", " oneline", "bloomfilter:10",
        "{}", "{id=}", "{bits_per_key=10}", "{id=bloomfilter}", "{id=oneline",
        "id=oneline}", "{id=oneline;id=other}", "{id=oneline2:9}"}) {
    SCOPED_TRACE(text);
    FilterOptions options = Unusual();
    ExpectError(ParsePolicy(text, &options),
                {"oneline", text, "oneline:<bits_per_key>"});
    ExpectEqual(options, Unusual());
  }
}

TEST(OptionsTogetherTest, RefusesWrongOptionsInTextAndInCode) {
  std::vector<Mistake> mistakes = AllMistakes();
  mistakes.push_back(MistakeOf("bits_per_key=9;kind=bloom;bits_per_key=9",
                               {"bits_per_key=9", "given twice"}));
  mistakes.push_back(MistakeOf("", {"bits_per_key=", "1 to 100"}));
  mistakes.back().text = "oneline:";
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake);
    FilterOptions made = mistake.made.value_or(FilterOptions());
    if (mistake.made.has_value()) ExpectError(Normalise(&made), mistake.error);
    if (mistake.text.empty()) continue;
    FilterOptions options = Unusual();
    ExpectError(ParsePolicy(mistake.text, &options), mistake.error);
    ExpectEqual(options, Unusual());
  }
}

}  // namespace
}  // namespace oneline
