// Text for people, in lines that fit a terminal.

#ifndef ONELINE_TOOLS_TEXT_PARAGRAPH_H_
#define ONELINE_TOOLS_TEXT_PARAGRAPH_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// The text in lines of at most 80 characters, each indented by `indent` spaces
// and ended. Words that are longer are not broken.
std::string Paragraph(absl::string_view text, size_t indent = 2);

// "  TERM  text", with the text's lines indented; the term has a line of its
// own if it is too long for that.
std::string TermAndText(absl::string_view term, absl::string_view text,
                        size_t indent = 24);

// Prints a Paragraph on standard output, as Printable text.
void PrintParagraph(absl::string_view text, size_t indent = 2);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PARAGRAPH_H_
