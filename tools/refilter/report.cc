#include "tools/refilter/report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

Json FamilyJson(const RefilteredFamily& family) {
  const RefilterReport& report = family.report;
  Json left = Json::array();
  for (const LeftTable& table : report.left) {
    left.push_back({{"file", table.path},
                    {"level", table.level},
                    {"why", table.status.ToString()}});
  }
  return {{"name", family.name},
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

// "5 tables to rewrite, 1.2 GiB", or of what was done.
std::string WorkText(bool is_changed, uint64_t tables, uint64_t bytes) {
  return absl::StrCat(Tables(tables),
                      is_changed ? " rewritten, " : " to rewrite, ",
                      BytesText(static_cast<double>(bytes)));
}

void PrintFamily(const RefilteredFamily& family, bool is_changed) {
  const RefilterReport& report = family.report;
  const auto bytes = [](uint64_t n) {
    return BytesText(static_cast<double>(n));
  };
  absl::PrintF(
      "\nColumn family \"%s\": %s\n  %s, of %s, %s\n"
      "  filters: %s before, %s after\n",
      Printable(family.name), Printable(family.policy),
      is_changed
          ? WorkText(true, report.tables_rewritten, report.bytes_rewritten)
          : WorkText(false, report.tables_found, report.bytes_found),
      Tables(report.tables), bytes(report.bytes),
      bytes(report.filter_bytes_before), bytes(report.filter_bytes_after));
  for (const LeftTable& table : report.left) {
    PrintParagraph(absl::StrCat("left: ", table.path, ", level ", table.level,
                                ": ", table.status.ToString()));
  }
}

}  // namespace

uint64_t RefilterResult::Sum(uint64_t RefilterReport::*number) const {
  uint64_t sum = 0;
  for (const RefilteredFamily& family : families) sum += family.report.*number;
  return sum;
}

void PrintRefilterJson(const RefilterResult& result) {
  Json families = Json::array();
  for (const RefilteredFamily& family : result.families) {
    families.push_back(FamilyJson(family));
  }
  PrintJson({{"path", result.database},
             {"error", TextOrNull(result.status.message())},
             {"changed", result.is_changed},
             {"column_families", families},
             {"kept", TextOrNull(result.kept)},
             {"remarks", result.remarks}});
}

void PrintRefilterText(const RefilterResult& result) {
  absl::PrintF(
      "%s: %s\n", Printable(result.database),
      result.is_changed
          ? WorkText(true, result.Sum(&RefilterReport::tables_rewritten),
                     result.Sum(&RefilterReport::bytes_rewritten))
          : WorkText(false, result.Sum(&RefilterReport::tables_found),
                     result.Sum(&RefilterReport::bytes_found)));
  for (const RefilteredFamily& family : result.families) {
    PrintFamily(family, result.is_changed);
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
