#include "tools/database/options_file.h"

#include <rocksdb/env.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace oneline {
namespace {

// A line without its comment and without the spaces around it.
absl::string_view Statement(absl::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    // As in RocksDB, any backslash before a '#' escapes it, even one that is
    // itself escaped.
    if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) {
      return absl::StripAsciiWhitespace(line.substr(0, i));
    }
  }
  return absl::StripAsciiWhitespace(line);
}

// As in RocksDB, a backslash with nothing behind it is dropped.
std::string Unescaped(absl::string_view escaped) {
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

bool IsHeader(absl::string_view statement) {
  return statement.size() >= 2 && statement.front() == '[' &&
         statement.back() == ']';
}

// Section and column family of a header `[section "column family"]`; "" for the
// latter of `[section]`. As in RocksDB, the name is what is between the first
// and the last quotation mark, and what is behind that does not count.
std::pair<std::string, std::string> ParseHeader(absl::string_view statement) {
  const size_t open = statement.find('"');
  const size_t close = statement.rfind('"');
  const bool has_name = open != close;
  const size_t title_end = has_name ? open : statement.size() - 1;
  return {
      std::string(
          absl::StripAsciiWhitespace(statement.substr(1, title_end - 1))),
      has_name ? Unescaped(statement.substr(open + 1, close - open - 1)) : ""};
}

}  // namespace

std::map<uint64_t, std::string> NumberedFiles(const std::string& directory,
                                              std::string_view prefix) {
  std::vector<std::string> names;
  rocksdb::Env::Default()
      ->GetChildren(directory, &names)
      .PermitUncheckedError();
  std::map<uint64_t, std::string> files;
  for (const std::string& name : names) {
    uint64_t number = 0;
    if (name.rfind(prefix, 0) == 0 &&
        absl::SimpleAtoi(name.substr(prefix.size()), &number)) {
      files[number] = absl::StrCat(directory, "/", name);
    }
  }
  return files;
}

absl::StatusOr<OptionsFile> OptionsFile::Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::UnavailableError(
        absl::StrCat(path, ": can't be read: ", std::strerror(errno)));
  }
  std::ostringstream text;
  text << file.rdbuf();
  if (text.fail()) return absl::NotFoundError(path + ": is empty");
  return OptionsFile(text.str());
}

OptionsFile::OptionsFile(std::string_view text) : text_(text) {
  std::map<std::string, std::string>* section = nullptr;
  std::vector<absl::string_view> lines = absl::StrSplit(text_, '\n');
  lines.pop_back();
  for (const absl::string_view line : lines) {
    const absl::string_view statement = Statement(line);
    if (IsHeader(statement)) {
      section = &options_[ParseHeader(statement)];
      section->clear();
      continue;
    }
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(statement, absl::MaxSplits('=', 1));
    if (section == nullptr || !absl::StrContains(statement, '=')) continue;
    section->emplace(absl::StripAsciiWhitespace(parts.first),
                     absl::StripAsciiWhitespace(parts.second));
  }
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

std::string OptionsFile::Object(std::string_view section,
                                std::string_view column_family,
                                std::string_view name) const {
  const std::optional<std::string> value = Get(section, column_family, name);
  return value.value_or("").empty() ? kNoObject : *value;
}

}  // namespace oneline
