#include "tools/doctor/diagnosis.h"

#include <algorithm>
#include <iterator>

#include "tools/doctor/column_family_checker.h"

namespace oneline {
namespace {

// The kinds of findings that are no faults.
constexpr const char* kWarnings[] = {"fewer-hits",   "filters-outside-cache",
                                     "mostly-hits",  "never-asked",
                                     "not-examined", "not-pinned",
                                     "options-lost", "other-bits",
                                     "other-kind",   "refused-options"};

}  // namespace

bool Finding::is_fault() const {
  return std::find(std::begin(kWarnings), std::end(kWarnings), kind) ==
         std::end(kWarnings);
}

bool Diagnosis::has_fault() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& one) { return one.is_fault(); });
}

Diagnosis Diagnose(const DatabaseSnapshot& snapshot) {
  Diagnosis diagnosis;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    ColumnFamilyChecker(snapshot, family, &diagnosis).Run();
  }
  CheckDatabase(snapshot, &diagnosis);
  CheckBlockCaches(snapshot, &diagnosis);
  CheckStatistics(snapshot, &diagnosis);
  return diagnosis;
}

}  // namespace oneline
