#include "tools/command/option_list.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/option_table.h"
#include "tools/text/paragraph.h"

namespace oneline {

std::string OptionList() {
  constexpr size_t kIndent = 22;  // the longest name, and two spaces beside it
  std::string list =
      "Filter options, for OPTIONS files: "
      "filter_policy={id=oneline;NAME=VALUE;...}\n\n";
  for (const OptionRow& option : kOptions) {
    const std::string_view name = option.name;
    const bool has_default = *option.default_text != '\0';
    std::string values =
        Paragraph(absl::StrCat(option.bounds, has_default ? " (default: " : "",
                               option.default_text, has_default ? ")" : ""),
                  kIndent);
    values.replace(2, name.size(), name);
    absl::StrAppend(&list, values, Paragraph(option.help, kIndent));
  }
  return list;
}

}  // namespace oneline
