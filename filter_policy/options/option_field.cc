// How the fields of options are read, printed, rounded and compared.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <locale>
#include <sstream>
#include <utility>

#include "filter_policy/options/option_table.h"

namespace oneline {
namespace {

using oneline::ParseValue;  // of numbers, beside those below

// More levels than any database has.
constexpr size_t kMaxListSize = 1000;

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

bool ParseValue(std::string_view text, uint64_t* value) {
  return ParseInteger(text, value);
}

// By their numbers, from 1 on.
constexpr std::string_view kKindNames[] = {"bloom", "ribbon", "rocksdb_bloom",
                                           "rocksdb_ribbon"};

bool ParseValue(std::string_view text, Kind* value) {
  const auto found =
      std::find(std::begin(kKindNames), std::end(kKindNames), text);
  *value = static_cast<Kind>(1 + (found - std::begin(kKindNames)));
  return found != std::end(kKindNames);
}

// As RocksDB reads its own options.
bool ParseValue(std::string_view text, bool* value) {
  const std::string_view trimmed = Trimmed(text);
  *value = trimmed == "true" || trimmed == "1";
  return *value || trimmed == "false" || trimmed == "0";
}

template <typename T>
bool ParseValue(std::string_view text, std::optional<T>* value) {
  return ParseValue(text, &value->emplace());
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

std::string Text(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

std::string Text(int value) { return std::to_string(value); }

std::string Text(uint64_t value) { return std::to_string(value); }

std::string Text(Kind value) {
  const size_t number = static_cast<size_t>(value);
  return number - 1 < std::size(kKindNames)
             ? std::string(kKindNames[number - 1])
             : Text(static_cast<int>(value));
}

std::string Text(bool value) { return value ? "true" : "false"; }

template <typename T>
std::string Text(const std::optional<T>& value) {
  return value.has_value() ? Text(*value) : "";
}

std::string Text(const std::vector<double>& value) {
  std::string text;
  for (const double number : value) {
    if (!text.empty()) text += ':';
    text += Text(number);
  }
  return text;
}

// Calls visit(number) for each number of a value.
template <typename Number, typename Visit>
void ForEachNumber(Number& value, Visit visit) {
  visit(value);
}

template <typename T, typename Visit>
void ForEachNumber(std::optional<T>& value, Visit visit) {
  if (value.has_value()) visit(*value);
}

template <typename Visit>
void ForEachNumber(std::vector<double>& value, Visit visit) {
  for (double& number : value) visit(number);
}

template <typename Number>
Number Rounded(Number number, Precision /*precision*/) {
  return number;
}

double Rounded(double number, Precision precision) {
  // Without a minus before a zero.
  double rounded = std::round(number * 1000) / 1000 + 0.0;
  if (precision == Precision::kThousandths) return rounded;
  rounded = number;
  if (precision == Precision::kSixDigits) ParseValue(Text(number), &rounded);
  return rounded;
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

bool OptionRow::given(const FilterOptions& options) const {
  return std::visit(
      [&](auto member) { return options.*member != FilterOptions().*member; },
      field);
}

void OptionRow::reset(FilterOptions* options) const {
  std::visit([&](auto member) { options->*member = FilterOptions().*member; },
             field);
}

bool OptionRow::normalise(FilterOptions* options) const {
  size_t numbers = 0, in_bounds = 0;
  const auto normalise_one = [&](auto& number) {
    number = Rounded(number, precision);
    ++numbers;
    // NaN is not.
    const auto value = static_cast<double>(number);
    if (value >= least && value <= most) ++in_bounds;
  };
  std::visit(
      [&](auto member) { ForEachNumber(options->*member, normalise_one); },
      field);
  return in_bounds == numbers && numbers <= kMaxListSize;
}

bool OptionRow::parse(std::string_view text, FilterOptions* options) const {
  return std::visit(
             [&](auto member) {
               auto value = FilterOptions().*member;
               if (!ParseValue(text, &value)) return false;
               options->*member = std::move(value);
               return true;
             },
             field) &&
         normalise(options);
}

std::string OptionRow::print(const FilterOptions& options) const {
  return std::visit([&](auto member) { return Text(options.*member); }, field);
}

}  // namespace oneline
