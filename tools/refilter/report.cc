#include "tools/refilter/report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

// "5 tables, 1.2 GiB"
std::string TablesText(uint64_t tables, uint64_t bytes, const char* what = "") {
  return absl::StrCat(Tables(tables), what, ", ", BytesText(bytes));
}

}  // namespace

void PrintRefilterJson(const RefilterResult& result) {
  const RefilterReport& report = result.report;
  Json families = Json::array(), left = Json::array();
  for (const PlannedFamily& family : result.plan.families) {
    if (!family.is_chosen) continue;
    families.push_back(
        {{"name", family.descriptor.name},
         {"filter_policy", family.policy},
         {"filter_policy_in_options", family.policy_in_options}});
  }
  for (const LeftTable& table : report.left) {
    left.push_back({{"column_family", table.column_family},
                    {"file", table.path},
                    {"level", table.level},
                    {"why", table.status.ToString()}});
  }
  PrintJson({{"path", result.plan.database},
             {"error", TextOrNull(result.status.message())},
             {"changed", result.is_changed},
             {"column_families", families},
             {"tables", report.tables},
             {"bytes", report.bytes},
             {"tables_found", report.tables_found},
             {"bytes_found", report.bytes_found},
             {"tables_rewritten", report.tables_rewritten},
             {"bytes_rewritten", report.bytes_rewritten},
             {"filter_bytes_before", report.filter_bytes_before},
             {"filter_bytes_after", report.filter_bytes_after},
             {"left", result.is_left_known ? left : Json(nullptr)},
             {"kept", TextOrNull(result.kept)},
             {"remarks", result.remarks}});
}

void PrintRefilterText(const RefilterResult& result) {
  const RefilterReport& report = result.report;
  absl::PrintF(
      "%s: %s, of %s\nfilters: %s before, %s after\n",
      Printable(result.plan.database),
      result.is_changed
          ? TablesText(report.tables_rewritten, report.bytes_rewritten,
                       " rewritten")
          : TablesText(report.tables_found, report.bytes_found, " to rewrite"),
      TablesText(report.tables, report.bytes),
      BytesText(report.filter_bytes_before),
      BytesText(report.filter_bytes_after));
  for (const PlannedFamily& family : result.plan.families) {
    if (!family.is_chosen) continue;
    absl::PrintF("column family \"%s\": %s\n",
                 Printable(family.descriptor.name), Printable(family.policy));
  }
  for (const LeftTable& table : report.left) {
    PrintParagraph(absl::StrCat("left: column family \"", table.column_family,
                                "\", ", table.path, ", level ", table.level,
                                ": ", table.status.ToString()));
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
