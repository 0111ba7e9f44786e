#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/databases/database.h"
#include "bench/databases/plans.h"
#include "bench/keys/data_set.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kValueBytes = 100;
// If the scale is 1. RocksDB's Ribbon policy writes Bloom filters for few keys.
constexpr double kRecords = 4e6, kMinRecords = 3e5;
// That are counted, and as many before that fill the cache.
constexpr double kLookups = 50000, kMinLookups = 1000;

struct Candidate {
  Filter filter;
  size_t hit_percent = 0;  // for which it is; 0: for all
};

std::vector<Candidate> Candidates() {
  const auto ours = [](const std::string& options) {
    return "{id=oneline;hash_seed=1;" + options + "}";
  };
  const std::string bloom = "bloomfilter:10:false";
  return {{{kBaseFilter, bloom}},
          {{"none in the last level", bloom, true, true}},
          {{"RocksDB's Ribbon", "ribbonfilter:10:-1"}},
          {{"uniform", ours("bits_by_level=false")}},
          {{"oneline", ours("")}},
          {{"hits", ours("hits=0.5")}, 50},
          {{"hits", ours("hits=0.9")}, 90},
          {{"hits", ours("hits=0.99")}, 99},
          {{"hits=1", ours("hits=1"), false, true}},
          {{"RocksDB's Bloom, again", bloom}}};
}

// A row: what is looked up, and with how much memory.
struct Setting {
  KeyLaw law;
  size_t hit_percent;
  uint64_t part;  // the budget is that part of the data
  std::string name;
};

std::vector<Setting> Settings(const std::string& filters,
                              const std::string& only) {
  std::vector<Setting> settings;
  for (const KeyLaw law : {KeyLaw::kUniform, KeyLaw::kZipf}) {
    for (const size_t hit_percent : {0, 50, 90, 99}) {
      for (const uint64_t part : {4, 10, 30, 100}) {
        const std::string name =
            absl::StrFormat("%s, %s filters, %d%% hits, 1/%d",
                            law == KeyLaw::kZipf ? "Zipf" : "uniform", filters,
                            hit_percent, part);
        if (!absl::StrContains(name, only)) continue;
        settings.push_back({law, hit_percent, part, name});
      }
    }
  }
  return settings;
}

void PrintTimes(const std::string& of, const std::string& filter,
                const char* which, std::vector<float> micros) {
  if (micros.empty()) return;
  for (const double percent : {50, 99}) {
    PrintResult(of, filter, absl::StrCat("p", percent, " ", which, ", us"),
                Percentile(percent / 100, &micros));
  }
}

// Half of the lookups fill the cache.
void LookUp(const Setting& setting, const std::vector<Lookup>& lookups,
            bool times, Database* database) {
  const size_t half = lookups.size() / 2;
  for (size_t i = 0; i < half; ++i) database->Get(lookups[i]);
  database->TakeCounts();
  std::vector<float> present, absent;
  const double begun = SecondsOf(CLOCK_MONOTONIC);
  double before = begun;
  for (size_t i = half; i < lookups.size(); ++i) {
    database->Get(lookups[i]);
    const double after = SecondsOf(CLOCK_MONOTONIC);
    (lookups[i].value.has_value() ? present : absent)
        .push_back(static_cast<float>(1e6 * (after - before)));
    before = after;
  }
  const LookupCounts counts = database->TakeCounts();
  if (!absent.empty() && counts.skipped == 0) {
    Fail(setting.name + ": the filters were not used");
  }
  const auto print = [&](const char* quantity, double value) {
    PrintResult(setting.name, database->name(), quantity, value);
  };
  const auto count = static_cast<double>(lookups.size() - half);
  print("blocks", 1000 * static_cast<double>(counts.cached_blocks) / count);
  print("data blocks", 1000 * static_cast<double>(counts.data_blocks) / count);
  print("wasted", 1000 * static_cast<double>(counts.false_positives()) / count);
  print("bits per key", database->bits_per_key());
  if (!times) return;
  print("lookups/s", count / (before - begun));
  PrintTimes(setting.name, database->name(), "present", std::move(present));
  PrintTimes(setting.name, database->name(), "absent", std::move(absent));
}

void Run(bool is_partitioned, const std::vector<Setting>& settings,
         const Effort& effort) {
  const auto records =
      static_cast<size_t>(std::max(kRecords * effort.scale, kMinRecords));
  const auto lookups =
      2 * static_cast<size_t>(std::max(kLookups * effort.scale, kMinLookups));
  const DataSet data = RandomDataSet(records, kValueBytes, records);
  const LoadPlan plan =
      PlanLoad(BottomHeavyTree(records), records, kSeed, Arrival::kSorted);
  rocksdb::Options options = PlannedOptions();
  options.level_compaction_dynamic_level_bytes = true;
  rocksdb::BlockBasedTableOptions table;
  table.partition_filters = is_partitioned;
  if (is_partitioned) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  }
  Database base(effort.directory + "/base", Candidates()[0].filter, options,
                table);
  effort.progress->Begin("budget: loading", plan.entries_written());
  base.Load(*data.records, plan, effort.progress);
  base.OpenForLookups(Reads());
  effort.progress->Begin("budget", Candidates().size());
  for (const Candidate& candidate : Candidates()) {
    const std::string copy = effort.directory + "/copy";
    base.CopyTo(copy);
    Database database(copy, candidate.filter, options, table);
    database.Refilter();
    for (const Setting& setting : settings) {
      if (candidate.hit_percent != 0 &&
          candidate.hit_percent != setting.hit_percent) {
        continue;
      }
      Reads reads;
      reads.block_cache_bytes = base.data_bytes() / setting.part;
      reads.direct = effort.times;
      reads.filters_in_cache = true;
      database.OpenForLookups(reads);
      if (database.tables() != base.tables()) Fail("the trees differ");
      LookUp(
          setting,
          Lookups(data, 100 - setting.hit_percent, lookups, kSeed, setting.law),
          effort.times, &database);
    }
    database.Close();
    std::filesystem::remove_all(copy);
    effort.progress->Advance(1);
  }
  effort.progress->End();
}

}  // namespace

std::vector<Plan> BudgetPlans() {
  std::vector<Plan> plans;
  for (const bool is_partitioned : {false, true}) {
    const std::string filters = is_partitioned ? "partitioned" : "full";
    plans.push_back({"budget " + filters, [=](const Effort& effort) {
                       const auto settings = Settings(filters, effort.setting);
                       if (settings.empty()) return;
                       Run(is_partitioned, settings, effort);
                     }});
  }
  return plans;
}

}  // namespace oneline
