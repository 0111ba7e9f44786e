#include "tools/text/printable.h"

#include "tests/testing.h"

namespace oneline {
namespace {

TEST(PrintableTest, EscapesControlCharactersOnly) {
  // U+009B begins a sequence as ESC [ does.
  for (const auto& [text, printable] :
       {std::pair<std::string, std::string>{"\x1b[31mred\n\x7f",
                                            "\\x1b[31mred\\x0a\\x7f"},
        {std::string("a\0b", 3), "a\\x00b"},
        {"\xc2\x9b[m", "\\xc2\\x9b[m"},
        {"a\xc2\x80", "a\\xc2\\x80"},
        {"a\xc2\x9f\t", "a\\xc2\\x9f\\x09"}}) {
    EXPECT_EQ(Printable(text), printable);
  }
  for (const std::string text :
       {"", "plain 'text' \"quoted\" \\", "gr\xc3\xbc\xc3\x9f", "\xc2\xa0",
        "\xff", "\xc2"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(ShellWordTest, IsTheWordForAShell) {
  const TemporaryDirectory directory;
  for (const std::string word :
       {"plain", "", "two words", "it's", "$HOME `x`", "\x1b[31m%s\\n'\"",
        "line\nline", "gr\xc3\xbc\xc3\x9f", "\xff\x01"}) {
    const std::string quoted = ShellWord(word);
    EXPECT_EQ(Printable(quoted), quoted);
    std::ofstream(directory.File("print")) << "printf %s " << quoted;
    EXPECT_EQ(RunProgram("bash " + directory.File("print")).out, word);
  }
}

}  // namespace
}  // namespace oneline
