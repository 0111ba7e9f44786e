// Have the tables the filters that the options ask for? Which these are,
// filter_policy/refilter/expected_filter.h says; nothing else of doctor's asks
// it.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/refilter/expected_filter.h"
#include "tools/doctor/family.h"

namespace oneline {
namespace {

// Tables with another filter than the options ask for.
struct OtherFilters {
  const FindingKind* finding;
  TablesByLevel tables;
  std::set<std::string> kinds = {}, wanted_kinds = {};  // if they differ
  bool have_ours = false;
};

std::string KindText(FoundKind kind) {
  return (IsOurs(kind) ? "oneline's " : "") + std::string(NameOf(kind));
}

std::string KindText(const TableSummary& table) {
  if (table.kind != FoundKind::kForeign) return KindText(table.kind);
  return absl::StrCat("that of the policy '", table.policy_name,
                      "', which neither RocksDB nor this library can use");
}

const FindingKind& FindingKindOf(Verdict verdict, const TableSummary& table,
                                 const Family& family) {
  if (verdict == Verdict::kMissing) return kNoFilter;
  if (verdict != Verdict::kOtherKind) return kOtherBits;
  // Lookups can't use these.
  const bool is_ignored =
      table.kind == FoundKind::kForeign ||
      (IsOurs(table.kind) && !family.policy.options.has_value());
  return is_ignored ? kIgnoredFilter : kOtherKind;
}

// By the names of the findings.
std::map<std::string, OtherFilters> Judge(
    const Family& family, const FilterExpectations& expectations) {
  std::map<std::string, OtherFilters> all;
  if (family.tables.empty()) return all;
  const int last_level = LastLevel(family.snapshot.db_options, family.options,
                                   family.tables.back().file.level);
  for (const TableSummary& table : family.tables) {
    if (!table.status.ok() || table.kind == FoundKind::kDamaged) continue;
    if (family.may_be_replaced() && IsOurs(table.kind)) continue;
    const int level = std::max(table.file.level, 0);
    const Verdict verdict = expectations.Judge(table, level, last_level);
    if (verdict == Verdict::kAsExpected) continue;
    const FindingKind& finding = FindingKindOf(verdict, table, family);
    OtherFilters& others =
        all.try_emplace(finding.name,
                        OtherFilters{&finding, TablesByLevel(family)})
            .first->second;
    others.have_ours |= IsOurs(table.kind);
    ExpectedFilter expected;
    if (verdict == Verdict::kOtherKind) {
      others.kinds.insert(KindText(table));
      others.wanted_kinds.insert(KindText(expectations.At(level, table).kind));
    } else if (verdict == Verdict::kOtherSize) {
      expected = expectations.At(level, table);
    }
    others.tables.Add(table, expected.bytes, expected.most_bytes);
  }
  return all;
}

std::string RemarkOn(const OtherFilters& others, const Family& family) {
  if (others.finding == &kIgnoredFilter && !family.policy.is_ours()) {
    return absl::StrCat(" (If your programs run with ", kReplaceBuiltin,
                        ": by the LOG the last one did not. If there is no "
                        "LOG, run this program with the variable as well.)");
  }
  // Tables of ours that do not fit to the defaults may be those that are right.
  return others.finding != &kIgnoredFilter && others.have_ours &&
                 family.has_default_options()
             ? " All options of the policy have their defaults: if you had set "
               "others, they are lost, and should be set again before the "
               "tables are rewritten."
             : "";
}

Finding FindingOf(const OtherFilters& others, const Family& family) {
  Finding found =
      family.Found(*others.finding, others.tables.Count(),
                   family.policy.ShortText(), absl::StrJoin(others.kinds, ", "),
                   absl::StrJoin(others.wanted_kinds, ", "), family.section(),
                   RemarkOn(others, family));
  // It would write the filters of the options, where those of the tables may be
  // the ones that are wanted.
  if (others.finding != &kIgnoredFilter) {
    found.commands = {family.Command("refilter")};
  }
  return others.tables.In(found);
}

}  // namespace

Findings CheckExpectedFilters(const Family& family) {
  const auto& policy = family.policy.policy;
  if (!family.has_keys_to_filter() || policy == nullptr) return {};
  // Bits by level go by the sizes of levels, and of all column families that
  // share a policy, as those with one text may.
  const DatabaseSnapshot& snapshot = family.snapshot;
  for (const auto& one : snapshot.column_families) {
    if (snapshot.options().FilterPolicy(one.name) == family.policy.text) {
      policy->ValidateOptions(snapshot.db_options, one.options)
          .PermitUncheckedError();
    }
  }
  const FilterExpectations expectations(policy, family.options,
                                        *family.table_options());
  Findings all;
  for (const auto& [name, others] : Judge(family, expectations)) {
    all.push_back(FindingOf(others, family));
  }
  return all;
}

}  // namespace oneline
