// Filter options as text: names and values as they stand in an OPTIONS file,
// and the bounds of each.
//
// Errors are InvalidArgument and name the option, the value and what would be
// right.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTIONS_TEXT_H_
#define ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTIONS_TEXT_H_

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "oneline/filter_options.h"

namespace oneline {

// The name of the policy, in OPTIONS files and tables.
inline constexpr char kPolicyName[] = "oneline";

// Every option, and so every name that GetOption and SetOption know.
inline constexpr std::array<std::string_view, 10> kOptionNames = {
    "kind",       "bits_per_key", "fp_rate", "level_bits_per_key", "allocation",
    "size_ratio", "levels",       "effort",  "bloom_before_level", "hash_seed"};

// Some options exclude each other: bits_per_key, fp_rate and
// level_bits_per_key, three measures of one thing; and allocation and
// level_bits_per_key, because sizes by hand leave nothing to allocate. OK if no
// two such are given.
using NamesAndValues = std::vector<std::pair<std::string, std::string>>;
absl::Status CheckExclusive(const NamesAndValues& given);

// OK if every option is within its bounds, and no two exclude each other.
// (Allocation::kUniform counts as not given.)
absl::Status Validate(const FilterOptions& options);

// Sets one option from text. Those that exclude each other take each other's
// place: setting one unsets the others. On error `options` stays as it was.
absl::Status SetOption(std::string_view name, std::string_view value,
                       FilterOptions* options);

// Sets options that are given together, where two that exclude each other are
// an error. On error `options` stays as it was.
absl::Status SetOptionsTogether(const NamesAndValues& given,
                                FilterOptions* options);

// One option as text; SetOption brings the same value back. Empty for one
// in whose place another is.
// REQUIRES: `name` is in kOptionNames.
std::string GetOption(std::string_view name, const FilterOptions& options);

// Options from the text that names a policy in an OPTIONS file: "oneline",
// "oneline:<bits_per_key>" or "{id=oneline;<name>=<value>;...}". What is not
// named is as by default.
absl::Status ParsePolicy(std::string_view text, FilterOptions* options);

// Bits per key as they are used: in thousandths, 0 for "no filter", otherwise 1
// or more (see FilterOptions::bits_per_key). REQUIRES: 0 to 100.
double RoundedBitsPerKey(double bits_per_key);

// The bits per key, rounded, that a builder of that kind is to use where the
// level is not known: by Allocation::kUniform, whatever the allocation, and by
// hand the last one. Takes some ten milliseconds if there is an fp_rate.
// REQUIRES: valid options.
double EffectiveBitsPerKey(const FilterOptions& options, Kind kind);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTIONS_TEXT_H_
