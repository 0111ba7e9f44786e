// Tests of filter_policy/options/filter_options_text.h: several options, set
// one after the other, given together, or in the text of a policy.

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/options/filter_options_text.h"
#include "tests/filter_policy/options/expect_options.h"

namespace oneline {
namespace {

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

TEST(OptionsTogetherTest, OptionsAreSetTogetherOrNotAtAll) {
  FilterOptions options = Unusual();
  ASSERT_EQ(SetOptionsTogether({{"fp_rate", "0.02"}, {"bits_by_level", "true"}},
                               &options),
            "");
  FilterOptions expected = Unusual();
  expected.bits_per_key.reset();
  expected.fp_rate = 0.02;
  expected.bits_by_level = true;
  ExpectEqual(options, expected);
  EXPECT_NE(SetOptionsTogether({{"bits_by_level", "0"}, {"hash_seed", "x"}},
                               &options),
            "");
  ExpectEqual(options, expected);
  EXPECT_EQ(SetOptionsTogether({}, &options), "");
  ExpectEqual(options, expected);
}

TEST(OptionsTogetherTest, ParsesNamesOfPolicies) {
  const std::pair<const char*, NamesAndValues> kTexts[] = {
      {"oneline", {}},
      {"{id=oneline}", {}},
      {"{id=oneline;}", {}},
      {"oneline:12.5", {{"bits_per_key", "12.5"}}},
      {"{bits_per_key=12.5;id=oneline}", {{"bits_per_key", "12.5"}}},
      {"{ id = oneline ; bits_per_key = 12.5; ; hash_seed = 7 ; }",
       {{"bits_per_key", "12.5"}, {"hash_seed", "7"}}},
      {"{kind=bloom;id=oneline;bloom_before_level=2;fp_rate=1e-2}",
       {{"kind", "bloom"}, {"bloom_before_level", "2"}, {"fp_rate", "0.01"}}},
      {"{id=oneline:12;kind=bloom}",
       {{"bits_per_key", "12"}, {"kind", "bloom"}}},
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
