// The checks of a column family's tables, but for which filters they should
// have: check_expected_filters.cc; and of what could not be read.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/substitute.h"
#include "filter_policy/options/policy_request.h"
#include "tools/doctor/family.h"

namespace oneline {

using absl::Substitute;

Findings CheckReadable(const Family& family) {
  Findings found;
  for (const bool is_refused : {false, true}) {
    TablesByLevel tables(family);
    std::string why;  // of the first
    for (const TableSummary& table : family.tables) {
      if (table.status.ok() || absl::IsUnimplemented(table.status) ||
          absl::IsUnavailable(table.status) != is_refused) {
        continue;
      }
      if (why.empty()) why = std::string(table.status.message());
      tables.Add(table);
    }
    if (tables.levels.empty()) continue;
    found.push_back(tables.In(
        is_refused
            ? family.Found(
                  kNotExamined,
                  Substitute("$0 not examined, because the system did not let "
                             "this program read them. That is no damage. The "
                             "first: $1.",
                             tables.Count("was", "were"), why))
            : family.Found(kUnreadableTable,
                           tables.Count("can't be read", "can't be read"),
                           why)));
  }
  return found;
}

Findings CheckDamage(const Family& family) {
  const TablesByLevel damaged = TablesWhere(
      family, [](const auto& one) { return one.kind == FoundKind::kDamaged; });
  if (!family.has_keys_to_filter() || damaged.levels.empty()) return {};
  Finding found = family.Found(
      kDamagedFilter,
      damaged.Count("has a damaged filter", "have damaged filters"));
  found.commands = {family.Command("verify")};
  return {damaged.In(found)};
}

Findings NoteReplacedFilters(const Family& family) {
  const TablesByLevel ours = TablesWhere(
      family, [](const TableSummary& one) { return IsOurs(one.kind); });
  if (!family.has_keys_to_filter() || !family.is_replaced() ||
      ours.levels.empty()) {
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

Findings CheckLog(const Families& families) {
  const DatabaseSnapshot& snapshot = families.front().snapshot;
  if (!snapshot.has_logs) {
    return {Found(kNote, "",
                  Substitute("LOG is in another directory, db_log_dir=$0, and "
                             "is not read: what only it tells is not known.",
                             snapshot.db_options.db_log_dir))};
  }
  if (snapshot.log.status.ok()) return {};
  return {Found(kNotExamined, "",
                Substitute("$0. What only it tells is not known: statistics, "
                           "the size of the block cache, options that were "
                           "refused.",
                           snapshot.log.status.message()))};
}

}  // namespace oneline
