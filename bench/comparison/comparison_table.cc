#include "bench/comparison/comparison_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "absl/strings/str_format.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

using Row = std::vector<std::string>;

const std::vector<std::string>& SettingColumns() {
  static const auto& columns = *new std::vector<std::string>{
      "store", "keys", "value_bytes", "records", "reads", "workload", "filter"};
  return columns;
}

Row SettingCells(const Setting& setting, const std::string& filter) {
  return {setting.store,   setting.keys,  setting.value_bytes,
          setting.records, setting.reads, setting.workload,
          filter};
}

std::string Heading(const Setting& setting) {
  return absl::StrFormat("%s, %s records, %s keys, value bytes: %s",
                         setting.store, setting.records, setting.keys,
                         setting.value_bytes);
}

TsvTable TableOf(const std::vector<std::string>& further_columns) {
  TsvTable table;
  table.columns = SettingColumns();
  table.columns.insert(table.columns.end(), further_columns.begin(),
                       further_columns.end());
  return table;
}

void AddSpread(const Spread& spread, Row* row) {
  for (double number : {spread.median, spread.lower, spread.upper}) {
    row->push_back(TsvNumber(number));
  }
}

std::vector<double> PerSecond(const std::vector<double>& micros) {
  std::vector<double> rates;
  for (double each : micros) rates.push_back(1e6 / each);
  return rates;
}

// The index of the database of that name; their number if there is none.
template <typename Named>
size_t FindBase(const std::vector<Named>& all, const std::string& base) {
  return static_cast<size_t>(
      std::find_if(all.begin(), all.end(),
                   [&](const Named& one) { return one == base; }) -
      all.begin());
}

std::vector<double> EachRound(const std::vector<WriteCost>& rounds,
                              double (*seconds)(const WriteCost&)) {
  std::vector<double> all;
  for (const WriteCost& round : rounds) all.push_back(seconds(round));
  return all;
}

}  // namespace

TsvTable NewLookupTable() {
  return TableOf({"lookups", "ops_per_s", "ops_per_s_lower", "ops_per_s_upper",
                  "ratio", "ratio_lower", "ratio_upper", "p50_us", "p99_us",
                  "cpu_us", "checks", "false_positives", "block_reads",
                  "filter_bits"});
}

void AddLookupRows(const Setting& setting, const Databases& databases,
                   std::vector<Measured> measured, const std::string& base,
                   TsvTable* table) {
  std::vector<std::string> names;
  for (const auto& database : databases) names.push_back(database->name());
  const size_t base_index = FindBase(names, base);
  absl::PrintF("\n%s, blocks from %s: %s\n", Heading(setting), setting.reads,
               setting.workload);
  absl::PrintF("%-15s %9s %8s %-13s %8s %8s %8s %8s\n", "", "ops/s", "ratio",
               "quartiles", "p99 us", "cpu us", "reads", "false");
  for (size_t i = 0; i < databases.size(); ++i) {
    Measured& one = measured[i];
    const auto lookups = static_cast<double>(one.lookups);
    const auto per_lookup = [&](uint64_t count) {
      return static_cast<double>(count) / lookups;
    };
    const std::vector<double> rates = PerSecond(one.wall_micros);
    const Spread rate = SpreadOf(rates);
    Spread ratio;
    Row row = SettingCells(setting, names[i]);
    row.push_back(TsvNumber(lookups));
    AddSpread(rate, &row);
    if (base_index < databases.size()) {
      ratio =
          SpreadOfRatios(rates, PerSecond(measured[base_index].wall_micros));
      AddSpread(ratio, &row);
    } else {
      row.insert(row.end(), 3, "");
    }
    const double p50 = Percentile(0.50, &one.latency_micros);
    const double p99 = Percentile(0.99, &one.latency_micros);
    const double cpu = SpreadOf(one.cpu_micros).median;
    const double false_positives =
        1000 * per_lookup(one.counts.false_positives());
    const double reads = 1000 * per_lookup(one.counts.block_reads);
    for (double number :
         {p50, p99, cpu, per_lookup(one.counts.checks), false_positives, reads,
          databases[i]->filter_bits_per_key()}) {
      row.push_back(TsvNumber(number));
    }
    table->rows.push_back(row);
    absl::PrintF("%-15s %9.0f %8.3f %-13s %8.2f %8.2f %8.1f %8.2f\n", names[i],
                 rate.median, ratio.median,
                 absl::StrFormat("%.3f-%.3f", ratio.lower, ratio.upper), p99,
                 cpu, reads, false_positives);
  }
  std::fflush(stdout);
}

TsvTable NewWriteTable() {
  return TableOf({"fill_s", "fill_ratio", "fill_ratio_lower",
                  "fill_ratio_upper", "compact_s", "compact_ratio",
                  "compact_ratio_lower", "compact_ratio_upper", "cpu_s",
                  "cpu_ratio", "cpu_ratio_lower", "cpu_ratio_upper",
                  "filter_bits"});
}

void AddWriteRows(const Setting& setting, const std::vector<WriteCosts>& costs,
                  const std::string& base, TsvTable* table) {
  std::vector<std::string> names;
  for (const WriteCosts& cost : costs) names.push_back(cost.name);
  const size_t base_index = FindBase(names, base);
  absl::PrintF("\n%s: writing, %s, ratios with quartiles\n", Heading(setting),
               setting.workload);
  absl::PrintF("%-15s %8s %-20s %8s %-20s %8s %-20s\n", "", "fill s", "",
               "compact s", "", "cpu s", "");
  for (const WriteCosts& cost : costs) {
    Row row = SettingCells(setting, cost.name);
    absl::PrintF("%-15s", cost.name);
    using Seconds = double (*)(const WriteCost&);
    for (const Seconds seconds :
         {Seconds([](const WriteCost& c) { return c.flushes.wall_seconds; }),
          Seconds(
              [](const WriteCost& c) { return c.compactions.wall_seconds; }),
          Seconds([](const WriteCost& c) {
            return c.flushes.cpu_seconds + c.compactions.cpu_seconds;
          })}) {
      const std::vector<double> values = EachRound(cost.rounds, seconds);
      const Spread ratio =
          SpreadOfRatios(values, EachRound(costs[base_index].rounds, seconds));
      row.push_back(TsvNumber(SpreadOf(values).median));
      AddSpread(ratio, &row);
      absl::PrintF(" %8.3f %-20s", SpreadOf(values).median,
                   absl::StrFormat("%.3f (%.3f-%.3f)", ratio.median,
                                   ratio.lower, ratio.upper));
    }
    absl::PrintF("\n");
    row.push_back(TsvNumber(cost.filter_bits));
    table->rows.push_back(row);
  }
  std::fflush(stdout);
}

}  // namespace oneline
