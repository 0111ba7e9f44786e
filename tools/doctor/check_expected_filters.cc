// Have the tables the filters that the options ask for? Which these are,
// filter_policy/refilter/expected_filter.h says; nothing else of doctor's asks
// it.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/refilter/expected_filter.h"
#include "tools/doctor/family.h"

namespace oneline {
namespace {

using absl::Substitute;

constexpr char kRewrite[] =
    "Compaction writes the tables again, with the filters that the options ask "
    "for. Wait for it; or call oneline::Refilter in the program that has the "
    "database open; or, while no program has it open, run `oneline refilter`.";

// Tables with another filter than the options ask for.
struct OtherFilters {
  explicit OtherFilters(const Family& family) : tables(family) {}

  TablesByLevel tables;
  std::set<std::string> kinds, wanted_kinds;  // as texts, if they differ
  bool have_ours = false;
};

std::string KindText(FoundKind kind) {
  return (IsOurs(kind) ? "oneline's " : "") + std::string(NameOf(kind));
}

std::string KindText(const TableSummary& table) {
  return table.kind == FoundKind::kForeign
             ? Substitute(
                   "that of the policy '$0', which neither RocksDB nor "
                   "this library can use",
                   table.policy_name)
             : KindText(table.kind);
}

// Whether lookups can't use this filter, which is of another kind.
bool IsIgnored(const TableSummary& table, const Family& family) {
  return table.kind == FoundKind::kForeign ||
         (IsOurs(table.kind) && !family.policy.options.has_value());
}

std::map<FindingKind, OtherFilters> Judge(const Family& family,
                                          FilterExpectations* expectations) {
  std::map<FindingKind, OtherFilters> all;
  for (const TableSummary& table : family.summary.tables) {
    if (!table.status.ok() || table.kind == FoundKind::kDamaged) continue;
    if (family.is_replaced() && IsOurs(table.kind)) continue;
    const int last_level =
        LastLevel(family.snapshot.database.db_options, family.summary.options,
                  family.summary.tables.back().file.level);
    const Verdict verdict =
        expectations->Judge(table, table.file.level, last_level);
    if (verdict == Verdict::kAsExpected) continue;
    const bool is_of_other_kind = verdict == Verdict::kOtherKind;
    const FindingKind kind =
        verdict == Verdict::kMissing ? FindingKind::kNoFilter
        : !is_of_other_kind          ? FindingKind::kOtherBits
        : IsIgnored(table, family)   ? FindingKind::kIgnoredFilter
                                     : FindingKind::kOtherKind;
    ExpectedFilter expected;
    if (is_of_other_kind || verdict == Verdict::kOtherSize) {
      expected = expectations->At(std::max(table.file.level, 0),
                                  table.keys_to_filter());
    }
    OtherFilters& others = all.try_emplace(kind, family).first->second;
    others.have_ours |= IsOurs(table.kind);
    if (is_of_other_kind) {
      others.tables.Add(table);
      others.kinds.insert(KindText(table));
      others.wanted_kinds.insert(KindText(expected.kind));
    } else {
      others.tables.Add(table, expected.bytes, expected.most_bytes);
    }
  }
  return all;
}

// No command is printed: it would write the filters of the options, where those
// of the tables may be the ones that are wanted.
Finding Ignored(const OtherFilters& ignored, const Family& family) {
  const std::string replaced =
      family.policy.is_ours()
          ? ""
          : Substitute(
                " (If your programs run with $0: by the LOG the last "
                "one did not. If there is no LOG, run this program with "
                "the variable as well.)",
                kReplaceBuiltin);
  return ignored.tables.Found(
      FindingKind::kIgnoredFilter,
      Substitute("$0 a filter that the policy of the options "
                 "(filter_policy=$1) can't read: $2. Lookups there are "
                 "correct, but not filtered.$3",
                 ignored.tables.Count(), family.policy.ShortText(),
                 absl::StrJoin(ignored.kinds, ", "), replaced),
      Substitute("If you want these filters, for example right after `oneline "
                 "refilter --filter_policy=...`, open the database with their "
                 "policy, such as filter_policy=oneline:10 under $0: lookups "
                 "use them at once. If you want those of the options: $1",
                 family.section(), kRewrite));
}

Finding Found(FindingKind kind, const OtherFilters& others,
              const Family& family) {
  if (kind == FindingKind::kIgnoredFilter) return Ignored(others, family);
  const std::string what =
      kind == FindingKind::kNoFilter
          ? "no filter, although the options ask for one"
      : kind == FindingKind::kOtherBits
          ? "other bits per key than the options ask for"
          : Substitute(
                "another kind of filter ($0) than the options ask for "
                "($1)",
                absl::StrJoin(others.kinds, ", "),
                absl::StrJoin(others.wanted_kinds, ", "));
  // Tables of ours that do not fit to the defaults may be those that are right.
  const bool may_be_right = others.have_ours && family.has_default_options();
  return others.tables.Found(
      kind,
      Substitute(
          "$0 $1, filter_policy=$2. $3$4", others.tables.Count(), what,
          family.policy.ShortText(),
          kind == FindingKind::kNoFilter
              ? "Every lookup there reads a data block."
              : "Lookups use these filters, at other false-positive rates.",
          may_be_right ? " All options of the policy have their defaults: if "
                         "you had set others, they are lost, and should be set "
                         "again before the tables are rewritten."
                       : ""),
      kRewrite, {family.snapshot.RefilterCommand(family.name())});
}

// As the options ask, and yet worth knowing. A table that bits_by_level gave
// more than what the options ask for has enough as long as it has that.
Findings NoteLimited(const Family& family, FilterExpectations* expectations) {
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
        expectations->At(std::max(table.file.level, 0), table.filter_keys);
    return 8 * bytes < expected.asked_bits_per_key * keys;
  });
  if (limited.empty()) return {};
  return {family.Note(Substitute(
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
  for (const ColumnFamilySummary& one : snapshot.database.column_families) {
    if (snapshot.options.FilterPolicy(one.name) !=
        snapshot.options.FilterPolicy(family.name())) {
      continue;
    }
    policy->ValidateOptions(snapshot.database.db_options, one.options)
        .PermitUncheckedError();
  }
  FilterExpectations expectations(policy, family.summary.options,
                                  *family.table_options());
  Findings all;
  for (const auto& [kind, others] : Judge(family, &expectations)) {
    all.push_back(Found(kind, others, family));
  }
  Append(NoteLimited(family, &expectations), &all);
  return all;
}

}  // namespace oneline
