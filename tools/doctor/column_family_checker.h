// Checks the filters of one column family: its options (check_options.cc) and
// its tables (check_tables.cc).

#ifndef ONELINE_TOOLS_DOCTOR_COLUMN_FAMILY_CHECKER_H_
#define ONELINE_TOOLS_DOCTOR_COLUMN_FAMILY_CHECKER_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "filter_policy/refilter/expected_filter.h"
#include "tools/database/configured_policy.h"
#include "tools/doctor/diagnosis.h"

namespace oneline {

// Whether a table has a filter of our kinds.
bool IsOurs(const TableSummary& table);

// Sums tables by level, for one finding.
class TablesByLevel {
 public:
  void Add(const TableSummary& table, const ExpectedFilter& expected = {});
  uint64_t tables() const { return tables_; }
  std::vector<AffectedLevel> list() const;  // from level 0 on

 private:
  std::map<int, AffectedLevel> levels_;
  uint64_t tables_ = 0;
};

// Borrows all that it is given.
class ColumnFamilyChecker {
 public:
  ColumnFamilyChecker(const DatabaseSnapshot& snapshot,
                      const ColumnFamilySummary& family, Diagnosis* diagnosis);

  // Adds what it finds to the diagnosis.
  void Run();

 private:
  // Of the options.
  void CheckTableFormat();
  void CheckPolicyIsValid();
  bool FindUnexpectedPolicy();  // true if it is found
  void CheckPolicyIsNotGone();
  void CheckNothingWasRefused();
  void CheckOptionsAreNotLost();
  bool FindNothingToFilter();  // true if it is found
  void CheckPinning();

  // Of the tables.
  void CheckReadable();
  void CheckDamage();
  void CheckExpectedFilters(FilterExpectations* expectations);
  void NoteLimitedFilters(FilterExpectations* expectations);
  bool IsReplaced() const;
  // Whether lookups can't use this filter, which is of another kind.
  bool IsIgnored(const TableSummary& table) const;
  void NoteReplacedFilters();
  void ReportMissing(const TablesByLevel& missing);
  void ReportIgnored(const TablesByLevel& tables,
                     const std::set<std::string>& kinds);
  void ReportOtherKind(const TablesByLevel& tables,
                       const std::set<std::string>& kinds,
                       const std::set<std::string>& wanted_kinds);
  void ReportOtherSize(const TablesByLevel& tables);
  bool HasDefaultOptions() const;  // of our policy
  std::string HintAtDefaults() const;
  // A finding whose remedy is to write the tables again.
  void ReportRewrite(const std::string& kind, const TablesByLevel& tables,
                     const std::string& what);
  // "1 of 4 tables has" or "3 of 4 tables have", with these verbs.
  std::string CountOf(const TablesByLevel& tables, const char* singular_verb,
                      const char* plural_verb) const;

  Finding& Add(const std::string& kind, const std::string& what,
               const std::string& remedy);

  // The policy in an OPTIONS file: "nullptr" for none.
  std::string PolicyIn(const OptionsFile& options) const;
  std::string OptionsName() const;       // "OPTIONS-000007", the newest one
  std::string OlderOptionsName() const;  // the one before
  std::string TableSection() const;      // its section with the policy
  std::string RefilterCommand() const;

  const DatabaseSnapshot& snapshot_;
  const ColumnFamilySummary& family_;
  const ConfiguredPolicy configured_;
  Diagnosis* const diagnosis_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_COLUMN_FAMILY_CHECKER_H_
