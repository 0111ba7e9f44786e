// Tests of tools/command/option_list.h.

#include "tools/command/option_list.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "filter_policy/options/option_table.h"

namespace oneline {
namespace {

// The list in one line, with single spaces.
std::string Words() {
  std::istringstream list(OptionList());
  std::string words;
  for (std::string word; list >> word;) words += word + " ";
  return words;
}

TEST(OptionListTest, HasEveryOption) {
  const std::string words = Words();
  for (const OptionRow& option : kOptions) {
    SCOPED_TRACE(option.name);
    std::string expected = std::string(option.name) + " " + option.bounds;
    const std::string default_text = option.default_text;
    if (!default_text.empty()) expected += " (default: " + default_text + ")";
    expected += std::string(" ") + option.help + " ";
    EXPECT_NE(words.find(expected), std::string::npos) << expected;
  }
}

TEST(OptionListTest, FitsATerminal) {
  std::istringstream list(OptionList());
  for (std::string line; std::getline(list, line);) {
    EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
}  // namespace oneline
