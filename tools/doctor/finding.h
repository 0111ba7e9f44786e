// What `oneline doctor` finds. The names and severities of all kinds are one
// table in finding.cc; docs/tools.md says what each kind means.

#ifndef ONELINE_TOOLS_DOCTOR_FINDING_H_
#define ONELINE_TOOLS_DOCTOR_FINDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace oneline {

// As in the table.
enum class FindingKind {
  kDamagedFilter,
  kExceedsShard,
  kFalsePositives,
  kFiltersExceedCache,
  kIgnoredFilter,
  kNoFilter,
  kNotAsExpected,
  kNothingToFilter,
  kOtherTableFormat,
  kPolicyGone,
  kUnknownPolicy,
  kUnreadableTable,
  kWrongOptions,
  kFewerHits,
  kMostlyHits,
  kNeverAsked,
  kNoPolicy,
  kNotExamined,
  kOptionsLost,
  kOtherBits,
  kOtherKind,
  kRefusedOptions,
  kNote,
  kCount
};

enum class Severity {
  kFault,    // lookups fail, or are slower than they should be
  kWarning,  // the filters in use work, and nothing is urgent
  kNote,     // what could not be checked; what is as asked and worth knowing
};

// The tables of one level that a finding is about.
struct AffectedLevel {
  int level = 0;
  uint64_t tables = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // What filters written now would take, at least and at most: with
  // bits_by_level that depends on the tree. 0 if the finding is not about
  // sizes.
  double expected_bytes = 0, most_expected_bytes = 0;
};

struct Finding {
  FindingKind kind;
  std::string column_family;  // empty: the finding is about the whole database
  std::string what;           // what is wrong, and what that means for reads
  std::string remedy = {};    // what to do; a note has none
  std::vector<std::string> commands = {};  // of the remedy, for a shell
  std::vector<AffectedLevel> levels = {};  // from level 0 on

  const char* name() const;  // for programs: "no-filter"
  Severity severity() const;
  const char* severity_name() const;  // of one that is no note
};

using Findings = std::vector<Finding>;

void Append(const Findings& found, Findings* all);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_FINDING_H_
