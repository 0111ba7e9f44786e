#include "filter_policy/options/option_field.h"

#include <charconv>
#include <locale>
#include <sstream>

#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

// A number without spaces around it and without a plus sign before it.
std::string_view Bare(std::string_view text) {
  text = Trimmed(text);
  const bool plus =
      text.size() > 1 && text[0] == '+' && text[1] != '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

template <typename Integer>
bool ParseInteger(std::string_view text, Integer* value) {
  const std::string_view bare = Bare(text);
  const char* const end = bare.data() + bare.size();
  const std::from_chars_result result =
      std::from_chars(bare.data(), end, *value);
  return result.ec == std::errc() && result.ptr == end;
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  constexpr char kSpaces[] = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool ParseValue(std::string_view text, double* value) {
  const std::string_view bare = Bare(text);
  // Some standard libraries also read hexadecimal digits.
  if (bare.find_first_not_of("0123456789.+-eE") != bare.npos) return false;
  // Not every standard library has std::from_chars for double.
  std::istringstream in{std::string(bare)};
  in.imbue(std::locale::classic());
  return in >> *value && in.peek() == std::istringstream::traits_type::eof();
}

bool ParseValue(std::string_view text, int* value) {
  return ParseInteger(text, value);
}

bool ParseValue(std::string_view text, uint64_t* value) {
  return ParseInteger(text, value);
}

bool ParseValue(std::string_view text, Kind* value) {
  const KindTraits* kind = FindKind(text);
  if (kind != nullptr) *value = KindOf(*kind);
  return kind != nullptr;
}

// As RocksDB reads its own options.
bool ParseValue(std::string_view text, bool* value) {
  const std::string_view trimmed = Trimmed(text);
  *value = trimmed == "true" || trimmed == "1";
  return *value || trimmed == "false" || trimmed == "0";
}

bool ParseValue(std::string_view text, std::vector<double>* value) {
  for (;;) {
    const size_t colon = text.find(':');
    double number;
    if (!ParseValue(text.substr(0, colon), &number)) return false;
    value->push_back(number);
    if (colon == text.npos) return true;
    text.remove_prefix(colon + 1);
  }
}

std::string ValueText(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

std::string ValueText(int value) { return std::to_string(value); }

std::string ValueText(uint64_t value) { return std::to_string(value); }

std::string ValueText(Kind value) {
  const KindTraits* kind = FindKind(value);
  return kind == nullptr ? ValueText(static_cast<int>(value)) : kind->name;
}

std::string ValueText(bool value) { return value ? "true" : "false"; }

std::string ValueText(const std::vector<double>& value) {
  std::string text;
  for (double number : value) {
    if (!text.empty()) text += ':';
    text += ValueText(number);
  }
  return text;
}

}  // namespace oneline
