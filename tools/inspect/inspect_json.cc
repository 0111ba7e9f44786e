// `oneline inspect --json`.

#include "absl/strings/str_format.h"
#include "tools/inspect/inspect_report.h"
#include "tools/text/json_output.h"

namespace oneline {
namespace {

Json LevelOrNull(int level) { return level < 0 ? Json(nullptr) : Json(level); }

Json JsonOf(const InspectedTable& table) {
  const uint64_t keys = table.keys_to_filter();
  Json seeds = Json::array();
  for (const uint64_t seed : table.seeds) {
    seeds.push_back(absl::StrFormat("0x%x", seed));
  }
  return {{"file", table.file.path},
          {"level", LevelOrNull(table.file.level)},
          {"filter", table.FilterText()},
          {"keys", keys},
          {"filter_bytes", table.filter_bytes},
          {"bits_per_key", BitsPerKey(table.filter_bytes, keys)},
          {"predicted_fp_rate",
           table.blocks > 0 ? Json(table.fp_rate) : Json(nullptr)},
          {"measured_fp_rate", OrNull(table.measured_fp_rate)},
          {"random_keys", table.probes},
          {"partitions", table.partitioned ? table.blocks : 0},
          {"lines", table.lines},
          {"seeds", seeds},
          {"asked_bits_per_key", table.asked_bits_per_key > 0
                                     ? Json(table.asked_bits_per_key)
                                     : Json(nullptr)},
          {"written_level", LevelOrNull(table.written_level)},
          {"message", std::string(table.status.message())}};
}

Json JsonOf(const InspectTotals& totals) {
  return {{"level", LevelOrNull(totals.level)},
          {"tables", totals.tables},
          {"unreadable", totals.unreadable},
          {"keys", totals.keys},
          {"filter_bytes", totals.filter_bytes},
          {"bits_per_key", BitsPerKey(totals.filter_bytes, totals.keys)},
          {"predicted_fp_rate", totals.predicted_fp_rate},
          {"measured_fp_rate", OrNull(totals.measured_fp_rate)}};
}

Json JsonOf(const InspectedFamily& family) {
  Json tables = Json::array(), levels = Json::array();
  for (const InspectedTable& table : family.tables) {
    tables.push_back(JsonOf(table));
  }
  for (const InspectTotals& level : TotalsByLevel(family)) {
    levels.push_back(JsonOf(level));
  }
  return {{"name", family.name},
          {"tables", tables},
          {"levels", levels},
          {"total", JsonOf(TotalsOf(family.tables))}};
}

}  // namespace

void PrintInspectJson(const std::vector<InspectedFamily>& families,
                      const InspectOptions& options) {
  Json column_families = Json::array();
  for (const InspectedFamily& family : families) {
    column_families.push_back(JsonOf(family));
  }
  PrintJson({{"column_families", column_families},
             {"probe_seed", options.probe_seed}});
}

}  // namespace oneline
