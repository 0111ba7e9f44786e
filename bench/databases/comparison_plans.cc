#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/databases/comparison.h"
#include "bench/databases/plans.h"
#include "bench/keys/data_set.h"
#include "bench/measure/measuring_program.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;
constexpr double kBitsPerKey = 10;
constexpr size_t kValueBytes = 100;

// Sizes of filters may differ from that of the base by this share. With fewer
// records those of small tables differ more.
constexpr double kMemoryTolerance = 0.05;
constexpr double kMinRecords = 20000;

// Of the longest workload in each round, if the scale is 1.
constexpr double kLookups = 20000;
constexpr size_t kMinLookups = 64;

// Timing a call makes it 5 % slower, so only one in four is timed.
constexpr size_t kLatencyShare = 4;

// From disk without a filter, where each lookup reads several times.
constexpr size_t kUnfilteredShare = 20;

struct NamedWorkload {
  const char* name;
  bool multi_get;
  size_t absent_percent;
  // From disk, where a lookup that reads takes a hundred times as long, it does
  // 1 / share of the lookups.
  size_t share_from_disk;
};
constexpr NamedWorkload kWorkloads[] = {
    {"absent keys", false, 100, 1},
    {"90% absent keys", false, 90, 4},
    {"half absent keys", false, 50, 8},
    {"10% absent keys", false, 10, 16},
    {"present keys", false, 0, 16},
    {"MultiGet of 32 absent keys", true, 100, 1},
};

struct Setting {
  const char* name;
  bool is_paths;                  // of the Debian archive; else random keys
  double records;                 // if the scale is 1
  std::optional<Arrival> writes;  // measures this instead of lookups

  FixedTree tree() const { return is_paths ? TenfoldTree() : StockTree(); }
};
constexpr Setting kSettings[] = {
    {"databases random", false, 1e6, {}},
    {"databases paths", true, 1e6, {}},
    {"writes random", false, 3e5, Arrival::kRandom},
    {"writes sorted", false, 5e5, Arrival::kSorted},
};

size_t LookupsPerRound(const Effort& effort) {
  return static_cast<size_t>(kLookups * std::sqrt(std::min(effort.scale, 1.0)));
}

DataSet MakeData(const Setting& setting, const Effort& effort) {
  const auto records = static_cast<size_t>(
      std::max(setting.records * effort.scale, kMinRecords));
  const size_t absent = LookupsPerRound(effort) * effort.rounds;
  return setting.is_paths ? PathDataSet(effort.paths, records, absent)
                          : RandomDataSet(records, kValueBytes, absent);
}

// In the names of cases.
std::string DataText(const Setting& setting, const DataSet& data) {
  return setting.is_paths ? "paths" : RecordsText(data.records->size());
}

void CheckSameMemory(const Databases& databases) {
  const double base = databases.front()->bits_per_key();
  for (const auto& database : databases) {
    const double bits = database->bits_per_key();
    if (database->has_filter() &&
        std::abs(bits - base) > kMemoryTolerance * base) {
      Fail(absl::StrFormat(
          "database '%s': filters have %.2f bits per record, but %.2f in '%s': "
          "the comparison would not be fair",
          database->name(), bits, base, kBaseFilter));
    }
  }
}

Reads ReadsOf(bool disk, const Records& records) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    bytes += records.key(i).size() + records.value(i).size();
  }
  Reads reads;
  // A hundredth; or enough for all blocks in every shard of the cache.
  reads.block_cache_bytes = disk ? bytes / 100 : 3 * bytes + (64 << 20);
  reads.warm = !disk;
  reads.direct = disk;
  return reads;
}

std::vector<Workload> WorkloadsOf(const Setting& setting, bool disk,
                                  const DataSet& data, const Effort& effort) {
  std::vector<Workload> all;
  for (const NamedWorkload& named : kWorkloads) {
    const size_t share = disk ? named.share_from_disk : 1;
    Workload one;
    one.name =
        absl::StrCat(named.name, disk ? " from disk, " : " in the cache, ",
                     DataText(setting, data));
    one.multi_get = named.multi_get;
    const size_t count = std::max(LookupsPerRound(effort) / share, kMinLookups);
    one.lookups = Lookups(data, named.absent_percent, count * effort.rounds,
                          kSeed + all.size());
    one.unfiltered_share = disk ? kUnfilteredShare : 1;
    one.latency_share = kLatencyShare;
    all.push_back(std::move(one));
  }
  return all;
}

void CompareReads(const Setting& setting, bool disk, const DataSet& data,
                  const Effort& effort, const Databases& databases) {
  const std::vector<Workload> workloads =
      WorkloadsOf(setting, disk, data, effort);
  size_t lookups = 0;
  for (const Workload& one : workloads) lookups += one.lookups.size();
  effort.progress->Begin(
      absl::StrCat(setting.name, disk ? ", from disk" : ", in the cache"),
      databases.size() * lookups);
  const auto measured = Compare(ReadsOf(disk, *data.records), workloads,
                                effort.rounds, databases, effort.progress);
  effort.progress->End();
  for (size_t i = 0; i < workloads.size(); ++i) {
    PrintLookups(workloads[i].name, databases, measured[i]);
  }
}

void CompareLookups(const Setting& setting, const Effort& effort) {
  const DataSet data = MakeData(setting, effort);
  const LoadPlan plan = PlanLoad(setting.tree(), data.records->size(), kSeed);
  effort.progress->Begin(absl::StrCat(setting.name, ": loading"),
                         plan.entries_written());
  const Databases databases =
      MakeDatabases(effort.directory, ComparedFilters(kBitsPerKey),
                    PlannedOptions(), {}, *data.records, plan, effort.progress);
  effort.progress->End();
  OpenAll(Reads(), 0, databases);
  CheckSameMemory(databases);
  for (const auto& database : databases) {
    const ElapsedTime took = database->refilter_time();
    if (took.wall_seconds == 0) continue;
    const std::string of = absl::StrCat("Refilter, ", DataText(setting, data));
    PrintResult(of, database->name(), "s", took.wall_seconds);
    PrintResult(of, database->name(), "processor s", took.cpu_seconds);
  }
  for (const bool disk : {false, true}) {
    CompareReads(setting, disk, data, effort, databases);
  }
}

// Each round loads the databases again, one at a time. There are more rounds,
// because the differences are a few percent.
void CompareWrites(const Setting& setting, const Effort& effort) {
  const DataSet data = MakeData(setting, effort);
  const LoadPlan plan =
      PlanLoad(setting.tree(), data.records->size(), kSeed, *setting.writes);
  const size_t rounds = 2 * effort.rounds + 1;
  std::vector<Filter> filters = ComparedFilters(kBitsPerKey);
  for (Filter& filter : AdaptedFilters()) filters.push_back(std::move(filter));
  effort.progress->Begin(setting.name,
                         filters.size() * rounds * plan.entries_written());
  const std::string of = absl::StrCat(
      ", ", RecordsText(data.records->size()),
      *setting.writes == Arrival::kSorted ? ", sorted" : " in random order");
  for (size_t round = 0; round < rounds; ++round) {
    Databases databases;
    for (size_t turn = 0; turn < filters.size(); ++turn) {
      const std::string path = absl::StrCat(effort.directory, "/", turn);
      std::filesystem::remove_all(path);
      databases.push_back(std::make_unique<Database>(
          path, filters[(turn + round) % filters.size()], PlannedOptions()));
      const WriteCost cost =
          databases.back()->Load(*data.records, plan, effort.progress);
      const auto print = [&](const char* what, double seconds) {
        PrintResult(what + of, databases.back()->name(), "s", seconds);
      };
      print("filling", cost.flushes.wall_seconds);
      print("compactions", cost.compactions.wall_seconds);
      print("CPU time of writing",
            cost.flushes.cpu_seconds + cost.compactions.cpu_seconds);
    }
    OpenAll(Reads(), 0, databases);
  }
  effort.progress->End();
}

}  // namespace

std::string RecordsText(size_t records) {
  return records % 1000000 == 0
             ? absl::StrCat(records / 1000000, " million records")
             : WithCommas(records) + " records";
}

std::vector<Plan> ComparisonPlans() {
  std::vector<Plan> plans;
  for (const Setting& setting : kSettings) {
    plans.push_back({setting.name, [&setting](const Effort& effort) {
                       if (setting.is_paths && effort.paths == nullptr) {
                         return;
                       }
                       setting.writes.has_value()
                           ? CompareWrites(setting, effort)
                           : CompareLookups(setting, effort);
                     }});
  }
  return plans;
}

}  // namespace oneline
