// Filter options as text: names and values as they stand in an OPTIONS file,
// and the bounds of each.
//
// Errors are InvalidArgument and name the option, the value and what would be
// right.

#ifndef ONELINE_FILTER_POLICY_FILTER_OPTIONS_TEXT_H_
#define ONELINE_FILTER_POLICY_FILTER_OPTIONS_TEXT_H_

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "filter_policy/filter_options.h"

namespace oneline {

// The name of the policy, in OPTIONS files and tables.
inline constexpr char kPolicyName[] = "oneline";

// Every option, and so every name that GetOption and SetOption know.
inline constexpr std::array<std::string_view, 6> kOptionNames = {
    "kind",   "bits_per_key",       "fp_rate",
    "effort", "bloom_before_level", "hash_seed"};

// OK if every option is within its bounds, and bits_per_key and fp_rate are not
// both given.
absl::Status Validate(const FilterOptions& options);

// Sets one option from text. bits_per_key and fp_rate take each other's place:
// setting one unsets the other. On error `options` stays as it was.
absl::Status SetOption(std::string_view name, std::string_view value,
                       FilterOptions* options);

// Sets options that are given together, where both bits_per_key and fp_rate are
// an error. On error `options` stays as it was.
using NamesAndValues = std::vector<std::pair<std::string, std::string>>;
absl::Status SetOptionsTogether(const NamesAndValues& given,
                                FilterOptions* options);

// One option as text; SetOption brings the same value back. Empty for that one
// of bits_per_key and fp_rate in whose place the other is.
// REQUIRES: `name` is in kOptionNames.
std::string GetOption(std::string_view name, const FilterOptions& options);

// Options from the text that names a policy in an OPTIONS file: "oneline",
// "oneline:<bits_per_key>" or "{id=oneline;<name>=<value>;...}". What is not
// named is as by default.
absl::Status ParsePolicy(std::string_view text, FilterOptions* options);

// The bits per key that a builder of that kind is to use: in thousandths, and 0
// for "no filter" (see FilterOptions::bits_per_key). Takes some ten
// milliseconds if there is an fp_rate. REQUIRES: valid options.
double EffectiveBitsPerKey(const FilterOptions& options, Kind kind);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_FILTER_OPTIONS_TEXT_H_
