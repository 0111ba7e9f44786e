// Makes text from databases safe for a terminal: names in it can be any bytes.

#ifndef ONELINE_TOOLS_TEXT_PRINTABLE_H_
#define ONELINE_TOOLS_TEXT_PRINTABLE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// The text with control characters as \xNN: those of ASCII, and the second
// block, 128 to 159, in UTF-8.
std::string Printable(absl::string_view text);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PRINTABLE_H_
