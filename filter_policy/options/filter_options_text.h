// Filter options as text, as in an OPTIONS file: one by one, and together as
// the text of a policy. The rows of option_table.h say what each option takes.
//
// Functions that can fail return the error: it names the option, the value, and
// what that must be. It is empty if there is none.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTIONS_TEXT_H_
#define ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTIONS_TEXT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// The name of the policy, in OPTIONS files and tables.
inline constexpr char kPolicyName[] = "oneline";

using NamesAndValues = std::vector<std::pair<std::string, std::string>>;

// Sets one option. Options that exclude it are unset, as it takes their place.
// On error `options` stays as it was.
[[nodiscard]] std::string SetOption(std::string_view name,
                                    std::string_view value,
                                    FilterOptions* options);

// Sets options that are given together: two that exclude each other, or one
// that is given twice, are an error. On error `options` stays as it was.
[[nodiscard]] std::string SetOptionsTogether(const NamesAndValues& given,
                                             FilterOptions* options);

// One option as text, from which SetOption makes the same value. Empty if the
// option is not given and has no default, or another one took its place.
// REQUIRES: FindOption(name) is not null.
std::string GetOption(std::string_view name, const FilterOptions& options);

// All options but those that have their default values, as
// "<name>=<value>;<name>=<value>".
std::string ChangedOptions(const FilterOptions& options);

// Rounds each option to the precision in which it is used and saved. No error
// if every option is in its bounds then, and no two that exclude each other are
// given. All options must come through here, or through the functions above.
[[nodiscard]] std::string Normalise(FilterOptions* options);

// Options from the text that names a policy in an OPTIONS file: "oneline",
// "oneline:<bits_per_key>" or "{id=oneline;<name>=<value>;...}". Options that
// are not named get their defaults. On error `options` stays as it was.
[[nodiscard]] std::string ParsePolicy(std::string_view text,
                                      FilterOptions* options);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTIONS_TEXT_H_
