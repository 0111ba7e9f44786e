#include "bench/db_bench/db_bench_table.h"

#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

constexpr const char* kNumbers[] = {"fill_ops_per_s", "ops_per_s", "reads",
                                    "found",          "useful",    "positive"};

struct FilterRuns {
  std::string name;
  std::string setting;
  std::vector<std::map<std::string, double>> rounds;

  std::vector<double> All(const std::string& number) const {
    std::vector<double> all;
    for (const auto& round : rounds) all.push_back(round.at(number));
    return all;
  }
  double Sum(const std::string& number) const {
    double sum = 0;
    for (double value : All(number)) sum += value;
    return sum;
  }
};

absl::StatusOr<std::map<std::string, double>> NumbersOf(
    const TsvTable& runs, const std::vector<std::string>& row) {
  std::map<std::string, double> numbers;
  for (const char* name : kNumbers) {
    const size_t at = runs.FindColumn(name);
    if (at == runs.columns.size() ||
        !absl::SimpleAtod(row[at], &numbers[name])) {
      return absl::InvalidArgumentError(
          absl::StrCat("a run of db_bench has no number '", name, "'"));
    }
  }
  return numbers;
}

absl::StatusOr<std::vector<FilterRuns>> ByFilter(const TsvTable& runs) {
  const size_t filter_at = runs.FindColumn("filter");
  const size_t setting_at = runs.FindColumn("setting");
  if (filter_at == runs.columns.size() || setting_at == runs.columns.size()) {
    return absl::InvalidArgumentError(
        "runs of db_bench need the columns 'setting' and 'filter'");
  }
  std::vector<FilterRuns> filters;
  std::map<std::string, size_t> indices;
  for (const std::vector<std::string>& row : runs.rows) {
    const auto numbers = NumbersOf(runs, row);
    if (!numbers.ok()) return numbers.status();
    const auto [found, added] = indices.emplace(row[filter_at], filters.size());
    if (added) filters.push_back({row[filter_at], row[setting_at], {}});
    filters[found->second].rounds.push_back(*numbers);
  }
  return filters;
}

absl::Status Check(const FilterRuns& filter, const FilterRuns& base,
                   const std::string& none) {
  if (filter.Sum("found") > 0) {
    return absl::InternalError(
        absl::StrCat("db_bench, '", filter.name, "': a missing key was found"));
  }
  if (filter.name != none && filter.Sum("useful") == 0) {
    return absl::InternalError(
        absl::StrCat("db_bench, '", filter.name,
                     "': the filter was not used: it skipped no table"));
  }
  if (filter.rounds.size() != base.rounds.size()) {
    return absl::InternalError(absl::StrCat(
        "db_bench, '", filter.name, "': ", filter.rounds.size(),
        " rounds, but ", base.rounds.size(), " of '", base.name, "'"));
  }
  return absl::OkStatus();
}

void AddSpread(const Spread& spread, std::vector<std::string>* row) {
  for (double number : {spread.median, spread.lower, spread.upper}) {
    row->push_back(TsvNumber(number));
  }
}

}  // namespace

absl::StatusOr<TsvTable> SummarizeDbBench(const TsvTable& runs,
                                          const std::string& base,
                                          const std::string& none) {
  const auto filters = ByFilter(runs);
  if (!filters.ok()) return filters.status();
  const FilterRuns* base_runs = nullptr;
  for (const FilterRuns& filter : *filters) {
    if (filter.name == base) base_runs = &filter;
  }
  if (base_runs == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are no runs of db_bench with the filter '", base, "'"));
  }
  TsvTable table;
  table.columns = {"setting",         "filter",          "ops_per_s",
                   "ops_per_s_lower", "ops_per_s_upper", "ratio",
                   "ratio_lower",     "ratio_upper",     "checks",
                   "false_positives", "fill_ops_per_s"};
  for (const FilterRuns& filter : *filters) {
    const absl::Status status = Check(filter, *base_runs, none);
    if (!status.ok()) return status;
    std::vector<std::string> row = {filter.setting, filter.name};
    AddSpread(SpreadOf(filter.All("ops_per_s")), &row);
    AddSpread(
        SpreadOfRatios(filter.All("ops_per_s"), base_runs->All("ops_per_s")),
        &row);
    const double reads = filter.Sum("reads");
    const double positives = filter.Sum("positive");
    row.push_back(TsvNumber((filter.Sum("useful") + positives) / reads));
    row.push_back(TsvNumber(1000 * positives / reads));
    row.push_back(TsvNumber(filter.rounds[0].at("fill_ops_per_s")));
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace oneline
