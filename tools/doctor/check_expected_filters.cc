// Have the tables the filters that the options ask for? Which these are,
// filter_policy/refilter/expected_filter.h says; nothing else of doctor's asks
// it.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/refilter/expected_filter.h"
#include "tools/doctor/family.h"

namespace oneline {
namespace {

constexpr char kRewrite[] =
    "Compaction writes the tables again, with the filters that the options ask "
    "for. Wait for it; or call oneline::Refilter in the program that has the "
    "database open; or, while no program has it open, run `oneline refilter`.";

// Tables with another filter than the options ask for.
struct OtherFilters {
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

const FindingKind& KindOf(Verdict verdict, const TableSummary& table,
                          const Family& family) {
  if (verdict == Verdict::kMissing) return kNoFilter;
  if (verdict != Verdict::kOtherKind) return kOtherBits;
  // Lookups can't use these.
  const bool is_ignored =
      table.kind == FoundKind::kForeign ||
      (IsOurs(table.kind) && !family.policy.options.has_value());
  return is_ignored ? kIgnoredFilter : kOtherKind;
}

// By the kinds' names.
using AllOthers =
    std::map<std::string, std::pair<const FindingKind*, OtherFilters>>;

AllOthers Judge(const Family& family, const FilterExpectations& expectations) {
  AllOthers all;
  for (const TableSummary& table : family.tables) {
    if (!table.status.ok() || table.kind == FoundKind::kDamaged) continue;
    if (family.is_replaced() && IsOurs(table.kind)) continue;
    const int level = table.file.level;
    const int last_level = LastLevel(family.snapshot.db_options, family.options,
                                     family.tables.back().file.level);
    const Verdict verdict = expectations.Judge(table, level, last_level);
    if (verdict == Verdict::kAsExpected) continue;
    const FindingKind& kind = KindOf(verdict, table, family);
    OtherFilters& others =
        all.try_emplace(kind.name, &kind, OtherFilters{TablesByLevel(family)})
            .first->second.second;
    others.have_ours |= IsOurs(table.kind);
    ExpectedFilter expected;
    if (verdict == Verdict::kOtherKind || verdict == Verdict::kOtherSize) {
      expected = expectations.At(std::max(level, 0), table);
    }
    if (verdict == Verdict::kOtherKind) {
      others.tables.Add(table);
      others.kinds.insert(KindText(table));
      others.wanted_kinds.insert(KindText(expected.kind));
    } else {
      others.tables.Add(table, expected.bytes, expected.most_bytes);
    }
  }
  return all;
}

std::string RemarkOn(const FindingKind& kind, const OtherFilters& others,
                     const Family& family) {
  if (&kind == &kIgnoredFilter) {
    return family.policy.is_ours()
               ? ""
               : absl::StrCat(" (If your programs run with ", kReplaceBuiltin,
                              ": by the LOG the last one did not. If there is "
                              "no LOG, run this program with the variable as "
                              "well.)");
  }
  // Tables of ours that do not fit to the defaults may be those that are right.
  return others.have_ours && family.has_default_options()
             ? " All options of the policy have their defaults: if you had set "
               "others, they are lost, and should be set again before the "
               "tables are rewritten."
             : "";
}

Finding FindingOf(const FindingKind& kind, const OtherFilters& others,
                  const Family& family) {
  Finding found =
      family.Found(kind, others.tables.Count(), family.policy.ShortText(),
                   absl::StrJoin(others.kinds, ", "),
                   absl::StrJoin(others.wanted_kinds, ", "), kRewrite,
                   family.section(), RemarkOn(kind, others, family));
  // It would write the filters of the options, where those of the tables may be
  // the ones that are wanted.
  if (&kind != &kIgnoredFilter) found.commands = {family.RefilterCommand()};
  return others.tables.In(found);
}

// As the options ask, and yet worth knowing. A table that bits_by_level gave
// more than what the options ask for has enough as long as it has that.
Findings NoteLimited(const Family& family,
                     const FilterExpectations& expectations) {
  const auto& options = family.policy.options;
  if (!options.has_value() || !options->max_filter_bytes.has_value() ||
      family.table_options()->partition_filters) {
    return {};
  }
  const auto most = static_cast<double>(*options->max_filter_bytes);
  const TablesByLevel limited = TablesWhere(family, [&](const auto& table) {
    const auto keys = static_cast<double>(table.filter_keys);
    const auto bytes = static_cast<double>(table.filter_bytes);
    if (bytes > most || table.asked_bits_per_key * keys / 8 <= most) {
      return false;
    }
    const ExpectedFilter expected =
        expectations.At(std::max(table.file.level, 0), table);
    return 8 * bytes < expected.asked_bits_per_key * keys;
  });
  if (limited.levels.empty()) return {};
  return {family.Note(absl::Substitute(
      "$0 fewer bits per key than the options ask for, because of "
      "max_filter_bytes=$1. With partition_filters all keys would have their "
      "bits.",
      limited.Count(), *options->max_filter_bytes))};
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
  for (const auto& [name, one] : Judge(family, expectations)) {
    all.push_back(FindingOf(*one.first, one.second, family));
  }
  Append(NoteLimited(family, expectations), &all);
  return all;
}

}  // namespace oneline
