// Text for terminals and shells. Names in databases can be any bytes, and are
// made safe here.

#ifndef ONELINE_TOOLS_TEXT_PRINTABLE_H_
#define ONELINE_TOOLS_TEXT_PRINTABLE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// The text with control characters as \xNN: those of ASCII, and the second
// block, 128 to 159, in UTF-8.
std::string Printable(absl::string_view text);

// A word of a command that is printed for copying, in quotes if a shell needs
// them; also printable, by what Bash, Zsh and KornShell know.
std::string ShellWord(const std::string& word);

// The text in lines of at most 80 characters, each indented by `indent` spaces
// and ended. Words that are longer are not broken.
std::string Paragraph(absl::string_view text, size_t indent = 2);

// Prints that on standard output, as Printable text.
void PrintParagraph(absl::string_view text, size_t indent = 2);

// "  TERM  text", with the text's lines indented; the term has a line of its
// own if it is too long for that.
std::string TermAndText(absl::string_view term, absl::string_view text,
                        size_t indent = 24);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PRINTABLE_H_
