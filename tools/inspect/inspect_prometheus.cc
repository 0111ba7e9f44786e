// `oneline inspect --prometheus`.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/inspect/inspect_report.h"
#include "tools/text/prometheus_text.h"

namespace oneline {
namespace {

std::string LevelLabel(int level) {
  return level < 0 ? "" : absl::StrCat(level);
}

void AddLevel(const InspectTotals& totals, PrometheusText::Labels labels,
              PrometheusText* metrics) {
  labels.emplace_back("level", LevelLabel(totals.level));
  metrics->Add("oneline_filter_keys",
               "Keys and prefixes in the filters; entries of tables without.",
               labels, static_cast<double>(totals.keys));
  metrics->Add("oneline_filter_bytes", "Size of the filters.", labels,
               static_cast<double>(totals.filter_bytes));
  if (totals.keys == 0) return;
  metrics->Add("oneline_filter_predicted_fp_rate",
               "Mean false-positive rate by the bits of the filters, 0 to 1.",
               labels, totals.predicted_fp_rate);
  if (!totals.measured_fp_rate.has_value()) return;
  metrics->Add("oneline_filter_measured_fp_rate",
               "Mean false-positive rate of random keys, 0 to 1.", labels,
               *totals.measured_fp_rate);
}

}  // namespace

void PrintInspectPrometheus(const std::string& path,
                            const std::vector<InspectedFamily>& families) {
  PrometheusText metrics;
  for (const InspectedFamily& family : families) {
    const PrometheusText::Labels labels = {{"db", path},
                                           {"column_family", family.name}};
    for (const InspectedTable& table : family.tables) {
      PrometheusText::Labels of_kind = labels;
      of_kind.emplace_back("level", LevelLabel(table.file.level));
      of_kind.emplace_back("filter", table.FilterText());
      metrics.Add("oneline_tables", "Tables by the kind of their filter.",
                  of_kind, 1);
    }
    for (const InspectTotals& level : TotalsByLevel(family)) {
      AddLevel(level, labels, &metrics);
    }
  }
  absl::PrintF("%s", metrics.Text());
}

}  // namespace oneline
