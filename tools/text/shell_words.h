// Quotes words for a shell, in commands that are printed for copying.

#ifndef ONELINE_TOOLS_TEXT_SHELL_WORDS_H_
#define ONELINE_TOOLS_TEXT_SHELL_WORDS_H_

#include <string>

namespace oneline {

// The word, in quotes if a shell needs them.
inline std::string ShellWord(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    // Quotes can't contain a quote: it ends them, and new ones begin after it.
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_SHELL_WORDS_H_
