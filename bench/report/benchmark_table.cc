// Prints what Google Benchmark has written with --benchmark_out, of repeated
// benchmarks, as tables: a row for each filter, a column for each operation.
//
// Usage: benchmark_table [--rows] RESULT.json...
//
// Names of benchmarks are operation/SETTING/filter, where SETTING may have any
// number of parts; each setting is a table. Cells are nanoseconds for an item,
// the median over the repetitions, and half the distance of their quartiles. If
// a benchmark runs on n threads, its column is "operation xn", and the time is
// that of an item of one thread: where threads do not wait for each other, it
// is the same as with one. Counters follow in columns of their own; of the
// operations of a filter the first that has a counter gives it.
//
// --rows prints lines instead, separated by tabs: the parts of a benchmark's
// name, "ns" or the name of a counter, the median and the quartiles.
//
// Ends with an error if a benchmark failed or does not count its items.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

using Json = nlohmann::ordered_json;

struct Benchmark {
  std::string operation, setting, filter;
  // Of each repetition: first "ns", then the counters.
  std::vector<std::pair<std::string, std::vector<double>>> quantities;
};

[[noreturn]] void Fail(const std::string& what) {
  absl::FPrintF(stderr, "error: %s\n", what);
  std::exit(1);
}

// What Google Benchmark itself says of a benchmark, as numbers.
bool IsCounter(const std::string& name, const Json& value) {
  for (const char* own :
       {"family_index", "per_family_instance_index", "repetitions",
        "repetition_index", "threads", "iterations", "real_time", "cpu_time",
        "items_per_second"}) {
    if (name == own) return false;
  }
  return value.is_number();
}

Benchmark Named(const std::string& name, int64_t threads) {
  std::vector<std::string> parts = absl::StrSplit(name, '/');
  bool on_threads = false;
  // Google Benchmark appends "real_time", "threads:2" and the like.
  while (parts.back() == "real_time" || absl::StrContains(parts.back(), ":")) {
    on_threads |= absl::StartsWith(parts.back(), "threads:");
    parts.pop_back();
  }
  if (parts.size() < 3) Fail(name + " is not operation/setting/filter");
  Benchmark benchmark;
  benchmark.operation = parts.front();
  if (on_threads) absl::StrAppend(&benchmark.operation, " x", threads);
  benchmark.setting = absl::StrJoin(parts.begin() + 1, parts.end() - 1, "\t");
  benchmark.filter = parts.back();
  return benchmark;
}

Json ReadJson(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  // Google Benchmark writes what JSON does not have, such as the coefficient of
  // variation of zeros.
  const Json json = Json::parse(
      absl::StrReplaceAll(
          text,
          {{": NaN", ": 0"}, {": Infinity", ": 0"}, {": -Infinity", ": 0"}}),
      nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.contains("benchmarks")) {
    Fail(path + " is not a result of Google Benchmark");
  }
  return json["benchmarks"];
}

void Add(const std::string& name, double value, Benchmark* benchmark) {
  for (auto& [added, values] : benchmark->quantities) {
    if (added == name) return values.push_back(value);
  }
  benchmark->quantities.push_back({name, {value}});
}

// In the order in which they were registered, not in that of their runs.
std::vector<Benchmark> Read(const std::string& path) {
  std::map<std::pair<int, int>, Benchmark> by_place;
  for (const Json& run : ReadJson(path)) {
    const std::string name = run.at("run_name");
    if (run.value("error_occurred", false)) {
      Fail(absl::StrCat(name, ": ", run.value("error_message", "failed")));
    }
    if (run.value("run_type", "") != "iteration") continue;
    const double items = run.value("items_per_second", 0.0);
    if (items == 0) Fail(name + " does not count its items");
    const int64_t threads = run.at("threads");
    const auto [found, added] = by_place.emplace(
        std::pair(run.at("family_index"), run.at("per_family_instance_index")),
        Benchmark());
    Benchmark& benchmark = found->second;
    if (added) benchmark = Named(name, threads);
    Add("ns", 1e9 * static_cast<double>(threads) / items, &benchmark);
    for (const auto& [key, value] : run.items()) {
      if (IsCounter(key, value)) Add(key, value, &benchmark);
    }
  }
  if (by_place.empty()) Fail(path + " has no benchmark");
  std::vector<Benchmark> all;
  for (auto& [place, benchmark] : by_place) all.push_back(std::move(benchmark));
  return all;
}

void PrintRows(const std::vector<Benchmark>& all) {
  for (const Benchmark& one : all) {
    for (const auto& [quantity, values] : one.quantities) {
      const Spread spread = SpreadOf(values);
      absl::PrintF("%s\t%s\t%s\t%s\t%g\t%g\t%g\n", one.operation, one.setting,
                   one.filter, quantity, spread.median, spread.lower,
                   spread.upper);
    }
  }
}

// The rows and columns of a setting, in the order in which they were added.
class Table {
 public:
  void Add(const Benchmark& one) {
    for (const auto& [name, values] : one.quantities) {
      const Spread spread = SpreadOf(values);
      if (name == "ns") {
        Set(one.filter, one.operation,
            absl::StrFormat(
                "%.*f ±%2.0f%%", spread.median < 100 ? 2 : 0, spread.median,
                50 * (spread.upper - spread.lower) / spread.median));
        continue;
      }
      if (Find(&counters_, name) == counters_.size()) counters_.push_back(name);
      cells_.emplace(std::pair(one.filter, name),
                     absl::StrFormat("%.4g", spread.median));
    }
  }

  void Print() {
    std::vector<std::string> columns = operations_;
    columns.insert(columns.end(), counters_.begin(), counters_.end());
    PrintLine("", columns, columns);
    for (const std::string& filter : filters_) {
      std::vector<std::string> cells;
      for (const auto& column : columns)
        cells.push_back(cells_[{filter, column}]);
      PrintLine(filter, cells, columns);
    }
  }

 private:
  static size_t Find(std::vector<std::string>* names, const std::string& name) {
    return static_cast<size_t>(std::find(names->begin(), names->end(), name) -
                               names->begin());
  }

  void Set(const std::string& filter, const std::string& operation,
           const std::string& text) {
    if (Find(&filters_, filter) == filters_.size()) filters_.push_back(filter);
    if (Find(&operations_, operation) == operations_.size()) {
      operations_.push_back(operation);
    }
    cells_[{filter, operation}] = text;
  }

  static void PrintLine(const std::string& name,
                        const std::vector<std::string>& cells,
                        const std::vector<std::string>& columns) {
    absl::PrintF("%-26s", name);
    for (size_t i = 0; i < cells.size(); ++i) {
      // "±" has two bytes and takes one place.
      const int width =
          static_cast<int>(std::max<size_t>(columns[i].size(), 10)) + 2;
      absl::PrintF("%*s", width + absl::StrContains(cells[i], "±"), cells[i]);
    }
    absl::PrintF("\n");
  }

  std::vector<std::string> filters_, operations_, counters_;
  std::map<std::pair<std::string, std::string>, std::string> cells_;
};

void PrintTables(const std::vector<Benchmark>& all) {
  std::vector<std::string> settings;
  std::map<std::string, Table> tables;
  for (const Benchmark& one : all) {
    if (tables.count(one.setting) == 0) settings.push_back(one.setting);
    tables[one.setting].Add(one);
  }
  for (const std::string& setting : settings) {
    absl::PrintF("\n%s: ns\n",
                 absl::StrJoin(absl::StrSplit(setting, '\t'), ", "));
    tables[setting].Print();
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  const bool rows = !files.empty() && files[0] == "--rows";
  if (rows) files.erase(files.begin());
  if (files.empty()) {
    absl::FPrintF(stderr, "usage: benchmark_table [--rows] RESULT.json...\n");
    return 2;
  }
  std::vector<oneline::Benchmark> all;
  for (const std::string& file : files) {
    const auto some = oneline::Read(file);
    all.insert(all.end(), some.begin(), some.end());
  }
  rows ? oneline::PrintRows(all) : oneline::PrintTables(all);
}
