// The checks of a column family's options.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tools/doctor/family.h"

namespace oneline {
namespace {

using absl::Substitute;

constexpr char kSetAgain[] =
    "set them again: db->SetOptions(cf, "
    "{{\"table_factory.filter_policy.<option>\", \"<value>\"}}).";

}  // namespace

// If the tables are not block-based, a policy has no effect.
Findings CheckTableFormat(const Family& family) {
  if (family.table_options() != nullptr || !family.policy.wanted() ||
      !family.is_as_expected()) {
    return {};
  }
  const auto& factory = family.summary.options.table_factory;
  return {family.Found(
      FindingKind::kOtherTableFormat,
      Substitute("$0, but $1. Only block-based tables have filters.",
                 family.PolicyInFile(),
                 factory == nullptr
                     ? "table_factory is not known to this program"
                     : absl::StrCat("table_factory=", factory->Name())),
      "Set table_factory=BlockBasedTable, or remove the filter policy.")};
}

Findings CheckPolicyIsValid(const Family& family) {
  const ConfiguredPolicy& policy = family.policy;
  if (!family.wants_filters() || policy.state == PolicyState::kValid) return {};
  const std::string what =
      Substitute("$0: $1. ", family.PolicyInFile(), policy.mistake);
  if (policy.state == PolicyState::kWrong) {
    return {family.Found(FindingKind::kWrongOptions,
                         what + "The database can't be opened with it.",
                         "Correct the line under " + family.section() + ".")};
  }
  return {family.Found(
      FindingKind::kUnknownPolicy,
      what + "RocksDB loads such a file without an error, and writes tables "
             "without filters.",
      Substitute("Run every program that writes the database with the library "
                 "that has the policy, or set another under $0, such as "
                 "filter_policy=oneline:10",
                 family.section()))};
}

Findings CheckExpectedPolicy(const Family& family) {
  if (family.is_as_expected()) return {};
  if (family.expected == ExpectedPolicy::kNone) {
    return {family.Found(
        FindingKind::kNotAsExpected,
        family.PolicyInFile() + ", but --expect is none.",
        "Open the database without a filter policy, or change --expect.")};
  }
  const TablesByLevel without = TablesWhere(
      family, [](const TableSummary& one) { return !IsOurs(one.kind); });
  return {without.Found(
      FindingKind::kNotAsExpected,
      Substitute("$0, but --expect is oneline. The program that opened the "
                 "database last writes and uses no filters of oneline's. $1",
                 family.PolicyInFile(),
                 without.Count("has none.", "have none.")),
      "Open the database with its options, such as filter_policy=oneline:10, "
      "and with this library. Then run `oneline doctor` again, to find the "
      "tables that still have no filter.")};
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
  const auto in_log = logged.find(family.name());
  const bool is_in_log = in_log != logged.end();
  if (unused.empty() && !is_in_file && !is_in_log) return {};
  const std::string before =
      is_in_file  ? "; " + family.OlderPolicyInFile()
      : is_in_log ? "; the last that a program had is " + in_log->second
                  : "";
  return {unused.Found(
      FindingKind::kPolicyGone,
      Substitute("$0$1. Lookups are not filtered; $2, which nothing uses. A "
                 "program that opens the database without its options, or "
                 "without the library of its policy, leaves it like this, and "
                 "so does SetOptions with a new table_factory.",
                 family.PolicyInFile(), before,
                 unused.Count("has a filter", "have filters")),
      Substitute("If you want filters, open the database with "
                 "filter_policy=$0 under $1, then run `oneline doctor` again "
                 "to find the tables without any. If not, say so with "
                 "--expect=none, or --expect=$2:none.",
                 is_in_file ? family.older_policy.text : "oneline:10",
                 family.section(), family.name()))};
}

Findings CheckKeysToFilter(const Family& family) {
  if (!family.wants_filters() || family.has_keys_to_filter()) return {};
  return {family.Found(
      FindingKind::kNothingToFilter,
      "whole_key_filtering=false and prefix_extractor=nullptr: filters get "
      "neither keys nor prefixes, so no lookup can use them.",
      Substitute("Set whole_key_filtering=true under $0, or a "
                 "prefix_extractor under [CFOptions \"$1\"].",
                 family.section(), family.name()))};
}

// RocksDB from 9.8 on returns OK for a mistake in SetOptions. Found only while
// the options are still those of that time.
Findings CheckNothingWasRefused(const Family& family) {
  const auto& all = family.snapshot.log.refused;
  const auto refused = all.find(family.name());
  if (!family.has_keys_to_filter() || refused == all.end() ||
      PolicyInOptions(refused->second.policy).ShortText() !=
          family.policy.ShortText()) {
    return {};
  }
  return {family.Found(
      FindingKind::kRefusedOptions,
      Substitute("The LOG says that an option was refused: $0. $1. SetOptions "
                 "and CreateColumnFamily may have returned OK.",
                 refused->second.mistake, family.PolicyInFile()),
      Substitute("If you want right values instead, $0 Otherwise there is "
                 "nothing to do: the finding goes away with this LOG.",
                 kSetAgain))};
}

// The trace of a policy that was set without its options.
Findings CheckOptionsAreNotLost(const Family& family) {
  const ConfiguredPolicy& older = family.older_policy;
  if (!family.has_keys_to_filter() || !family.has_default_options() ||
      !older.is_ours() || !older.options.has_value() ||
      older.ShortText() == family.policy.ShortText()) {
    return {};
  }
  return {family.Found(
      FindingKind::kOptionsLost,
      Substitute("$0, with all options at their defaults; $1. A policy that is "
                 "set by its name alone leaves it like this, for example by "
                 "SetOptions with a new table_factory.",
                 family.PolicyInFile(), family.OlderPolicyInFile()),
      Substitute("If you want the older options, $0 Otherwise there is nothing "
                 "to do: the finding goes away as OPTIONS files are replaced.",
                 kSetAgain))};
}

}  // namespace oneline
