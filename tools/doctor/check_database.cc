// The checks of a database as a whole.

#include <algorithm>
#include <string>

#include "absl/strings/substitute.h"
#include "tools/doctor/family.h"

namespace oneline {

using absl::Substitute;

Findings CheckLog(const Families& families) {
  const DatabaseSnapshot& snapshot = families.front().snapshot;
  if (!snapshot.database.has_logs) {
    return {{FindingKind::kNote, "",
             Substitute("LOG is in another directory, db_log_dir=$0, and is "
                        "not read: what only it tells is not known.",
                        snapshot.database.db_options.db_log_dir)}};
  }
  if (snapshot.log.status.ok()) return {};
  return {{FindingKind::kNotExamined, "",
           Substitute("$0. What only it tells is not known: statistics, the "
                      "size of the block cache, options that were refused.",
                      snapshot.log.status.message()),
           kRunAsReader}};
}

Findings CheckExpectedFamilies(const Families& families) {
  Findings found;
  for (const auto& [name, policy] : families.front().snapshot.expectations) {
    if (name.empty()) continue;
    const bool is_there = std::any_of(
        families.begin(), families.end(),
        [&name = name](const Family& family) { return family.name() == name; });
    if (is_there) continue;
    found.push_back({FindingKind::kNotAsExpected, "",
                     Substitute("--expect names the column family '$0', which "
                                "the database does not have.",
                                name),
                     "Correct the name in --expect, or find out who dropped "
                     "the column family."});
  }
  return found;
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
  return {{FindingKind::kNoPolicy, "",
           "No column family asks for a filter. A program that was started "
           "without this library, without its options, or with a policy whose "
           "name is misspelt, leaves a database like this.",
           "If you want filters, open the database with a policy, such as "
           "filter_policy=oneline:10; --expect=oneline makes their lack a "
           "fault. If not, say so with --expect=none."}};
}

}  // namespace oneline
