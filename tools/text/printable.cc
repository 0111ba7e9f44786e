#include "tools/text/printable.h"

#include <cstdint>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace oneline {

std::string Printable(absl::string_view text) {
  std::string printable;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const auto next =
        static_cast<uint8_t>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
      absl::StrAppendFormat(&printable, "\\xc2\\x%02x", next);
      ++i;
    } else if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppendFormat(&printable, "\\x%02x", byte);
    } else {
      printable.push_back(text[i]);
    }
  }
  return printable;
}

std::string ShellWord(const std::string& word) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  if (Printable(word) != word)
    return absl::StrCat("$'", absl::CEscape(word), "'");
  // Quotes can't contain a quote: it ends them, and new ones begin after it.
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

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
  return absl::StrCat(paragraph, margin, line, "\n");
}

void PrintParagraph(absl::string_view text, size_t indent) {
  absl::PrintF("%s", Paragraph(Printable(text), indent));
}

std::string TermAndText(absl::string_view term, absl::string_view text,
                        size_t indent) {
  const std::string begin = absl::StrCat("  ", term);
  std::string rows = Paragraph(text, indent);
  if (begin.size() + 2 > indent) return absl::StrCat(begin, "\n", rows);
  return rows.replace(0, begin.size(), begin);
}

}  // namespace oneline
