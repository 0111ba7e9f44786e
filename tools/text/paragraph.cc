#include "tools/text/paragraph.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace oneline {

void PrintParagraph(absl::string_view text, size_t indent) {
  constexpr size_t kColumns = 80;
  std::string line;
  for (const absl::string_view word :
       absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kColumns) {
      absl::PrintF("%s%s\n", std::string(indent, ' '), line);
      line.clear();
    }
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  absl::PrintF("%s%s\n", std::string(indent, ' '), line);
}

}  // namespace oneline
