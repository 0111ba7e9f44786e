// --expect, and the checks of what it says.

#include <algorithm>

#include "absl/strings/substitute.h"
#include "tools/doctor/family.h"

namespace oneline {

using absl::Substitute;

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
    all[has_name ? text.substr(0, colon) : ""] =
        policy == "oneline" ? ExpectedPolicy::kOneline : ExpectedPolicy::kNone;
  }
  return all;
}

Findings CheckExpectedPolicy(const Family& family) {
  if (family.is_as_expected()) return {};
  if (family.expected == ExpectedPolicy::kNone) {
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
  for (const auto& [name, policy] : families.front().snapshot.expectations) {
    const bool is_there = std::any_of(
        families.begin(), families.end(),
        [&name = name](const Family& family) { return family.name == name; });
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
