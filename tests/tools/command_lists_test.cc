// Tests that no list of commands lacks one: that of tools/oneline.cc, and the
// headings of docs/tools.md.

#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <string>
#include <vector>

#include "tests/run_program.h"
#include "tests/tools/command_names.h"

namespace oneline {
namespace {

// What stands for the group of a pattern, at each place, in lower case.
std::vector<std::string> AllOf(const std::string& pattern,
                               const std::string& text) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end;
       ++at) {
    found.push_back((*at)[1]);
    for (char& c : found.back()) c = static_cast<char>(std::tolower(c));
  }
  return found;
}

TEST(CommandListsTest, TheProgramHasAllThatAreDeclared) {
  const std::vector<std::string> declared =
      AllOf("extern const Command k(\\w+)Command;",
            ReadWholeFile("tools/command/command.h"));
  EXPECT_FALSE(declared.empty());
  EXPECT_EQ(CommandNames(), declared);
}

TEST(CommandListsTest, ThePageDescribesAll) {
  EXPECT_EQ(AllOf("\n## oneline (\\w+)", ReadWholeFile("docs/tools.md")),
            CommandNames());
}

TEST(CommandListsTest, SomeReadDatabases) {
  EXPECT_GE(DatabaseCommandNames().size(), 4u);
}

}  // namespace
}  // namespace oneline
