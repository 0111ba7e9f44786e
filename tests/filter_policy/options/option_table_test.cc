// Tests of filter_policy/options/option_table.h: the rows agree with
// FilterOptions, with each other, and with the table in docs/options.md.

#include "filter_policy/options/option_table.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/requested_bits.h"
#include "tests/filter_policy/options/expect_options.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

constexpr char kDocsHeader[] =
    "| option | must be | default | not together with | meaning |\n"
    "|---|---|---|---|---|\n";

// The table as docs/options.md must show it.
std::string DocsTable() {
  std::string table = kDocsHeader;
  for (const OptionRow& option : kOptions) {
    std::string others;
    for (const OptionRow& other : kOptions) {
      if (!Exclusive(option, other)) continue;
      absl::StrAppend(&others, others.empty() ? "`" : ", `", other.name, "`");
    }
    if (option.not_in_leveldb != nullptr) {
      absl::StrAppend(&others, others.empty() ? "LevelDB" : ", LevelDB");
    }
    absl::StrAppend(&table, "|");
    for (const std::string& cell :
         {absl::StrCat("`", option.name, "`"), std::string(option.bounds),
          std::string(option.default_text), others, std::string(option.help)}) {
      absl::StrAppend(&table, cell.empty() ? "" : " ", cell, " |");
    }
    table += "\n";
  }
  return table;
}

TEST(OptionTableTest, IsTheTableOfTheDocs) {
  const std::string page = ReadWholeFile("docs/options.md");
  EXPECT_TRUE(absl::StrContains(page, "\n\n" + DocsTable() + "\n"))
      << "docs/options.md must have this table:\n"
      << DocsTable();
}

TEST(OptionTableTest, DefaultsAreThoseOfTheStruct) {
  for (const OptionRow& option : kOptions) {
    SCOPED_TRACE(option.name);
    const std::string text = option.default_text;
    EXPECT_FALSE(option.given(FilterOptions()));
    EXPECT_EQ(GetOption(option.name, FilterOptions()), text);
    FilterOptions options;
    const bool can_be_set = SetOption(option.name, text, &options).empty();
    EXPECT_EQ(can_be_set, !text.empty());
    if (!can_be_set) continue;
    // Its field has no value by default, and the number is used.
    if (std::string_view(option.name) == "bits_per_key") {
      EXPECT_EQ(options.bits_per_key, kDefaultBitsPerKey);
      options.bits_per_key.reset();
    }
    ExpectEqual(options, FilterOptions());
  }
}

// Each pair stands in one row only: an error names it once.
TEST(OptionTableTest, ExclusivePairsAreOptionsAndStandOnce) {
  int pairs = 0;
  for (const OptionRow& option : kOptions) {
    for (const char* name : option.excludes) {
      if (name == nullptr) continue;
      ++pairs;
      const OptionRow* other = FindOption(name);
      ASSERT_NE(other, nullptr) << name;
      EXPECT_NE(other, &option) << name;
      EXPECT_FALSE(other->excludes_option(option.name)) << name;
    }
  }
  EXPECT_GT(pairs, 0);
}

TEST(OptionTableTest, ExamplesAreNoDefaultsAndWrongValuesAreRefused) {
  for (const OptionRow& option : kOptions) {
    SCOPED_TRACE(option.name);
    FilterOptions options, wrong;
    EXPECT_TRUE(option.parse(option.example, &options));
    EXPECT_TRUE(option.given(options));
    EXPECT_EQ(option.print(options), option.example);
    EXPECT_FALSE(option.parse(option.wrong, &wrong));
  }
}

// A new field does not compile here until it has a name, and then has no row
// until there is one more.
TEST(OptionTableTest, EveryFieldHasARow) {
  [[maybe_unused]] const auto [kind, bits_per_key, fp_rate, level_bits_per_key,
                               bits_by_level, hits, bloom_before_level,
                               max_filter_bytes, hash_seed] = FilterOptions();
  constexpr std::ptrdiff_t kFields = 9;
  EXPECT_EQ(std::distance(kOptions.begin(), kOptions.end()), kFields);
}

TEST(OptionTableTest, EveryKindIsAValueOfTheOption) {
  for (const KindTraits* row : AllKinds()) {
    FilterOptions options;
    EXPECT_EQ(SetOption("kind", row->name, &options), "");
    EXPECT_EQ(options.kind, KindOf(*row));
    EXPECT_TRUE(absl::StrContains(FindOption("kind")->bounds, row->name))
        << row->name << ": not in the bounds of the option kind";
  }
}

}  // namespace
}  // namespace oneline
