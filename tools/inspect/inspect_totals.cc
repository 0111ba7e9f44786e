// The totals of levels and of all tables.

#include "tools/inspect/inspect_report.h"

namespace oneline {

InspectTotals TotalsOf(const std::vector<InspectedTable>& tables) {
  InspectTotals totals;
  double predicted = 0, measured = 0;
  bool all_measured = true;
  for (const InspectedTable& table : tables) {
    ++totals.tables;
    if (!table.status.ok()) {
      ++totals.unreadable;
      continue;
    }
    const auto keys = static_cast<double>(table.keys_to_filter());
    totals.keys += table.keys_to_filter();
    totals.filter_bytes += table.filter_bytes;
    predicted += keys * table.fp_rate;
    if (table.blocks > 0 && !table.measured_fp_rate.has_value()) {
      all_measured = false;
    }
    measured += keys * table.measured_fp_rate.value_or(1);
  }
  if (totals.keys == 0) return totals;
  totals.predicted_fp_rate = predicted / static_cast<double>(totals.keys);
  if (all_measured) {
    totals.measured_fp_rate = measured / static_cast<double>(totals.keys);
  }
  return totals;
}

std::vector<InspectTotals> TotalsByLevel(const InspectedFamily& family) {
  std::vector<InspectTotals> totals;
  for (const auto& [level, tables] : ByLevel(family.tables)) {
    totals.push_back(TotalsOf(tables));
    totals.back().level = level;
  }
  return totals;
}

}  // namespace oneline
