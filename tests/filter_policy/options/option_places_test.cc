// Tests that each option and each kind of filter is in all the places that
// CONTRIBUTING.md names under "Add an option" and "Add a kind of filter". What
// is missing is named.

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>

#include "absl/strings/match.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"
#include "oneline/filter_options.h"
#include "tests/filter_policy/options/expect_options.h"
#include "tests/filter_policy/options/wrong_options.h"
#include "tests/run_program.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

// A new field does not compile here until it has a name, and then has no row
// until there is one more.
TEST(OptionPlacesTest, EveryFieldHasARow) {
  const auto [kind, bits_per_key, fp_rate, level_bits_per_key, bits_by_level,
              hits, bloom_before_level, max_filter_bytes, hash_seed] =
      FilterOptions();
  constexpr std::ptrdiff_t kFields = 9;
  EXPECT_EQ(std::distance(kOptions.begin(), kOptions.end()), kFields);
  // They are only counted.
  (void)kind, (void)bits_per_key, (void)fp_rate, (void)level_bits_per_key;
  (void)bits_by_level, (void)bloom_before_level, (void)max_filter_bytes;
  (void)hash_seed, (void)hits;
}

// Two of them exclude bits_per_key, and hits excludes bits_by_level=false.
TEST(OptionPlacesTest, EveryOptionIsUnusual) {
  for (const OptionRow& option : kOptions) {
    const std::string name = option.name;
    EXPECT_TRUE(option.field.given(Unusual()) || name == "fp_rate" ||
                name == "level_bits_per_key" || name == "hits")
        << name << ": not in Unusual() of expect_options.h";
  }
}

TEST(OptionPlacesTest, EveryOptionHasAWrongValue) {
  for (const OptionRow& option : kOptions) {
    bool named = false;
    for (const Mistake& mistake : Mistakes()) {
      for (const char* part : mistake.error) {
        named |=
            std::string(part).rfind(option.name + std::string("="), 0) == 0;
      }
    }
    EXPECT_TRUE(named) << option.name << ": not in wrong_options.h";
  }
}

void ExpectNamed(const OptionRow& option, const std::string& begin,
                 const std::string& end, const std::string& where,
                 const std::string& text) {
  EXPECT_NE(text.find(begin + option.name + end), std::string::npos)
      << option.name << ": not in " << where;
}

TEST(OptionPlacesTest, EveryOptionIsNamedInTheseFiles) {
  constexpr char kStress[] = "tests/rocksdb/stressed_database.cc";
  constexpr char kSeeds[] = "tests/fuzz/seeds/policy_text_fuzz";
  constexpr char kPage[] = "docs/leveldb.md";
  constexpr char kHeader[] =
      "filter_policy/include/oneline/leveldb_filter_policy.h";
  std::string seeds;
  for (const auto& seed : std::filesystem::directory_iterator(kSeeds)) {
    seeds += ReadWholeFile(seed.path());
  }
  for (const OptionRow& option : kOptions) {
    ExpectNamed(option, "{\"", "\", {", kStress, ReadWholeFile(kStress));
    ExpectNamed(option, "", "=", kSeeds, seeds);
    if (option.not_in_leveldb == nullptr) continue;
    ExpectNamed(option, "`", "`", kPage, ReadWholeFile(kPage));
    ExpectNamed(option, "", "", kHeader, ReadWholeFile(kHeader));
  }
}

// With a filter of that kind in RocksDB's crash test.
TEST(OptionPlacesTest, EveryKindIsAValueOfItsOption) {
  constexpr char kStress[] = "tests/rocksdb/stressed_database.cc";
  const std::string stress = ReadWholeFile(kStress);
  for (const KindTraits* row : AllKinds()) {
    const std::string name = row->name;
    FilterOptions options;
    EXPECT_EQ(SetOption("kind", name, &options), "");
    EXPECT_EQ(options.kind, KindOf(*row));
    EXPECT_TRUE(absl::StrContains(FindOption("kind")->bounds, name))
        << name << ": not in the bounds of the option kind";
    EXPECT_TRUE(absl::StrContains(stress, "\"" + name + "\""))
        << name << ": not in " << kStress;
  }
}

}  // namespace
}  // namespace oneline
