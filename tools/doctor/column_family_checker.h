// Checks the filters of one column family: its options (check_options.cc) and
// its tables (check_tables.cc).

#ifndef ONELINE_TOOLS_DOCTOR_COLUMN_FAMILY_CHECKER_H_
#define ONELINE_TOOLS_DOCTOR_COLUMN_FAMILY_CHECKER_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "filter_policy/refilter/expected_filter.h"
#include "tools/database/configured_policy.h"
#include "tools/doctor/diagnosis.h"

namespace oneline {

// The remedy wherever tables have the wrong filters; RefilterCommand is the
// command it means.
inline constexpr char kRewrite[] =
    "Compaction writes the tables again, with the filters that the options ask "
    "for. Wait for it; or call oneline::Refilter in the program that has the "
    "database open; or, while no program has it open, run `oneline refilter`.";

// Sums tables by level, for one finding.
class TablesByLevel {
 public:
  // In the order of their levels.
  void Add(const TableSummary& table, const ExpectedFilter& expected = {});
  uint64_t tables() const { return tables_; }
  const std::vector<AffectedLevel>& list() const { return levels_; }

 private:
  std::vector<AffectedLevel> levels_;
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
  // Whether our filters took the place of those in the options.
  bool IsReplaced() const;
  // Whether lookups can't use this filter, which is of another kind.
  bool IsIgnored(const TableSummary& table) const;
  void NoteReplacedFilters();
  void ReportIgnored(const TablesByLevel& tables,
                     const std::set<std::string>& kinds);
  bool HasDefaultOptions() const;  // of our policy

  // The tables that could be read and of which this is true.
  template <typename Predicate>
  TablesByLevel TablesWhere(const Predicate& is_one) const {
    TablesByLevel found;
    for (const TableSummary& table : family_.tables) {
      if (table.status.ok() && is_one(table)) found.Add(table);
    }
    return found;
  }
  // "1 of 4 tables has" or "3 of 4 tables have", or with other verbs.
  std::string CountOf(const TablesByLevel& tables, const char* singular = "has",
                      const char* plural = "have") const;

  Finding& Add(const std::string& kind, const std::string& what,
               const std::string& remedy) {
    return diagnosis_->Add(kind, family_.name, what, remedy);
  }
  // The same about these tables, if there are any. Without a remedy it is to
  // write them again.
  void Report(const std::string& kind, const TablesByLevel& tables,
              const std::string& what, const std::string& remedy = "",
              const std::vector<std::string>& commands = {});
  void Note(const std::string& text);

  // The policy in an OPTIONS file: "nullptr" for none.
  std::string PolicyIn(const OptionsFile& options) const;
  // The one that the program had by the newest LOG; empty if it does not say.
  std::string PolicyInLog() const;
  std::string TableSection() const;  // of the OPTIONS file, with the policy
  std::string RefilterCommand() const;

  const DatabaseSnapshot& snapshot_;
  const ColumnFamilySummary& family_;
  const ConfiguredPolicy configured_;
  // "OPTIONS-000007", the newest one, and the one before.
  const std::string options_name_, older_options_name_;
  Diagnosis* const diagnosis_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_COLUMN_FAMILY_CHECKER_H_
