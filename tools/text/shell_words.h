// Words as a shell reads them, for commands that are printed to be copied.

#ifndef ONELINE_TOOLS_TEXT_SHELL_WORDS_H_
#define ONELINE_TOOLS_TEXT_SHELL_WORDS_H_

#include <string>

namespace oneline {

// The word itself where a shell takes it as it is, else in quotes.
inline std::string ShellWord(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    // A quote can't stand between quotes: these end, and begin anew after it.
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_SHELL_WORDS_H_
