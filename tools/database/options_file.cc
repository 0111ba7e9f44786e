#include "tools/database/options_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

// Bytes [begin, end) of the text.
struct Span {
  size_t begin = 0;
  size_t end = 0;

  std::string_view In(std::string_view text) const {
    return text.substr(begin, end - begin);
  }
};

Span Stripped(std::string_view text, Span span) {
  while (span.begin < span.end && absl::ascii_isspace(text[span.begin])) {
    ++span.begin;
  }
  while (span.begin < span.end && absl::ascii_isspace(text[span.end - 1])) {
    --span.end;
  }
  return span;
}

// A line without its comment and without the spaces around it.
Span Statement(std::string_view text, Span line) {
  Span statement = line;
  for (size_t i = line.begin; i < line.end; ++i) {
    // As in RocksDB, any backslash before a '#' escapes it, even one that is
    // itself escaped.
    if (text[i] == '#' && (i == line.begin || text[i - 1] != '\\')) {
      statement.end = i;
      break;
    }
  }
  return Stripped(text, statement);
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

// The column family in a header `[section "column family"]`, "" for
// `[section]`; nothing if the statement is not a header of this section. As in
// RocksDB, the name is what is between the first and the last quotation mark,
// and what is behind that does not count.
std::optional<std::string> FamilyOf(std::string_view statement,
                                    std::string_view section) {
  if (!IsHeader(statement)) return std::nullopt;
  const size_t open = statement.find('"');
  const size_t close = statement.rfind('"');
  const bool has_name = open != close;
  const Span title = {1, has_name ? open : statement.size() - 1};
  if (Stripped(statement, title).In(statement) != section) return std::nullopt;
  return has_name ? Unescaped(statement.substr(open + 1, close - open - 1))
                  : "";
}

// Calls `visit` with each line, without its '\n'. As in RocksDB, what follows
// the last '\n' is no line.
template <typename Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != text.npos;) {
    visit(Span{begin, end});
    begin = end + 1;
  }
}

// Where an option is in the text.
struct Place {
  std::optional<Span> header;  // the line of its section's header
  std::optional<Span> value;   // its value
};

// As in RocksDB, the last section of this name counts, and in it the first line
// of the option.
Place Find(std::string_view text, std::string_view section,
           std::string_view column_family, std::string_view name) {
  Place place;
  bool inside = false;
  ForEachLine(text, [&](Span line) {
    const Span statement = Statement(text, line);
    const std::string_view words = statement.In(text);
    if (IsHeader(words)) {
      inside = FamilyOf(words, section) == column_family;
      if (inside) place = {line, std::nullopt};
      return;
    }
    const size_t equals = words.find('=');
    if (!inside || place.value.has_value() ||
        equals == std::string_view::npos) {
      return;
    }
    const Span key{statement.begin, statement.begin + equals};
    if (Stripped(text, key).In(text) == name) {
      place.value = Stripped(text, {key.end + 1, statement.end});
    }
  });
  return place;
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

std::optional<std::string> OptionsFile::Get(std::string_view section,
                                            std::string_view column_family,
                                            std::string_view name) const {
  const Place place = Find(text_, section, column_family, name);
  if (!place.value.has_value()) return std::nullopt;
  return std::string(place.value->In(text_));
}

std::vector<std::string> OptionsFile::ColumnFamilies(
    std::string_view section) const {
  std::vector<std::string> families;
  ForEachLine(text_, [&](Span line) {
    const std::optional<std::string> family =
        FamilyOf(Statement(text_, line).In(text_), section);
    if (family.has_value()) families.push_back(*family);
  });
  return families;
}

absl::Status OptionsFile::Set(std::string_view section,
                              std::string_view column_family,
                              std::string_view name, std::string_view value) {
  const Place place = Find(text_, section, column_family, name);
  if (place.value.has_value()) {
    text_.replace(place.value->begin, place.value->end - place.value->begin,
                  value);
    return absl::OkStatus();
  }
  if (!place.header.has_value()) {
    return absl::NotFoundError(absl::StrCat("has no section [", Absl(section),
                                            " \"", Absl(column_family), "\"]"));
  }
  // Keeps "\r\n" line ends.
  const std::string_view header = place.header->In(text_);
  const bool carriage = absl::EndsWith(Absl(header), "\r");
  const std::string line =
      absl::StrCat("\n  ", Absl(name), "=", Absl(value), carriage ? "\r" : "");
  text_.insert(place.header->end, line);
  return absl::OkStatus();
}

}  // namespace oneline
