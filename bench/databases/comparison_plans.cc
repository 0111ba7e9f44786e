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

// Loading is not timed in plans with lookups, so two databases are loaded at
// once.
constexpr size_t kLoadingThreads = 2;

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
  // Does 1 / share of the lookups. The share is smaller from disk, where a
  // lookup that reads takes a hundred times as long. 0: it is not measured from
  // disk.
  size_t share_in_cache, share_from_disk;
  size_t threads = 1;
};
constexpr NamedWorkload kWorkloads[] = {
    {"absent keys", false, 100, 1, 1},
    {"90% absent keys", false, 90, 1, 4},
    {"half absent keys", false, 50, 1, 8},
    {"10% absent keys", false, 10, 1, 16},
    {"present keys", false, 0, 1, 16},
    {"MultiGet of 32 absent keys", true, 100, 1, 1},
    // Whether threads that look up in the same tables wait for each other.
    {"absent keys, 2 threads", false, 100, 1, 0, 2},
    {"MultiGet of 32 absent keys, 2 threads", true, 100, 1, 0, 2},
};

struct Setting {
  const char* name;
  enum Keys { kRandom, kCounters, kPaths } keys;
  double records;  // if the scale is 1
  size_t value_bytes;
  bool in_cache;  // looks up from the cache as well as from disk
  std::optional<Arrival> writes;  // measures this instead of lookups

  FixedTree tree() const {
    return keys == kPaths ? TenfoldTree() : StockTree();
  }
};
constexpr Setting kSettings[] = {
    {"databases large", Setting::kRandom, 8e6, 100, false, {}},
    {"databases random", Setting::kRandom, 1e6, 100, true, {}},
    {"databases 1KB", Setting::kRandom, 2e5, 1000, true, {}},
    {"databases counters", Setting::kCounters, 1e6, 100, true, {}},
    {"databases paths", Setting::kPaths, 1e6, 0, true, {}},
    {"writes random", Setting::kRandom, 3e5, 100, false, Arrival::kRandom},
    {"writes sorted", Setting::kRandom, 5e5, 100, false, Arrival::kSorted},
};

size_t LookupsPerRound(const Effort& effort) {
  return static_cast<size_t>(kLookups * std::sqrt(std::min(effort.scale, 1.0)));
}

DataSet MakeData(const Setting& setting, const Effort& effort) {
  const auto records = static_cast<size_t>(
      std::max(setting.records * effort.scale, kMinRecords));
  const size_t absent = LookupsPerRound(effort) * effort.rounds;
  switch (setting.keys) {
    case Setting::kCounters:
      return CounterDataSet(records, setting.value_bytes, absent);
    case Setting::kPaths:
      return PathDataSet(effort.paths, records, absent);
    case Setting::kRandom:
      break;
  }
  return RandomDataSet(records, setting.value_bytes, absent);
}

// In the names of cases.
std::string DataText(const Setting& setting, const DataSet& data) {
  switch (setting.keys) {
    case Setting::kCounters:
      return "counters";
    case Setting::kPaths:
      return "paths";
    case Setting::kRandom:
      break;
  }
  return setting.value_bytes == 1000 ? "values of 1 KB"
                                     : RecordsText(data.records->size());
}

Databases MakeDatabases(const Effort& effort) {
  Databases databases;
  for (const Filter& filter : ComparedFilters(kBitsPerKey)) {
    const std::string path =
        absl::StrCat(effort.directory, "/", databases.size());
    std::filesystem::remove_all(path);
    databases.push_back(
        std::make_unique<Database>(path, filter, PlannedOptions()));
  }
  return databases;
}

void CheckSameMemory(const Databases& databases) {
  double base = 0;
  for (const auto& database : databases) {
    if (database->name() == kBaseFilter) base = database->bits_per_key();
  }
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

struct Measurement {
  std::string of;
  size_t absent_percent;
  Workload workload;
  std::vector<Measured> measured;
};

std::vector<Measurement> MeasurementsOf(const Setting& setting, bool disk,
                                        const DataSet& data,
                                        const Effort& effort,
                                        size_t databases) {
  std::vector<Measurement> all;
  for (const NamedWorkload& named : kWorkloads) {
    const size_t share = disk ? named.share_from_disk : named.share_in_cache;
    if (share == 0) continue;
    Measurement one;
    one.of = absl::StrCat(named.name, disk ? " from disk, " : " in the cache, ",
                          DataText(setting, data));
    one.absent_percent = named.absent_percent;
    one.workload.multi_get = named.multi_get;
    one.workload.rounds = effort.rounds;
    const size_t count = std::max(LookupsPerRound(effort) / share, kMinLookups);
    one.workload.lookups = Lookups(data, named.absent_percent,
                                   count * effort.rounds, kSeed + all.size());
    one.workload.unfiltered_share = disk ? kUnfilteredShare : 1;
    one.workload.latency_share = named.threads > 1 ? 0 : kLatencyShare;
    one.workload.threads = named.threads;
    one.measured.resize(databases);
    all.push_back(std::move(one));
  }
  return all;
}

// All databases are opened anew for each round, in another order. Where the
// memory of a database happens to lie makes a difference of up to 7 % in its
// lookups, and that depends on when it was opened. With reads from disk they
// are opened for each workload, too, so that none finds its blocks in the
// cache.
void RunRounds(const Reads& reads, const Effort& effort,
               const Databases& databases,
               std::vector<Measurement>* measurements) {
  for (size_t round = 0; round < effort.rounds; ++round) {
    for (Measurement& one : *measurements) {
      if (&one == &measurements->front() || !reads.warm) {
        OpenAll(reads, round, databases);
        CheckSameMemory(databases);
      }
      CompareRound(one.workload, round, databases, effort.progress,
                   &one.measured);
    }
  }
}

// The nanoseconds of a thread for one lookup, for the table of threads.
void PrintThreads(const Measurement& one, const Databases& databases) {
  const std::string call = one.workload.multi_get ? "MultiGet" : "Get";
  for (size_t i = 0; i < databases.size(); ++i) {
    for (const double micros : one.measured[i].wall_micros) {
      const size_t threads = one.workload.threads;
      PrintResult(call + ", absent keys", databases[i]->name(),
                  threads == 1 ? "ns alone" : "ns of 2 threads",
                  1000 * micros * static_cast<double>(threads));
    }
  }
}

void CompareReads(const Setting& setting, bool disk, const DataSet& data,
                  const Effort& effort, const Databases& databases) {
  std::vector<Measurement> measurements =
      MeasurementsOf(setting, disk, data, effort, databases.size());
  size_t lookups = 0;
  for (const Measurement& one : measurements) {
    lookups += one.workload.lookups.size();
  }
  effort.progress->Begin(
      absl::StrCat(setting.name, disk ? ", from disk" : ", in the cache"),
      databases.size() * lookups);
  RunRounds(ReadsOf(disk, *data.records), effort, databases, &measurements);
  effort.progress->End();
  for (Measurement& one : measurements) {
    CheckFiltersUsed(databases, one.measured);
    if (!disk && one.absent_percent == 100 &&
        setting.name == std::string("databases random")) {
      PrintThreads(one, databases);
    }
    PrintLookups(one.of, databases, std::move(one.measured));
  }
}

void CompareLookups(const Setting& setting, const Effort& effort) {
  const DataSet data = MakeData(setting, effort);
  const Databases databases = MakeDatabases(effort);
  const LoadPlan plan = PlanLoad(setting.tree(), data.records->size(), kSeed);
  effort.progress->Begin(
      absl::StrCat(setting.name, ": loading ", databases.size(), " databases"),
      databases.size() * plan.entries_written());
  LoadAll(*data.records, plan, databases, kLoadingThreads, effort.progress);
  effort.progress->End();
  if (setting.in_cache) CompareReads(setting, false, data, effort, databases);
  CompareReads(setting, true, data, effort, databases);
}

// Each round loads the databases again, one at a time. There are more rounds,
// because the differences are a few percent.
void CompareWrites(const Setting& setting, const Effort& effort) {
  const DataSet data = MakeData(setting, effort);
  const LoadPlan plan =
      PlanLoad(setting.tree(), data.records->size(), kSeed, *setting.writes);
  const size_t rounds = 2 * effort.rounds + 1;
  effort.progress->Begin(setting.name, ComparedFilters(kBitsPerKey).size() *
                                           rounds * plan.entries_written());
  const std::string of = absl::StrCat(
      ", ", RecordsText(data.records->size()),
      *setting.writes == Arrival::kSorted ? ", sorted" : " in random order");
  for (size_t round = 0; round < rounds; ++round) {
    const Databases databases = MakeDatabases(effort);
    for (size_t turn = 0; turn < databases.size(); ++turn) {
      Database& database = *databases[(turn + round) % databases.size()];
      const WriteCost cost =
          database.Load(*data.records, plan, effort.progress);
      const auto print = [&](const char* what, double seconds) {
        PrintResult(what + of, database.name(), "s", seconds);
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
    plans.push_back(
        {setting.name, [&setting](const Effort& effort) {
           if (setting.keys == Setting::kPaths && effort.paths == nullptr) {
             return;
           }
           setting.writes.has_value() ? CompareWrites(setting, effort)
                                      : CompareLookups(setting, effort);
         }});
  }
  return plans;
}

}  // namespace oneline
