#include "bench/comparison/comparison_table.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

std::string Heading(const Setting& setting) {
  return absl::StrFormat("%s, %s records, %s keys, value bytes: %s",
                         setting.store, setting.records, setting.keys,
                         setting.value_bytes);
}

std::string Text(const Spread& ratio) {
  return absl::StrFormat("%.3f (%.3f-%.3f)", ratio.median, ratio.lower,
                         ratio.upper);
}

std::vector<double> PerSecond(const std::vector<double>& micros) {
  std::vector<double> rates;
  for (double each : micros) rates.push_back(1e6 / each);
  return rates;
}

// The index of the base.
size_t Find(const std::vector<std::string>& names, const std::string& base) {
  const auto found = std::find(names.begin(), names.end(), base);
  assert(found != names.end());
  return static_cast<size_t>(found - names.begin());
}

std::vector<double> EachRound(const std::vector<WriteCost>& rounds,
                              double (*seconds)(const WriteCost&)) {
  std::vector<double> all;
  for (const WriteCost& round : rounds) all.push_back(seconds(round));
  return all;
}

}  // namespace

std::string LookupColumns() {
  return "store\tkeys\tvalue_bytes\trecords\treads\tworkload\tfilter\t"
         "ops_per_s\tratio\tratio_lower\tratio_upper\n";
}

void PrintLookups(const Setting& setting, const Databases& databases,
                  std::vector<Measured> measured, const std::string& base,
                  std::string* rows) {
  std::vector<std::string> names;
  for (const auto& database : databases) names.push_back(database->name());
  const std::vector<double> base_rates =
      PerSecond(measured[Find(names, base)].wall_micros);
  absl::PrintF("\n%s, blocks from %s: %s\n", Heading(setting), setting.reads,
               setting.workload);
  absl::PrintF("%-15s %17s %21s %7s %8s %7s %7s %7s %7s %6s\n", "", "ops/s",
               "ratio", "p50 us", "p99 us", "cpu us", "checks", "false",
               "reads", "bits");
  for (size_t i = 0; i < databases.size(); ++i) {
    Measured& one = measured[i];
    const auto lookups = static_cast<double>(one.lookups);
    const auto per_lookup = [&](uint64_t count) {
      return static_cast<double>(count) / lookups;
    };
    const std::vector<double> rates = PerSecond(one.wall_micros);
    const Spread rate = SpreadOf(rates);
    const Spread ratio = SpreadOfRatios(rates, base_rates);
    absl::PrintF("%-15s %17s %21s %7.2f %8.2f %7.2f %7.3f %7.2f %7.1f %6.2f\n",
                 names[i],
                 absl::StrFormat("%.0f ±%.0f%%", rate.median,
                                 50 * (rate.upper - rate.lower) / rate.median),
                 Text(ratio), Percentile(0.50, &one.latency_micros),
                 Percentile(0.99, &one.latency_micros),
                 SpreadOf(one.cpu_micros).median, per_lookup(one.counts.checks),
                 1000 * per_lookup(one.counts.false_positives()),
                 1000 * per_lookup(one.counts.block_reads),
                 databases[i]->filter_bits_per_key());
    absl::StrAppend(rows, setting.store, "\t", setting.keys, "\t",
                    setting.value_bytes, "\t", setting.records, "\t",
                    setting.reads, "\t", setting.workload, "\t", names[i], "\t",
                    rate.median, "\t", ratio.median, "\t", ratio.lower, "\t",
                    ratio.upper, "\n");
  }
  std::fflush(stdout);
}

void PrintWrites(const Setting& setting, const std::vector<WriteCosts>& costs,
                 const std::string& base) {
  std::vector<std::string> names;
  for (const WriteCosts& cost : costs) names.push_back(cost.name);
  const WriteCosts& base_costs = costs[Find(names, base)];
  absl::PrintF("\n%s: writing, %s\n", Heading(setting), setting.workload);
  absl::PrintF("%-15s %8s %-20s %9s %-19s %8s %-20s %6s\n", "", "fill s",
               "ratio", "compact s", "ratio", "cpu s", "ratio", "bits");
  for (const WriteCosts& cost : costs) {
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
      absl::PrintF(
          " %8.3f %-20s", SpreadOf(values).median,
          Text(SpreadOfRatios(values, EachRound(base_costs.rounds, seconds))));
    }
    absl::PrintF(" %6.2f\n", cost.filter_bits);
  }
  std::fflush(stdout);
}

}  // namespace oneline
