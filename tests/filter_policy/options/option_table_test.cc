// Tests of filter_policy/options/option_table.h: the rows agree with
// FilterOptions, with each other, and with the table in docs/options.md.

#include "filter_policy/options/option_table.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/tree_bits.h"
#include "tests/filter_policy/options/expect_options.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

constexpr char kDocsHeader[] =
    "| option | must be | default | not together with | meaning |\n"
    "|---|---|---|---|---|\n";

// A row as a line of the docs: the cells of kDocsHeader.
std::string DocsLine(const OptionRow& option) {
  std::string others;
  for (const OptionRow& other : kOptions) {
    if (!Excludes(option, other) && !Excludes(other, option)) continue;
    absl::StrAppend(&others, others.empty() ? "`" : ", `", other.name, "`");
  }
  std::string line = "|";
  for (const std::string& cell :
       {absl::StrCat("`", option.name, "`"), std::string(option.bounds),
        std::string(option.default_text), others, std::string(option.help)}) {
    absl::StrAppend(&line, cell.empty() ? "" : " ", cell, " |");
  }
  return line + "\n";
}

// The table as docs/options.md must show it.
std::string DocsTable() {
  std::string table = kDocsHeader;
  for (const OptionRow& option : kOptions) table += DocsLine(option);
  return table;
}

// The first table of a page whose first column is "option".
std::string TableIn(const std::string& page) {
  std::istringstream lines(page);
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    const bool begins = line.compare(0, 10, "| option |") == 0;
    const bool goes_on = !table.empty() && line.compare(0, 1, "|") == 0;
    if (begins || goes_on) {
      table += line + "\n";
    } else if (!table.empty()) {
      break;
    }
  }
  return table;
}

TEST(OptionTableTest, IsTheTableOfTheDocs) {
  EXPECT_EQ(TableIn(ReadWholeFile("docs/options.md")), DocsTable())
      << "docs/options.md must have this table:\n"
      << DocsTable();
}

TEST(OptionTableTest, DefaultsAreThoseOfTheStruct) {
  for (const OptionRow& option : kOptions) {
    SCOPED_TRACE(option.name);
    const std::string text = option.default_text;
    EXPECT_FALSE(option.field.given(FilterOptions()));
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
      EXPECT_TRUE(Excludes(option, *other));
      EXPECT_FALSE(Excludes(*other, option)) << name;
    }
  }
  EXPECT_GT(pairs, 0);
}

}  // namespace
}  // namespace oneline
