// Prints advice as JSON; advice_report.h has the format.

#include "absl/strings/str_format.h"
#include "tools/advise/advice_report.h"
#include "tools/text/json_output.h"

namespace oneline {
namespace {

Json CostJson(const FilterCost& cost) {
  return {{"filter_bytes", cost.bytes}, {"wasted_reads", cost.false_positives}};
}

Json ProposedOrNull(const std::vector<ColumnFamilyAdvice>& families) {
  return families.empty() ? Json(nullptr)
                          : CostJson(TotalsOf(families).proposed);
}

Json LevelCostJson(const FilterCost& cost, uint64_t keys) {
  Json json = {{"bits_per_key", BitsPerKey(cost.bytes, keys)}};
  json.update(CostJson(cost));
  return json;
}

Json FamilyJson(const ColumnFamilyAdvice& family) {
  Json levels = Json::array();
  for (const LevelAdvice& level : family.levels) {
    levels.push_back({{"level", level.level},
                      {"tables", level.tables},
                      {"keys", level.keys},
                      {"now", LevelCostJson(level.current, level.keys)},
                      {"proposed", LevelCostJson(level.proposed, level.keys)}});
  }
  return {{"name", family.name},
          {"filter_policy", TextOrNull(family.policy.text)},
          {"proposed", PolicyText(family.proposal)},
          {"set_options", TextOrNull(SetOptionsCall(family))},
          {"keys", family.keys()},
          {"levels", levels}};
}

}  // namespace

void PrintAdviceJson(const Advice& advice) {
  Json families = Json::array();
  for (const ColumnFamilyAdvice& family : advice.families) {
    families.push_back(FamilyJson(family));
  }
  const Totals totals = TotalsOf(advice.families);
  PrintJson({{"path", advice.path},
             {"options_file", TextOrNull(advice.options_file)},
             {"hits", advice.hits},
             {"now", CostJson(totals.current)},
             {"proposed", CostJson(totals.proposed)},
             {"same_memory", ProposedOrNull(advice.same_memory)},
             {"same_reads", ProposedOrNull(advice.same_reads)},
             {"column_families", families},
             {"remarks", advice.remarks}});
}

}  // namespace oneline
