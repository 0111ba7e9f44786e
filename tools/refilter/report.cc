#include "tools/refilter/report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

Json FamilyJson(const PlannedFamily& family) {
  const RefilterReport& report = family.report;
  Json left = Json::array();
  for (const LeftTable& table : report.left) {
    left.push_back({{"file", table.path},
                    {"level", table.level},
                    {"why", table.status.ToString()}});
  }
  return {{"name", family.descriptor.name},
          {"filter_policy", family.policy},
          {"filter_policy_in_options", family.policy_in_options},
          {"tables", report.tables},
          {"bytes", report.bytes},
          {"tables_found", report.tables_found},
          {"bytes_found", report.bytes_found},
          {"tables_rewritten", report.tables_rewritten},
          {"bytes_rewritten", report.bytes_rewritten},
          {"filter_bytes_before", report.filter_bytes_before},
          {"filter_bytes_after", report.filter_bytes_after},
          {"left", left}};
}

std::string Text(uint64_t bytes) {
  return BytesText(static_cast<double>(bytes));
}

// "5 tables to rewrite, 1.2 GiB", or of what was done.
std::string WorkText(bool is_changed, const RefilterReport& report) {
  return is_changed ? absl::StrCat(Tables(report.tables_rewritten),
                                   " rewritten, ", Text(report.bytes_rewritten))
                    : absl::StrCat(Tables(report.tables_found), " to rewrite, ",
                                   Text(report.bytes_found));
}

}  // namespace

RefilterReport RefilterResult::Total() const {
  RefilterReport total;
  for (const PlannedFamily& family : plan.families) {
    total.tables_found += family.report.tables_found;
    total.bytes_found += family.report.bytes_found;
    total.tables_rewritten += family.report.tables_rewritten;
    total.bytes_rewritten += family.report.bytes_rewritten;
  }
  return total;
}

void PrintRefilterJson(const RefilterResult& result) {
  Json families = Json::array();
  for (const PlannedFamily& family : result.plan.families) {
    if (family.is_chosen) families.push_back(FamilyJson(family));
  }
  PrintJson({{"path", result.plan.database},
             {"error", TextOrNull(result.status.message())},
             {"changed", result.is_changed},
             {"column_families", families},
             {"kept", TextOrNull(result.kept)},
             {"remarks", result.remarks}});
}

void PrintRefilterText(const RefilterResult& result) {
  absl::PrintF("%s: %s\n", Printable(result.plan.database),
               WorkText(result.is_changed, result.Total()));
  for (const PlannedFamily& family : result.plan.families) {
    if (!family.is_chosen) continue;
    const RefilterReport& report = family.report;
    absl::PrintF(
        "\nColumn family \"%s\": %s\n  %s, of %s, %s\n"
        "  filters: %s before, %s after\n",
        Printable(family.descriptor.name), Printable(family.policy),
        WorkText(result.is_changed, report), Tables(report.tables),
        Text(report.bytes), Text(report.filter_bytes_before),
        Text(report.filter_bytes_after));
    for (const LeftTable& table : report.left) {
      PrintParagraph(absl::StrCat("left: ", table.path, ", level ", table.level,
                                  ": ", table.status.ToString()));
    }
  }
  absl::PrintF("\n");
  for (const std::string& remark : result.remarks) PrintParagraph(remark, 0);
  if (result.kept.empty()) return;
  PrintParagraph(
      absl::StrCat("The database as it was is in ", result.kept,
                   ". To go back, and lose what was written since, put it in "
                   "the database's place while no program has that open."),
      0);
}

}  // namespace oneline
