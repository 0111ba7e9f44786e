#include "bench/comparison/comparison_table.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
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

// Appends lines of one setting and filter.
class Rows {
 public:
  Rows(const Setting& setting, const std::string& filter, std::string* rows)
      : begin_(absl::StrJoin(
            {setting.store, setting.keys, setting.value_bytes, setting.records,
             setting.reads, setting.workload, filter},
            "\t")),
        rows_(rows) {}

  void Add(const char* quantity, double number) {
    absl::StrAppend(rows_, begin_, "\t", quantity, "\t", number, "\t\t\n");
  }
  void Add(const char* quantity, const Spread& spread) {
    absl::StrAppend(rows_, begin_, "\t", quantity, "\t", spread.median, "\t",
                    spread.lower, "\t", spread.upper, "\n");
  }

 private:
  const std::string begin_;
  std::string* const rows_;
};

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

std::string RowColumns() {
  return "store\tkeys\tvalue_bytes\trecords\treads\tworkload\tfilter\t"
         "quantity\tmedian\tlower\tupper\n";
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
    const double p50 = Percentile(0.50, &one.latency_micros);
    const double p99 = Percentile(0.99, &one.latency_micros);
    const Spread cpu = SpreadOf(one.cpu_micros);
    const double checks = per_lookup(one.counts.checks);
    const double wrong = 1000 * per_lookup(one.counts.false_positives());
    const double reads = 1000 * per_lookup(one.counts.block_reads);
    const double bits = databases[i]->filter_bits_per_key();
    absl::PrintF("%-15s %17s %21s %7.2f %8.2f %7.2f %7.3f %7.2f %7.1f %6.2f\n",
                 names[i],
                 absl::StrFormat("%.0f ±%.0f%%", rate.median,
                                 50 * (rate.upper - rate.lower) / rate.median),
                 Text(ratio), p50, p99, cpu.median, checks, wrong, reads, bits);
    Rows lines(setting, names[i], rows);
    lines.Add("ops/s", rate);
    lines.Add("ratio", ratio);
    lines.Add("p50 us", p50);
    lines.Add("p99 us", p99);
    lines.Add("cpu us", cpu);
    lines.Add("checks", checks);
    lines.Add("false", wrong);
    lines.Add("reads", reads);
    lines.Add("bits", bits);
  }
  std::fflush(stdout);
}

void PrintWrites(const Setting& setting, const std::vector<WriteCosts>& costs,
                 const std::string& base, std::string* rows) {
  std::vector<std::string> names;
  for (const WriteCosts& cost : costs) names.push_back(cost.name);
  const WriteCosts& base_costs = costs[Find(names, base)];
  absl::PrintF("\n%s: writing, %s\n", Heading(setting), setting.workload);
  absl::PrintF("%-15s %8s %-20s %9s %-19s %8s %-20s %6s\n", "", "fill s",
               "ratio", "compact s", "ratio", "cpu s", "ratio", "bits");
  for (const WriteCosts& cost : costs) {
    absl::PrintF("%-15s", cost.name);
    Rows lines(setting, cost.name, rows);
    const auto print = [&](const char* what,
                           double (*seconds)(const WriteCost&)) {
      const std::vector<double> values = EachRound(cost.rounds, seconds);
      const Spread ratio =
          SpreadOfRatios(values, EachRound(base_costs.rounds, seconds));
      absl::PrintF(" %8.3f %-20s", SpreadOf(values).median, Text(ratio));
      lines.Add(what, ratio);
    };
    print("fill", [](const WriteCost& c) { return c.flushes.wall_seconds; });
    print("compact",
          [](const WriteCost& c) { return c.compactions.wall_seconds; });
    print("cpu", [](const WriteCost& c) {
      return c.flushes.cpu_seconds + c.compactions.cpu_seconds;
    });
    absl::PrintF(" %6.2f\n", cost.filter_bits);
  }
  std::fflush(stdout);
}

}  // namespace oneline
