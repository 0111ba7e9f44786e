// Options that are given together: those that exclude each other, and the text
// of a whole policy.

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "filter_policy/options/filter_options_text.h"

namespace oneline {
namespace {

constexpr std::pair<std::string_view, std::string_view> kExclusive[] = {
    {"bits_per_key", "fp_rate"},
    {"bits_per_key", "level_bits_per_key"},
    {"fp_rate", "level_bits_per_key"},
    {"allocation", "level_bits_per_key"}};

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

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

absl::Status CheckExclusive(const NamesAndValues& given) {
  const std::map<std::string_view, std::string_view> values(given.begin(),
                                                            given.end());
  for (const auto& [one, other] : kExclusive) {
    const auto a = values.find(one), b = values.find(other);
    if (a == values.end() || b == values.end()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "oneline: ", Absl(one), "=", Absl(a->second), " and ", Absl(other), "=",
        Absl(b->second), ": both given, must be one of them"));
  }
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
