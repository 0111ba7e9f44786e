// The checks of column families' options, also of what --expect says of them.

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tools/doctor/family.h"

namespace oneline {

using absl::Substitute;

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
      family.expects_ours.has_value()) {
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
      is_in_file  ? "; " + family.PolicyInFile(/*is_older=*/true)
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

Findings NoteNoLastFilters(const Family& family) {
  if (!family.has_keys_to_filter() ||
      !family.options.optimize_filters_for_hits) {
    return {};
  }
  const auto& options = family.policy.options;
  return {family.Note(absl::StrCat(
      "with optimize_filters_for_hits=true RocksDB leaves out the filters of "
      "the last level, whatever the policy says: lookups of absent keys read a "
      "block there.",
      options.has_value() && options->hits > 0
          ? absl::StrCat(" The policy's hits=", options->hits,
                         " does nothing then.")
          : ""))};
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
                       family.PolicyInFile(/*is_older=*/true))};
}

// If nobody says that this is right, and no policy is known to be gone.
Findings CheckSomeFamilyHasAPolicy(const Families& families) {
  bool could_have_filters = false;
  for (const Family& family : families) {
    if (family.expects_ours.has_value() || family.policy.wanted() ||
        !CheckPolicyIsNotGone(family).empty()) {
      return {};
    }
    could_have_filters |= family.table_options() != nullptr;
  }
  if (!could_have_filters) return {};
  return {Found(kNoPolicy, "")};
}

absl::StatusOr<Expectations> ParseExpectations(
    const std::vector<std::string>& texts) {
  Expectations all;
  for (const std::string& text : texts) {
    const size_t colon = text.rfind(':');
    const bool has_name = colon != std::string::npos;
    const std::string policy = has_name ? text.substr(colon + 1) : text;
    if (policy != "oneline" && policy != "none") {
      return absl::InvalidArgumentError(Substitute(
          "--expect=$0: must be oneline or none, for all column families, or "
          "after the name of one and a colon, such as default:oneline",
          text));
    }
    const bool is_ours = policy == "oneline";
    const std::string name = has_name ? text.substr(0, colon) : "";
    if (all.emplace(name, is_ours).first->second != is_ours) {
      return absl::InvalidArgumentError(
          Substitute("--expect=$0: another --expect says the opposite", text));
    }
  }
  return all;
}

Findings CheckExpectedPolicy(const Family& family) {
  if (family.is_as_expected()) return {};
  if (!*family.expects_ours) {
    return {family.Found(
        kNotAsExpected, family.PolicyInFile() + ", but --expect is none.",
        "Open the database without a filter policy, or change --expect.")};
  }
  const TablesByLevel without = TablesWhere(
      family, [](const TableSummary& one) { return !IsOurs(one.kind); });
  return {without.In(family.Found(
      kNotAsExpected,
      Substitute("$0, but --expect is oneline. The program that opened the "
                 "database last writes and uses no filters of oneline's. $1",
                 family.PolicyInFile(),
                 without.Count("has none.", "have none.")),
      "Open the database with its options, such as filter_policy=oneline:10, "
      "and with this library. Then run `oneline doctor` again, to find the "
      "tables that still have no filter."))};
}

Findings CheckExpectedFamilies(const Families& families) {
  Findings found;
  std::set<std::string> names;
  for (const Family& family : families) names.insert(family.name);
  for (const auto& [name, is_ours] : families.front().snapshot.expectations) {
    const bool is_there = names.count(name) > 0;
    if (is_there || name.empty()) continue;
    found.push_back(Found(
        kNotAsExpected, "",
        Substitute("--expect names the column family '$0', which the database "
                   "does not have.",
                   name),
        "Correct the name in --expect, or find out who dropped the column "
        "family."));
  }
  return found;
}

}  // namespace oneline
