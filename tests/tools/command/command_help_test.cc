// Tests of tools/command/command_help.h: the overview. That of single commands
// is in command_line_test.cc.

#include "tools/command/command_help.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "filter_policy/options/option_table.h"

namespace oneline {
namespace {

const Command kShort = {"look", "", "looks", "", {}, 0, 0, nullptr};
const Command kLong = {
    "look-everywhere", "", "looks there", "", {}, 0, 0, nullptr};

TEST(CommandHelpTest, TheOverviewHasEveryCommand) {
  const std::string help = HelpOf(OverviewOf({&kShort, &kLong}));
  EXPECT_EQ(help.rfind("usage: oneline COMMAND [FLAGS] [ARGUMENTS]\n\n", 0),
            0u);
  EXPECT_NE(help.find("\n  look      looks\n"
                      "  look-everywhere\n            looks there\n\n"),
            std::string::npos)
      << help;
}

TEST(CommandHelpTest, TheOverviewHasEveryFilterOption) {
  std::istringstream overview(HelpOf(OverviewOf({})));
  std::string words;  // with single spaces
  for (std::string word; overview >> word;) words += word + " ";
  for (const OptionRow& option : kOptions) {
    SCOPED_TRACE(option.name);
    std::string expected = std::string(option.name) + " " + option.bounds;
    const std::string default_text = option.default_text;
    if (!default_text.empty()) expected += " (default: " + default_text + ")";
    expected += std::string(": ") + option.help + " ";
    EXPECT_NE(words.find(expected), std::string::npos) << expected;
  }
}

TEST(CommandHelpTest, TheOverviewFitsATerminal) {
  std::istringstream overview(HelpOf(OverviewOf({&kShort})));
  for (std::string line; std::getline(overview, line);) {
    EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(CommandHelpTest, FlagsHaveValuesAndDefaults) {
  const FlagText jobs = TextOf("jobs", kShort);
  EXPECT_EQ(jobs.name, "--jobs");
  EXPECT_EQ(jobs.value, "N");
  EXPECT_EQ(jobs.help, "number of tables to process in parallel, 1 to 256");
  EXPECT_EQ(jobs.with_default, jobs.help + "; 1 if not given");
  const FlagText json = TextOf("json", kShort);
  EXPECT_EQ(json.value, "");
  EXPECT_EQ(json.with_default, "print JSON instead of text");
}

TEST(CommandHelpTest, AFlagCanMeanSomethingElseToOneCommand) {
  Command sieve = kShort;
  sieve.name = "sieve";
  EXPECT_EQ(TextOf("memory", sieve).help, "memory of the database");
  EXPECT_EQ(TextOf("memory", kShort).help,
            "memory of all filters, such as 512MiB");
}

}  // namespace
}  // namespace oneline
