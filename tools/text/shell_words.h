// Quotes words for a shell, in commands that are printed for copying. Control
// characters, which a terminal would obey, are written as escapes.

#ifndef ONELINE_TOOLS_TEXT_SHELL_WORDS_H_
#define ONELINE_TOOLS_TEXT_SHELL_WORDS_H_

#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "tools/text/printable.h"

namespace oneline {

// The word as what printf prints. (The shell drops newlines at the end.)
inline std::string PrintfWord(const std::string& word) {
  std::string quoted = "\"$(printf '";
  for (const char c : word) {
    const auto byte = static_cast<uint8_t>(c);
    if (absl::ascii_isalnum(byte)) {
      quoted.push_back(c);
    } else {
      absl::StrAppendFormat(&quoted, "\\%03o", byte);
    }
  }
  return quoted + "')\"";
}

// The word, in quotes if a shell needs them.
inline std::string ShellWord(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  if (Printable(word) != word) return PrintfWord(word);
  std::string quoted = "'";
  for (const char c : word) {
    // Quotes can't contain a quote: it ends them, and new ones begin after it.
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_SHELL_WORDS_H_
