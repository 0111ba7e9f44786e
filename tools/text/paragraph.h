// Text for people, in lines that fit a terminal.

#ifndef ONELINE_TOOLS_TEXT_PARAGRAPH_H_
#define ONELINE_TOOLS_TEXT_PARAGRAPH_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// Prints it on standard output in lines of at most 80 characters, indented by
// `indent`; a word that is longer stays whole.
void PrintParagraph(absl::string_view text, size_t indent = 2);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PARAGRAPH_H_
