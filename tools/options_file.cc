#include "tools/options_file.h"

#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace oneline {
namespace {

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

}  // namespace

absl::StatusOr<OptionsFile> OptionsFile::Load(const std::string& path) {
  std::ifstream file(path);
  OptionsFile options;
  for (std::string line; std::getline(file, line);) {
    options.lines_.push_back(line);
  }
  if (file.bad() || options.lines_.empty()) {
    return absl::NotFoundError(absl::StrCat(path, ": can't be read"));
  }
  return options;
}

std::optional<std::string> OptionsFile::Get(std::string_view section,
                                            std::string_view column_family,
                                            std::string_view name) const {
  const std::string wanted =
      absl::StrCat("[", Absl(section), " \"", Absl(column_family), "\"]");
  bool in_section = false;
  for (const std::string& line : lines_) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    if (!text.empty() && text[0] == '[') in_section = text == wanted;
    if (!in_section) continue;
    const std::pair<absl::string_view, absl::string_view> option =
        absl::StrSplit(text, absl::MaxSplits('=', 1));
    if (absl::StripAsciiWhitespace(option.first) == Absl(name)) {
      return std::string(absl::StripAsciiWhitespace(option.second));
    }
  }
  return std::nullopt;
}

}  // namespace oneline
