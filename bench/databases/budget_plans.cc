#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "bench/databases/comparison.h"
#include "bench/databases/plans.h"
#include "bench/filters/filter_candidates.h"
#include "bench/keys/data_set.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kValueBytes = 100;
// If the scale is 1. RocksDB's Ribbon policy writes Bloom filters for few keys.
constexpr double kRecords = 4e6, kMinRecords = 3e5;
// That are counted, and as many before that fill the cache.
constexpr double kLookups = 50000, kMinLookups = 1000;
constexpr size_t kLatencyShare = 4;

std::vector<Filter> Filters() {
  const auto ours = [](const std::string& options) {
    return "{id=oneline;hash_seed=1;" + options + "}";
  };
  const std::string bloom = "bloomfilter:10:false";
  return {{kBaseFilter, bloom},
          {"none in the last level", bloom, true, true},
          {"RocksDB's Ribbon", "ribbonfilter:10:-1"},
          {"uniform", ours("bits_by_level=false")},
          {"oneline", ours("")},
          {"hits", ours("hits=0.9")},
          {"hits=1", ours("hits=1"), false, true},
          {"RocksDB's Bloom, again", bloom}};
}

Databases MakeBottomHeavy(const Effort& effort, const DataSet& data,
                          const std::vector<Filter>& filters) {
  const size_t records = data.records->size();
  const LoadPlan plan = PlanLoad(BottomHeavyTree(records), records, kSeed);
  rocksdb::Options options = PlannedOptions();
  options.level_compaction_dynamic_level_bytes = true;
  effort.progress->Begin("loading", plan.entries_written());
  return MakeDatabases(effort.directory, filters, options, {}, *data.records,
                       plan, effort.progress);
}

DataSet Data(const Effort& effort) {
  const auto records =
      static_cast<size_t>(std::max(kRecords * effort.scale, kMinRecords));
  return RandomDataSet(records, kValueBytes, records);
}

void RunBudget(const Effort& effort) {
  const auto lookups =
      2 * static_cast<size_t>(std::max(kLookups * effort.scale, kMinLookups));
  const DataSet data = Data(effort);
  const Databases databases = MakeBottomHeavy(effort, data, Filters());
  Workload workload;
  workload.turns = 2;
  workload.fills_cache = true;
  workload.latency_share = kLatencyShare;
  workload.lookups = Lookups(data, 10, lookups, kSeed, KeyLaw::kZipf);
  for (const uint64_t part : {10, 30, 100}) {
    workload.name = absl::StrCat("Zipf, full filters, 90% hits, 1/", part);
    Reads reads;
    reads.block_cache_bytes = databases.front()->data_bytes() / part;
    reads.direct = true;
    reads.filters_in_cache = true;
    effort.progress->Begin(workload.name, databases.size() * lookups);
    PrintLookups(
        workload.name, databases,
        Compare(reads, {workload}, 1, databases, effort.progress).front());
  }
  effort.progress->End();
}

// Each kind in about as much memory, or as few false positives.
std::vector<Filter> KindsOfFilters() {
  std::vector<Filter> all = {
      {kBaseFilter, "bloomfilter:10:false"},
      {"RocksDB's Bloom, again", "bloomfilter:10:false"},
      {"RocksDB's Ribbon",
       absl::StrCat("ribbonfilter:", BloomBitsOfRibbon(10), ":-1")},
      {"ours", "{id=oneline;hash_seed=1;bits_by_level=false}"}};
  for (Filter& filter : AdaptedFilters()) all.push_back(std::move(filter));
  return all;
}

void RunKinds(const Effort& effort) {
  const auto lookups =
      static_cast<size_t>(std::max(4 * kLookups * effort.scale, kMinLookups));
  const DataSet data = Data(effort);
  const Databases databases = MakeBottomHeavy(effort, data, KindsOfFilters());
  Reads reads;
  reads.block_cache_bytes = databases.front()->data_bytes();
  effort.progress->Begin("kinds", 3 * databases.size() * lookups);
  for (const int absent : {100, 50, 10}) {
    Workload workload;
    workload.name = absl::StrCat(absent, "% absent");
    workload.lookups = Lookups(data, absent, lookups, kSeed);
    PrintLookups(
        workload.name, databases,
        Compare(reads, {workload}, 1, databases, effort.progress).front());
  }
  effort.progress->End();
}

// With the same bits in all levels, and by level.
std::vector<Filter> FiltersOf(int bits) {
  const auto ours = [&](const char* options) {
    return absl::StrCat("{id=oneline;bits_per_key=", bits, ";", options, "}");
  };
  return {{kBaseFilter, absl::StrCat("bloomfilter:", bits, ":false")},
          {"RocksDB's Bloom, by level", ours("kind=rocksdb_bloom")},
          {"RocksDB's Ribbon",
           absl::StrCat("ribbonfilter:", BloomBitsOfRibbon(bits), ":-1")},
          {"RocksDB's Ribbon, by level", ours("kind=rocksdb_ribbon")},
          {"ours", ours("hash_seed=1;bits_by_level=false")},
          {"ours, by level", ours("hash_seed=1")}};
}

void RunMemory(const Effort& effort) {
  const auto lookups =
      static_cast<size_t>(std::max(8 * kLookups * effort.scale, kMinLookups));
  const DataSet data = Data(effort);
  for (const int bits : {6, 8, 10, 12, 14}) {
    Effort one = effort;
    one.directory = absl::StrCat(effort.directory, "/", bits);
    std::filesystem::create_directory(one.directory);
    const Databases databases = MakeBottomHeavy(one, data, FiltersOf(bits));
    Reads reads;
    reads.block_cache_bytes = databases.front()->data_bytes();
    Workload workload;
    workload.name = absl::StrCat(bits, " bits per key");
    workload.lookups = Lookups(data, 100, lookups, kSeed);
    effort.progress->Begin(workload.name, databases.size() * lookups);
    PrintLookups(
        workload.name, databases,
        Compare(reads, {workload}, 1, databases, effort.progress).front());
    effort.progress->End();
    std::filesystem::remove_all(one.directory);
  }
}

}  // namespace

Plan BudgetPlan() { return {"budget", &RunBudget}; }

Plan KindsPlan() { return {"kinds", &RunKinds}; }

Plan MemoryPlan() { return {"kinds by memory", &RunMemory}; }

}  // namespace oneline
