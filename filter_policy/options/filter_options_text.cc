#include "filter_policy/options/filter_options_text.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "filter_policy/options/option_table.h"

namespace oneline {
namespace {

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

absl::Status OutOfBounds(const OptionRow& option, std::string_view value) {
  return absl::InvalidArgumentError(absl::StrCat(
      "oneline: ", option.name, "=", Absl(value), ": must be ", option.bounds));
}

absl::Status NoSuchOption(std::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("oneline: ", Absl(name), ": no such option, must be one of ",
                   absl::StrJoin(kOptions, ", ",
                                 [](std::string* out, const OptionRow& option) {
                                   out->append(option.name);
                                 })));
}

// OK if none of the options given excludes another one.
absl::Status CheckExclusive(const NamesAndValues& given) {
  const auto find = [&](const OptionRow& option) {
    return std::find_if(given.begin(), given.end(), [&](const auto& named) {
      return named.first == option.name;
    });
  };
  for (const OptionRow& option : kOptions) {
    for (const OptionRow& other : kOptions) {
      if (!Excludes(option, other)) continue;
      const auto a = find(other), b = find(option);
      if (a == given.end() || b == given.end()) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("oneline: ", a->first, "=", a->second, " and ", b->first,
                       "=", b->second, ": both given, must be one of them"));
    }
  }
  return absl::OkStatus();
}

bool Exclusive(const OptionRow& a, const OptionRow& b) {
  return Excludes(a, b) || Excludes(b, a);
}

absl::Status NotAPolicy(std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "oneline: \"", Absl(text),
      "\" names no policy of this library: must be oneline, "
      "oneline:<bits_per_key> or {id=oneline;<option>=<value>;...}"));
}

// The options of "{id=oneline;<name>=<value>;...}", from between the braces.
// False if the id is another.
bool SplitOptions(absl::string_view text, NamesAndValues* given) {
  bool ours = false;
  for (absl::string_view option :
       absl::StrSplit(text, ';', absl::SkipWhitespace())) {
    const std::pair<absl::string_view, absl::string_view> name_value =
        absl::StrSplit(option, absl::MaxSplits('=', 1));
    const absl::string_view name = absl::StripAsciiWhitespace(name_value.first);
    const absl::string_view value =
        absl::StripAsciiWhitespace(name_value.second);
    if (name == "id") {
      ours = value == kPolicyName;
    } else {
      given->emplace_back(name, value);
    }
  }
  return ours;
}

}  // namespace

absl::Status SetOption(std::string_view name, std::string_view value,
                       FilterOptions* options) {
  const OptionRow* option = FindOption(name);
  if (option == nullptr) return NoSuchOption(name);
  FilterOptions changed = *options;
  if (option->field.parse(value, &changed)) {
    if (!option->field.in_bounds(changed)) return OutOfBounds(*option, value);
    option->field.round(&changed);
  } else if (!value.empty() && value == option->default_text) {
    option->field.reset(&changed);  // such as "auto"
  } else {
    return OutOfBounds(*option, value);
  }
  for (const OptionRow& other : kOptions) {
    if (Exclusive(*option, other)) other.field.reset(&changed);
  }
  *options = std::move(changed);
  return absl::OkStatus();
}

absl::Status SetOptionsTogether(const NamesAndValues& given,
                                FilterOptions* options) {
  FilterOptions changed = *options;
  for (const auto& [name, value] : given) {
    const absl::Status status = SetOption(name, value, &changed);
    if (!status.ok()) return status;
  }
  const absl::Status status = CheckExclusive(given);
  if (status.ok()) *options = std::move(changed);
  return status;
}

std::string GetOption(std::string_view name, const FilterOptions& options) {
  const OptionRow* option = FindOption(name);
  assert(option != nullptr);
  if (option->field.given(options)) {
    FilterOptions rounded = options;
    option->field.round(&rounded);
    return option->field.print(rounded);
  }
  for (const OptionRow& other : kOptions) {
    if (Exclusive(*option, other) && other.field.given(options)) return "";
  }
  return option->default_text;
}

absl::Status Validate(const FilterOptions& options) {
  NamesAndValues given;
  for (const OptionRow& option : kOptions) {
    if (!option.field.given(options)) continue;
    const std::string value = option.field.print(options);
    if (!option.field.in_bounds(options)) return OutOfBounds(option, value);
    given.emplace_back(option.name, value);
  }
  return CheckExclusive(given);
}

absl::Status ParsePolicy(std::string_view text, FilterOptions* options) {
  NamesAndValues given;
  absl::string_view rest = Absl(text);
  if (absl::ConsumePrefix(&rest, "{") && absl::ConsumeSuffix(&rest, "}")) {
    if (!SplitOptions(rest, &given)) return NotAPolicy(text);
  } else if (absl::ConsumePrefix(&rest, absl::StrCat(kPolicyName, ":"))) {
    given.emplace_back("bits_per_key", rest);
  } else if (text != kPolicyName) {
    return NotAPolicy(text);
  }
  FilterOptions parsed;
  const absl::Status status = SetOptionsTogether(given, &parsed);
  if (status.ok()) *options = parsed;
  return status;
}

}  // namespace oneline
