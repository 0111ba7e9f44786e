// A column family as the checks of doctor see it, and the checks: functions
// that each find what they are about, or nothing.

#ifndef ONELINE_TOOLS_DOCTOR_FAMILY_H_
#define ONELINE_TOOLS_DOCTOR_FAMILY_H_

#include <optional>
#include <string>
#include <vector>

#include "tools/database/configured_policy.h"
#include "tools/doctor/database_snapshot.h"
#include "tools/doctor/finding.h"

namespace oneline {

// Borrows the snapshot.
struct Family : ColumnFamilyOf<TableSummary> {
  const DatabaseSnapshot& snapshot;
  ConfiguredPolicy policy;        // of the newest OPTIONS file
  ConfiguredPolicy older_policy;  // of the one before
  std::string logged_policy;  // its name by the newest LOG; empty: not known
  // By --expect: whether its filters should be ours, or it should have none.
  std::optional<bool> expects_ours;

  bool wants_filters() const {
    return table_options() != nullptr && policy.wanted();
  }
  bool has_prefixes() const;
  // Whether filters would have something in them.
  bool has_keys_to_filter() const {
    return wants_filters() &&
           (table_options()->whole_key_filtering || has_prefixes());
  }
  // False if the policy is not as --expect says.
  bool is_as_expected() const;
  // Whether the program that last opened the database had our filters in place
  // of RocksDB's, which the options name. Which, is not known, unless this
  // program has the variable, too; then the tables are judged by it.
  bool is_replaced() const;
  bool may_be_replaced() const;  // also if no LOG can be read that says so
  // Whether it is ours, with nothing set.
  bool has_default_options() const;
  // "OPTIONS-000007 has filter_policy=oneline:10"; of the file before.
  std::string PolicyInFile(bool is_older = false) const;
  std::string section() const;  // of the OPTIONS file, with the policy
  // For a shell: "verify" its database, or "refilter" its tables.
  std::string Command(const char* command) const;

  template <typename... Args>
  Finding Found(const FindingKind& kind, const Args&... args) const {
    return oneline::Found(kind, name, args...);
  }
  Finding Note(const std::string& text) const;
};

// All families of a database, which has one at least.
using Families = std::vector<Family>;
Families FamiliesOf(const DatabaseSnapshot& snapshot);

// Tables of a family, by level.
struct TablesByLevel {
  size_t all = 0;  // that the family has
  std::vector<AffectedLevel> levels;

  explicit TablesByLevel(const Family& family) : all(family.tables.size()) {}

  // In the order of their levels.
  void Add(const TableSummary& table, double expected_bytes = 0,
           double most_expected_bytes = 0);
  // "1 of 4 tables has" or "3 of 4 tables have", or with other verbs.
  std::string Count(const char* singular = "has",
                    const char* plural = "have") const;
  // The finding is about these.
  Finding In(Finding finding) const {
    finding.levels = levels;
    return finding;
  }
};

// The tables that could be read and of which this is true.
template <typename Predicate>
TablesByLevel TablesWhere(const Family& family, const Predicate& is_one) {
  TablesByLevel found(family);
  for (const TableSummary& table : family.tables) {
    if (table.status.ok() && is_one(table)) found.Add(table);
  }
  return found;
}

// Of a family's options (check_options.cc).
Findings CheckTableFormat(const Family& family);
Findings CheckPolicyIsValid(const Family& family);
Findings CheckExpectedPolicy(const Family& family);
Findings CheckPolicyIsNotGone(const Family& family);
Findings CheckKeysToFilter(const Family& family);
Findings NoteNoLastFilters(const Family& family);
Findings CheckNothingWasRefused(const Family& family);
Findings CheckOptionsAreNotLost(const Family& family);

// Of its tables (check_tables.cc, check_expected_filters.cc).
Findings CheckReadable(const Family& family);
Findings CheckDamage(const Family& family);
Findings CheckExpectedFilters(const Family& family);
Findings NoteReplacedFilters(const Family& family);

// Of the database as a whole, by all its families (in these files, in
// check_block_caches.cc and in check_statistics.cc).
Findings CheckLog(const Families& families);
Findings CheckExpectedFamilies(const Families& families);
Findings CheckSomeFamilyHasAPolicy(const Families& families);
Findings CheckBlockCaches(const Families& families);
Findings CheckStatistics(const Families& families);

// What all of them find. Notes are among the findings.
Findings Diagnose(const DatabaseSnapshot& snapshot);

// Of the lookups that came to the last level, by the statistics in the LOG or
// in one of the three before it, the share that found their key there.
std::optional<double> HitsOf(const DatabaseSnapshot& snapshot);

// The lowest and the highest false-positive rate of the filters that the
// options ask for, if the statistics have a rate to compare them with.
struct FilterRates {
  double lowest = 1, highest = 0;
};
std::optional<FilterRates> ExpectedRates(const DatabaseSnapshot& snapshot);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_FAMILY_H_
