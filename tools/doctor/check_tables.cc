// The checks of a column family's tables, but for which filters they should
// have: check_expected_filters.cc.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/substitute.h"
#include "filter_policy/options/policy_request.h"
#include "tools/doctor/family.h"

namespace oneline {

using absl::Substitute;

Findings CheckReadable(const Family& family) {
  TablesByLevel unreadable(family), refused(family);
  std::string why_unreadable, why_refused;  // of the first
  for (const TableSummary& table : family.summary.tables) {
    if (table.status.ok() || absl::IsUnimplemented(table.status)) continue;
    const bool is_refused = absl::IsUnavailable(table.status);
    std::string& why = is_refused ? why_refused : why_unreadable;
    if (why.empty()) why = std::string(table.status.message());
    (is_refused ? refused : unreadable).Add(table);
  }
  Findings found;
  if (!unreadable.empty()) {
    found.push_back(unreadable.Found(
        FindingKind::kUnreadableTable,
        Substitute("$0, so lookups there fail. The first: $1.",
                   unreadable.Count("can't be read", "can't be read"),
                   why_unreadable),
        "Restore missing or damaged files from a backup. If the tables are in "
        "other directories, name these with --db_paths."));
  }
  if (!refused.empty()) {
    found.push_back(refused.Found(
        FindingKind::kNotExamined,
        Substitute("$0 not examined, because the system did not let this "
                   "program read them. That is no damage. The first: $1.",
                   refused.Count("was", "were"), why_refused),
        kRunAsReader));
  }
  return found;
}

Findings CheckDamage(const Family& family) {
  const TablesByLevel damaged = TablesWhere(
      family, [](const auto& one) { return one.kind == FoundKind::kDamaged; });
  if (!family.has_keys_to_filter() || damaged.empty()) return {};
  return {damaged.Found(
      FindingKind::kDamagedFilter,
      damaged.Count("has a damaged filter", "have damaged filters") +
          ". Lookups there fail, or are not filtered.",
      "`oneline verify` says which, and how. If the rest of a table is intact, "
      "a compaction writes it again with a new filter: call CompactRange with "
      "BottommostLevelCompaction::kForce (`oneline refilter` leaves damaged "
      "tables). Otherwise restore it from a backup.",
      {family.snapshot.Command("verify")})};
}

Findings NoteReplacedFilters(const Family& family) {
  const TablesByLevel ours = TablesWhere(
      family, [](const TableSummary& one) { return IsOurs(one.kind); });
  if (!family.has_keys_to_filter() || !family.is_replaced() || ours.empty()) {
    return {};
  }
  return {family.Note(Substitute(
      "$0 oneline's filters, although $1. By its LOG the program that last "
      "opened the database has them in place of RocksDB's ($2). That is sound: "
      "its lookups use both. A program without that variable or without this "
      "library reads these tables unfiltered, and its compactions write "
      "RocksDB's filters again.",
      ours.Count(), family.PolicyInFile(), kReplaceBuiltin))};
}

}  // namespace oneline
