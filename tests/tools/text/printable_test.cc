// Tests of tools/text/printable.h and of tools/text/shell_words.h.

#include "tools/text/printable.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

TEST(PrintableTest, EscapesControlCharacters) {
  EXPECT_EQ(Printable("\x1b[31mred\n\x7f"), "\\x1b[31mred\\x0a\\x7f");
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a\\x00b");
  // U+009B begins a sequence as ESC [ does.
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(Printable("a\tb"), "a\\x09b");
  EXPECT_EQ(Printable("a\xc2\x80"), "a\\xc2\\x80");
  EXPECT_EQ(Printable("a\xc2\x9f"), "a\\xc2\\x9f");
}

TEST(PrintableTest, LeavesTheRest) {
  for (const std::string text : {"", "plain 'text' \"quoted\" \\",
                                 "gr\xc3\xbc\xc3\x9f"
                                 "e",
                                 "\xc2\xa0", "\xff", "\xc2"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(ShellWordTest, IsTheWordForAShell) {
  for (const std::string word : {"plain", "", "two words", "it's", "$HOME `x`",
                                 "\x1b[31m%s\\n'\"", "line\nline",
                                 "gr\xc3\xbc\xc3\x9f"
                                 "e",
                                 "\xff\x01"}) {
    const std::string quoted = ShellWord(word);
    EXPECT_EQ(Printable(quoted), quoted);
    EXPECT_EQ(RunProgram("printf %s " + quoted).out, word) << quoted;
  }
}

}  // namespace
}  // namespace oneline
