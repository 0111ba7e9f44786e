#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "tools/advise/advice_report.h"

namespace oneline {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json Sum(const FiltersOfLevel& filters) {
  return {{"memory", filters.bytes}, {"wasted_reads", filters.false_positives}};
}

Json SumOrNull(const std::vector<FamilyAdvice>& families) {
  return families.empty() ? Json(nullptr) : Sum(TotalsOf(families).then);
}

Json OfLevel(const FiltersOfLevel& filters, uint64_t keys) {
  Json json = {{"bits_per_key", filters.bits_per_key(keys)}};
  json.update(Sum(filters));
  return json;
}

Json OfFamily(const FamilyAdvice& family) {
  Json levels = Json::array();
  for (const LevelAdvice& level : family.levels) {
    levels.push_back({{"level", level.level},
                      {"tables", level.tables},
                      {"keys", level.keys},
                      {"now", OfLevel(level.now, level.keys)},
                      {"proposed", OfLevel(level.then, level.keys)}});
  }
  return {{"name", family.name},
          {"filter_policy", family.policy.text},
          {"proposed", PolicyText(family.proposal)},
          {"set_options", OrNull(SetOptionsCall(family))},
          {"keys", family.keys()},
          {"levels", levels}};
}

Json OfStatistics(const FilterStatistics& counted) {
  return {{"time", counted.time},
          {"lookups", counted.lookups},
          {"filter_negatives", counted.negatives},
          {"filter_positives", counted.positives},
          {"filter_true_positives", counted.true_positives}};
}

}  // namespace

void PrintAdviceJson(const Advice& advice) {
  Json families = Json::array();
  for (const FamilyAdvice& family : advice.families) {
    families.push_back(OfFamily(family));
  }
  const Totals totals = TotalsOf(advice.families);
  const Json all = {{"path", advice.path},
                    {"options_file", advice.options_file},
                    {"now", Sum(totals.now)},
                    {"proposed", Sum(totals.then)},
                    {"same_memory", SumOrNull(advice.same_memory)},
                    {"same_reads", SumOrNull(advice.same_reads)},
                    {"column_families", families},
                    {"statistics", advice.statistics.has_value()
                                       ? OfStatistics(*advice.statistics)
                                       : Json(nullptr)},
                    {"remarks", advice.remarks},
                    {"written", OrNull(advice.written)},
                    {"backup", OrNull(advice.backup)}};
  // Names may be any bytes.
  absl::PrintF("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace oneline
