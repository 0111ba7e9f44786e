// OptionField, and the numbers that texts have.

#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>
#include <type_traits>
#include <utility>

#include "filter_policy/options/kind_traits.h"
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
  const KindTraits* kind = FindKind(value);
  return kind == nullptr ? Text(static_cast<int>(value)) : kind->name;
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

double ToThousandths(double number) { return std::round(number * 1000) / 1000; }

double ToSixDigits(double number) {
  double rounded = number;
  ParseValue(Text(number), &rounded);
  return rounded;
}

bool OptionField::parse(std::string_view text, FilterOptions* options) const {
  return std::visit(
      [&](auto field) {
        auto value = FilterOptions().*field;
        if (!ParseValue(text, &value)) return false;
        options->*field = std::move(value);
        return true;
      },
      pointer_);
}

std::string OptionField::print(const FilterOptions& options) const {
  return std::visit([&](auto field) { return Text(options.*field); }, pointer_);
}

bool OptionField::in_bounds(const FilterOptions& options) const {
  size_t numbers = 0, in_bounds = 0;
  std::visit(
      [&](auto field) {
        auto value = options.*field;
        ForEachNumber(value, [&](auto exact) {
          const auto number = static_cast<double>(exact);
          ++numbers;
          // NaN is not.
          if (number >= least_ && number <= most_) ++in_bounds;
        });
      },
      pointer_);
  return in_bounds == numbers && numbers <= kMaxListSize;
}

void OptionField::round(FilterOptions* options) const {
  if (rounding_ == nullptr) return;
  std::visit(
      [&](auto field) {
        ForEachNumber(options->*field, [&](auto& number) {
          number = static_cast<std::decay_t<decltype(number)>>(
              rounding_(static_cast<double>(number)));
        });
      },
      pointer_);
}

bool OptionField::given(const FilterOptions& options) const {
  return std::visit(
      [&](auto field) { return options.*field != FilterOptions().*field; },
      pointer_);
}

void OptionField::reset(FilterOptions* options) const {
  std::visit([&](auto field) { options->*field = FilterOptions().*field; },
             pointer_);
}

}  // namespace oneline
