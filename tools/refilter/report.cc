#include "tools/refilter/report.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"
#include "tools/text/paragraph.h"
#include "tools/text/printable.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

using Json = nlohmann::ordered_json;

Json LevelJson(const RefilteredLevel& level) {
  return {{"level", level.level},
          {"tables", level.tables},
          {"rewritten", level.rewritten},
          {"keys", level.keys},
          {"now",
           {{"memory", level.bytes_before},
            {"wasted_reads", level.false_positives_before}}},
          {"then",
           {{"memory", level.bytes_after},
            {"wasted_reads", level.false_positives_after}}}};
}

Json FamilyJson(const FamilyPlan& family) {
  Json levels = Json::array();
  for (const RefilteredLevel& level : family.levels) {
    levels.push_back(LevelJson(level));
  }
  return {{"name", family.name},
          {"filter_policy", family.policy},
          {"filter_policy_in_options", family.policy_in_options},
          {"levels", levels}};
}

void PrintRow(const std::string& name, const RefilteredLevel& level) {
  absl::PrintF("  %-6s %10s %10s %12s %12s %10.4f %10.4f\n", name,
               WithCommas(level.tables), WithCommas(level.rewritten),
               BytesText(level.bytes_before), BytesText(level.bytes_after),
               level.false_positives_before, level.false_positives_after);
}

void PrintFamily(const FamilyPlan& family) {
  absl::PrintF("\nColumn family \"%s\": %s\n\n", Printable(family.name),
               Printable(family.policy));
  if (family.levels.empty()) {
    absl::PrintF("  no tables\n");
    return;
  }
  absl::PrintF("  %-6s %10s %10s %12s %12s %10s %10s\n", "level", "tables",
               "to rewrite", "memory now", "then", "wasted now", "then");
  RefilteredLevel all;
  for (const RefilteredLevel& level : family.levels) {
    PrintRow(absl::StrCat(level.level), level);
    all.tables += level.tables;
    all.rewritten += level.rewritten;
    all.bytes_before += level.bytes_before;
    all.bytes_after += level.bytes_after;
    all.false_positives_before += level.false_positives_before;
    all.false_positives_after += level.false_positives_after;
  }
  PrintRow("all", all);
}

void PrintResult(const RefilterReport& report) {
  const RunResult& result = report.result;
  absl::PrintF("Wrote %s with their new filters, %s.\n", Tables(result.tables),
               BytesText(static_cast<double>(result.bytes_written)));
  if (!result.left.empty()) {
    PrintParagraph(absl::StrCat(result.left.size(),
                                " old files could not be deleted; RocksDB does "
                                "so when it opens the "
                                "database."),
                   0);
  }
  if (report.kept.empty()) return;
  PrintParagraph(absl::StrCat("The database as it was is in ", report.kept,
                              ". To go back, and lose what was written since:"),
                 0);
  const std::string away = report.database + ".refiltered";
  absl::PrintF("\n    mv %s %s && mv %s %s\n", ShellWord(report.database),
               ShellWord(away), ShellWord(report.kept),
               ShellWord(report.database));
}

}  // namespace

std::vector<std::string> RemarksOn(const RefilterPlan& plan) {
  std::vector<std::string> remarks;
  for (const FamilyPlan& family : plan.families) {
    if (family.policy == family.policy_in_options ||
        (family.policy_in_options.empty() && family.policy == "nullptr")) {
      continue;
    }
    remarks.push_back(absl::StrCat(
        "Compactions will write other filters in column family ", family.name,
        ", those of the program's options, by the OPTIONS file ",
        family.policy_in_options.empty() ? "none" : family.policy_in_options,
        ". To keep to the new ones, give the program, and the section "
        "[TableOptions/BlockBasedTable \"",
        family.name, "\"] of ", plan.options_file,
        ", the line filter_policy=", family.policy));
  }
  if (!plan.tables.empty()) {
    remarks.push_back(
        "Read-only and secondary instances hold no lock, so that they are not "
        "noticed: close them before the run and open them again after it.");
  }
  return remarks;
}

void PrintReportJson(const RefilterPlan& plan, const RefilterReport& report) {
  Json families = Json::array();
  for (const FamilyPlan& family : plan.families) {
    families.push_back(FamilyJson(family));
  }
  const RunResult& result = report.result;
  Json batches = Json::array();
  for (const FinishedBatch& batch : result.batches) {
    batches.push_back({{"tables", batch.tables},
                       {"bytes", batch.bytes},
                       {"seconds", batch.seconds}});
  }
  const Json done = {{"tables", result.tables},
                     {"bytes_written", result.bytes_written},
                     {"batches", batches},
                     {"left", result.left}};
  const Json all = {
      {"path", report.database},
      {"tables", plan.tables.size()},
      {"tables_kept", plan.tables_kept},
      {"bytes", plan.bytes},
      {"refused", plan.refusals},
      {"column_families", families},
      {"done", report.done ? done : Json(nullptr)},
      {"kept", report.kept.empty() ? Json(nullptr) : Json(report.kept)},
      {"remarks", report.remarks}};
  // Column families may have names that are not valid UTF-8.
  absl::PrintF("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

void PrintReportText(const RefilterPlan& plan, const RefilterReport& report) {
  absl::PrintF("%s: %s to rewrite, %s; %s have what is asked for\n",
               Printable(report.database), Tables(plan.tables.size()),
               BytesText(static_cast<double>(plan.bytes)),
               WithCommas(plan.tables_kept));
  for (const FamilyPlan& family : plan.families) PrintFamily(family);
  absl::PrintF("\n");
  for (const std::string& refusal : plan.refusals) {
    PrintParagraph(absl::StrCat("Refused: ", refusal), 0);
  }
  if (report.done) PrintResult(report);
  for (const std::string& remark : report.remarks) PrintParagraph(remark, 0);
  if (!report.done && plan.refusals.empty() && !plan.tables.empty()) {
    absl::PrintF("Nothing was changed. With --yes it is.\n");
  }
}

}  // namespace oneline
