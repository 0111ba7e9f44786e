// The checks of a column family's options.

#include <string>

#include "absl/strings/str_cat.h"
#include "tools/doctor/family.h"

namespace oneline {

// If the tables are not block-based, a policy has no effect.
Findings CheckTableFormat(const Family& family) {
  if (family.table_options() != nullptr || !family.policy.wanted() ||
      !family.is_as_expected()) {
    return {};
  }
  const auto& factory = family.options.table_factory;
  return {family.Found(kOtherTableFormat, family.PolicyInFile(),
                       factory == nullptr
                           ? "table_factory is not known to this program"
                           : absl::StrCat("table_factory=", factory->Name()))};
}

Findings CheckPolicyIsValid(const Family& family) {
  const ConfiguredPolicy& policy = family.policy;
  if (!family.wants_filters() || policy.state == PolicyState::kValid) return {};
  return {family.Found(
      policy.state == PolicyState::kWrong ? kWrongOptions : kUnknownPolicy,
      family.PolicyInFile(), policy.mistake, family.section())};
}

// If no filters are wanted: finds signs that they once were, in tables, in the
// older OPTIONS file, or in old LOGs.
Findings CheckPolicyIsNotGone(const Family& family) {
  if (family.table_options() == nullptr || family.policy.wanted() ||
      family.expected != ExpectedPolicy::kUnknown) {
    return {};
  }
  const TablesByLevel unused = TablesWhere(
      family, [](const TableSummary& one) { return one.filter_bytes > 0; });
  const bool is_in_file = family.older_policy.wanted();
  const auto& logged = family.snapshot.policies_in_old_logs;
  const auto in_log = logged.find(family.name);
  const bool is_in_log = in_log != logged.end();
  if (unused.levels.empty() && !is_in_file && !is_in_log) return {};
  return {unused.In(family.Found(
      kPolicyGone, family.PolicyInFile(),
      is_in_file  ? "; " + family.OlderPolicyInFile()
      : is_in_log ? "; the last that a program had is " + in_log->second
                  : "",
      unused.Count("has a filter", "have filters"),
      is_in_file ? family.older_policy.text : "oneline:10", family.section(),
      family.name))};
}

Findings CheckKeysToFilter(const Family& family) {
  if (!family.wants_filters() || family.has_keys_to_filter()) return {};
  return {family.Found(kNothingToFilter, family.section(), family.name)};
}

// RocksDB from 9.8 on returns OK for a mistake in SetOptions. Found only while
// the options are still those of that time.
Findings CheckNothingWasRefused(const Family& family) {
  const auto& all = family.snapshot.log.refused;
  const auto refused = all.find(family.name);
  if (!family.has_keys_to_filter() || refused == all.end() ||
      PolicyInOptions(refused->second.policy).ShortText() !=
          family.policy.ShortText()) {
    return {};
  }
  return {family.Found(kRefusedOptions, refused->second.mistake,
                       family.PolicyInFile())};
}

// The trace of a policy that was set without its options.
Findings CheckOptionsAreNotLost(const Family& family) {
  const ConfiguredPolicy& older = family.older_policy;
  if (!family.has_keys_to_filter() || !family.has_default_options() ||
      !older.is_ours() || !older.options.has_value() ||
      older.ShortText() == family.policy.ShortText()) {
    return {};
  }
  return {family.Found(kOptionsLost, family.PolicyInFile(),
                       family.OlderPolicyInFile())};
}

// If nobody says that this is right, and no policy is known to be gone.
Findings CheckSomeFamilyHasAPolicy(const Families& families) {
  bool could_have_filters = false;
  for (const Family& family : families) {
    if (family.expected != ExpectedPolicy::kUnknown || family.policy.wanted() ||
        !CheckPolicyIsNotGone(family).empty()) {
      return {};
    }
    could_have_filters |= family.table_options() != nullptr;
  }
  if (!could_have_filters) return {};
  return {Found(kNoPolicy, "")};
}

}  // namespace oneline
