#include "tools/doctor/finding.h"

#include <iterator>

namespace oneline {
namespace {

struct Row {
  const char* name;
  Severity severity;
};

constexpr Row kRows[] = {
    {"damaged-filter", Severity::kFault},
    {"exceeds-shard", Severity::kFault},
    {"false-positives", Severity::kFault},
    {"filters-exceed-cache", Severity::kFault},
    {"ignored-filter", Severity::kFault},
    {"no-filter", Severity::kFault},
    {"not-as-expected", Severity::kFault},
    {"nothing-to-filter", Severity::kFault},
    {"other-table-format", Severity::kFault},
    {"policy-gone", Severity::kFault},
    {"unknown-policy", Severity::kFault},
    {"unreadable-table", Severity::kFault},
    {"wrong-options", Severity::kFault},
    {"fewer-hits", Severity::kWarning},
    {"mostly-hits", Severity::kWarning},
    {"never-asked", Severity::kWarning},
    {"no-policy", Severity::kWarning},
    {"not-examined", Severity::kWarning},
    {"options-lost", Severity::kWarning},
    {"other-bits", Severity::kWarning},
    {"other-kind", Severity::kWarning},
    {"refused-options", Severity::kWarning},
    {"note", Severity::kNote},
};
static_assert(std::size(kRows) == static_cast<size_t>(FindingKind::kCount));

const Row& RowOf(const Finding& finding) {
  return kRows[static_cast<size_t>(finding.kind)];
}

}  // namespace

const char* Finding::name() const { return RowOf(*this).name; }

Severity Finding::severity() const { return RowOf(*this).severity; }

const char* Finding::severity_name() const {
  return severity() == Severity::kFault ? "fault" : "warning";
}

void Append(const Findings& found, Findings* all) {
  all->insert(all->end(), found.begin(), found.end());
}

}  // namespace oneline
