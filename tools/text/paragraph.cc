#include "tools/text/paragraph.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "tools/text/printable.h"

namespace oneline {

std::string Paragraph(absl::string_view text, size_t indent) {
  constexpr size_t kColumns = 80;
  const std::string margin(indent, ' ');
  std::string paragraph, line;
  for (const absl::string_view word :
       absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kColumns) {
      absl::StrAppend(&paragraph, margin, line, "\n");
      line.clear();
    }
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  absl::StrAppend(&paragraph, margin, line, "\n");
  return paragraph;
}

std::string TermAndText(absl::string_view term, absl::string_view text,
                        size_t indent) {
  const std::string begin = absl::StrCat("  ", term);
  std::string rows = Paragraph(text, indent);
  if (begin.size() + 2 > indent) return absl::StrCat(begin, "\n", rows);
  return rows.replace(0, begin.size(), begin);
}

void PrintParagraph(absl::string_view text, size_t indent) {
  absl::PrintF("%s", Paragraph(Printable(text), indent));
}

}  // namespace oneline
