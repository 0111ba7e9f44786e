// How an option's field in FilterOptions is read, printed and checked:
// functions that follow from the type of the field, its bounds and its
// precision.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_OPTION_FIELD_H_
#define ONELINE_FILTER_POLICY_OPTIONS_OPTION_FIELD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

struct OptionField {
  // Sets the field from text, without regard to bounds and precision. False,
  // with nothing changed, if the text is no value of the field's type.
  bool (*parse)(std::string_view text, FilterOptions* options);

  // The value as text: a number with six digits; a number, too, for an enum
  // that has none of its enumerators; nothing for an optional without a value.
  std::string (*print)(const FilterOptions& options);

  // Whether the option takes this value. An optional without one is in bounds.
  bool (*in_bounds)(const FilterOptions& options);

  // Rounds to the precision in which the value is used, saved and compared.
  void (*round)(FilterOptions* options);

  // Whether the value differs from the field's initial one.
  bool (*given)(const FilterOptions& options);

  // Sets the field to its initial value.
  void (*reset)(FilterOptions* options);
};

// Without the spaces around it.
std::string_view Trimmed(std::string_view text);

// A value from text; false, with *value unspecified, if it is none of that
// type. Numbers are read and printed as in C, whatever the process's locale,
// and may have spaces around them.
bool ParseValue(std::string_view text, double* value);
bool ParseValue(std::string_view text, int* value);
bool ParseValue(std::string_view text, uint64_t* value);
bool ParseValue(std::string_view text, Kind* value);
bool ParseValue(std::string_view text, bool* value);
bool ParseValue(std::string_view text, std::vector<double>* value);

std::string ValueText(double value);
std::string ValueText(int value);
std::string ValueText(uint64_t value);
std::string ValueText(Kind value);
std::string ValueText(bool value);
std::string ValueText(const std::vector<double>& value);

// The value of a field; null if it is an optional that has none.
template <typename T>
const T* ValueIn(const T& field) {
  return &field;
}
template <typename T>
const T* ValueIn(const std::optional<T>& field) {
  return field.has_value() ? &*field : nullptr;
}

// The type of a field's value: T of an optional<T>.
template <auto kMember>
using ValueType = std::remove_const_t<std::remove_pointer_t<decltype(ValueIn(
    std::declval<FilterOptions>().*kMember))>>;

template <typename T>
bool AnyValue(const T&) {
  return true;
}
template <typename T>
T NotRounded(const T& value) {
  return value;
}

// The functions of the field kMember, such as &FilterOptions::fp_rate.
// kInBounds is a function bool(value), kRound one from a value to the rounded
// value.
template <auto kMember, auto kInBounds = &AnyValue<ValueType<kMember>>,
          auto kRound = &NotRounded<ValueType<kMember>>>
constexpr OptionField FieldOf() {
  OptionField field = {};
  field.parse = [](std::string_view text, FilterOptions* options) {
    ValueType<kMember> value = {};
    if (!ParseValue(text, &value)) return false;
    options->*kMember = std::move(value);
    return true;
  };
  field.print = [](const FilterOptions& options) {
    const auto* value = ValueIn(options.*kMember);
    return value == nullptr ? std::string() : ValueText(*value);
  };
  field.in_bounds = [](const FilterOptions& options) {
    const auto* value = ValueIn(options.*kMember);
    return value == nullptr || kInBounds(*value);
  };
  field.round = [](FilterOptions* options) {
    const auto* value = ValueIn(options->*kMember);
    if (value != nullptr) options->*kMember = kRound(*value);
  };
  field.given = [](const FilterOptions& options) {
    return options.*kMember != FilterOptions().*kMember;
  };
  field.reset = [](FilterOptions* options) {
    options->*kMember = FilterOptions().*kMember;
  };
  return field;
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_OPTION_FIELD_H_
