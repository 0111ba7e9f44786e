#include "tools/database/options_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

std::string_view Stripped(std::string_view text) {
  while (!text.empty() && absl::ascii_isspace(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && absl::ascii_isspace(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// A line without its comment and without the spaces around it.
std::string_view Statement(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    // As in RocksDB, any backslash before a '#' escapes it, even one that is
    // itself escaped.
    if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) {
      return Stripped(line.substr(0, i));
    }
  }
  return Stripped(line);
}

// As in RocksDB, a backslash with nothing behind it is dropped.
std::string Unescaped(std::string_view escaped) {
  std::string plain;
  for (size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\') {
      plain.push_back(escaped[i]);
    } else if (++i < escaped.size()) {
      const char c = escaped[i];
      plain.push_back(c == 'n' ? '\n' : c == 'r' ? '\r' : c);
    }
  }
  return plain;
}

bool IsHeader(std::string_view statement) {
  return statement.size() >= 2 && statement.front() == '[' &&
         statement.back() == ']';
}

// Section and column family of a header `[section "column family"]`; "" for the
// latter of `[section]`. As in RocksDB, the name is what is between the first
// and the last quotation mark, and what is behind that does not count.
std::pair<std::string, std::string> ParseHeader(std::string_view statement) {
  const size_t open = statement.find('"');
  const size_t close = statement.rfind('"');
  const bool has_name = open != close;
  const size_t title_end = has_name ? open : statement.size() - 1;
  return {
      std::string(Stripped(statement.substr(1, title_end - 1))),
      has_name ? Unescaped(statement.substr(open + 1, close - open - 1)) : ""};
}

// Calls `visit` with the statement of each line. As in RocksDB, what follows
// the last '\n' is no line.
template <typename Visit>
void ForEachStatement(std::string_view text, const Visit& visit) {
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != text.npos;) {
    visit(Statement(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

}  // namespace

absl::StatusOr<OptionsFile> OptionsFile::Load(const std::string& path) {
  // Opening a FIFO would wait for its writer.
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is not a regular file"));
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.is_open() || file.bad() || text.str().empty()) {
    return absl::NotFoundError(
        absl::StrCat(path, ": can't be read, or is empty"));
  }
  return OptionsFile(text.str());
}

// As in RocksDB, the last section of a name counts, and in it the first line of
// an option.
OptionsFile::OptionsFile(std::string_view text) : text_(text) {
  std::map<std::string, std::string>* section = nullptr;
  ForEachStatement(text, [&](std::string_view statement) {
    if (IsHeader(statement)) {
      headers_.push_back(ParseHeader(statement));
      section = &options_[headers_.back()];
      section->clear();
      return;
    }
    const size_t equals = statement.find('=');
    if (section == nullptr || equals == statement.npos) return;
    section->emplace(Stripped(statement.substr(0, equals)),
                     Stripped(statement.substr(equals + 1)));
  });
}

std::optional<std::string> OptionsFile::Get(std::string_view section,
                                            std::string_view column_family,
                                            std::string_view name) const {
  const auto found =
      options_.find({std::string(section), std::string(column_family)});
  if (found == options_.end()) return std::nullopt;
  const auto option = found->second.find(std::string(name));
  if (option == found->second.end()) return std::nullopt;
  return option->second;
}

std::vector<std::string> OptionsFile::ColumnFamilies(
    std::string_view section) const {
  std::vector<std::string> families;
  for (const auto& [title, family] : headers_) {
    if (title == section) families.push_back(family);
  }
  return families;
}

}  // namespace oneline
