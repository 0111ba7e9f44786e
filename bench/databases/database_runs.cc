#include "bench/databases/database_runs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/comparison/comparison.h"
#include "bench/comparison/comparison_table.h"
#include "bench/databases/database_filters.h"
#include "bench/databases/leveldb_database.h"
#include "bench/databases/rocksdb_database.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;

// Loading is not timed here, so two databases are loaded at once.
constexpr size_t kLoadingThreads = 2;

// Sizes of filters may differ from that of the base by this share.
constexpr double kMemoryTolerance = 0.05;

// Timing a call makes it 5 % slower, so only one in four is timed.
constexpr size_t kLatencyShare = 4;

struct NamedWorkload {
  const char* name;
  Operation operation;
  size_t absent_in_ten;
  // Does 1 / share of Effort::lookups. The share is smaller from disk, where a
  // lookup that reads takes a hundred times as long.
  // 0: it is not measured from disk.
  size_t share_in_cache;
  size_t share_from_disk;
  size_t threads = 1;
};
constexpr NamedWorkload kWorkloads[] = {
    {"absent", Operation::kGet, 10, 1, 1},
    {"90% absent", Operation::kGet, 9, 1, 4},
    {"half absent", Operation::kGet, 5, 1, 8},
    {"10% absent", Operation::kGet, 1, 1, 16},
    {"present", Operation::kGet, 0, 1, 16},
    {"MultiGet absent", Operation::kMultiGet, 10, 1, 1},
    // Whether threads that look up in the same tables wait for each other.
    {"absent, 2 threads", Operation::kGet, 10, 1, 0, 2},
    {"MultiGet absent, 2 threads", Operation::kMultiGet, 10, 1, 0, 2},
    {"prefix absent", Operation::kSeekPrefix, 10, 2, 2},
    {"prefix present", Operation::kSeekPrefix, 0, 4, 64},
};
// From disk without a filter, where each lookup reads several times.
constexpr size_t kUnfilteredShare = 20;

absl::StatusOr<Databases> MakeDatabases(const Run& run, const DataSet& data,
                                        const Effort& effort,
                                        const std::string& directory) {
  Databases databases;
  const auto folder = [&] {
    return absl::StrCat(directory, "/", databases.size());
  };
  if (run.engine == Engine::kLevelDB) {
    for (const LevelDBFilter& filter : LevelDBFilters(effort.bits_per_key)) {
      databases.push_back(std::make_unique<LevelDBDatabase>(
          filter.name, folder(), filter.policy));
    }
    return databases;
  }
  for (const RocksDBFilter& filter : RocksDBFilters(effort.bits_per_key)) {
    const auto policy = MakePolicy(filter);
    if (!policy.ok()) return policy.status();
    databases.push_back(std::make_unique<RocksDBDatabase>(
        filter.name,
        RocksDBDatabase::Settings{folder(), *policy, data.prefix_bytes}));
  }
  return databases;
}

absl::Status RemoveFiles(const std::string& directory) {
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory, error)) {
    std::filesystem::remove_all(entry.path(), error);
  }
  if (!error) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("cannot empty ", directory, ": ", error.message()));
}

absl::Status CheckSameMemory(const Databases& databases) {
  double base = 0;
  for (const auto& database : databases) {
    if (database->name() == kBaseFilter) base = database->filter_bits_per_key();
  }
  for (const auto& database : databases) {
    const double bits = database->filter_bits_per_key();
    if (database->has_filter() &&
        std::abs(bits - base) > kMemoryTolerance * base) {
      return absl::InternalError(absl::StrFormat(
          "database '%s': filters have %.2f bits per record, but %.2f in '%s': "
          "the comparison would not be fair",
          database->name(), bits, base, kBaseFilter));
    }
  }
  return absl::OkStatus();
}

uint64_t BytesOf(const Records& records) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    bytes += records.key(i).size() + records.value(i).size();
  }
  return bytes;
}

Reads ReadsInCache(const Records& records) {
  Reads reads;
  // Enough for all blocks in every shard of the cache, with their overhead.
  reads.block_cache_bytes = 3 * BytesOf(records) + (size_t{64} << 20);
  reads.warm = true;
  return reads;
}

Reads ReadsFromDisk(const Records& records) {
  Reads reads;
  reads.block_cache_bytes = BytesOf(records) / 100;
  reads.direct = true;
  return reads;
}

Setting SettingOf(const Run& run, const DataSet& data) {
  Setting setting;
  setting.store = run.engine == Engine::kLevelDB ? "LevelDB" : "RocksDB";
  setting.keys = data.keys;
  setting.value_bytes = data.value_bytes;
  setting.records = absl::StrCat(data.records->size());
  return setting;
}

// A workload in the databases of a run, and what it took so far.
struct Comparison {
  const NamedWorkload* named = nullptr;
  Workload workload;
  std::vector<Measured> measured;  // of each database
};

Comparison NewComparison(const NamedWorkload& named, bool disk,
                         const DataSet& data, const Effort& effort,
                         size_t databases, uint64_t seed) {
  const size_t count = std::max<size_t>(
      effort.lookups / (disk ? named.share_from_disk : named.share_in_cache),
      2 * kKeysAtOnce);
  const auto make =
      named.operation == Operation::kSeekPrefix ? &PrefixLookups : &KeyLookups;
  Comparison comparison;
  comparison.named = &named;
  comparison.workload.operation = named.operation;
  comparison.workload.lookups =
      make(data, named.absent_in_ten, count * effort.rounds, seed);
  comparison.workload.rounds = effort.rounds;
  comparison.workload.unfiltered_share = disk ? kUnfilteredShare : 1;
  comparison.workload.latency_share = kLatencyShare;
  comparison.workload.threads = named.threads;
  comparison.measured.resize(databases);
  return comparison;
}

std::vector<Comparison> ComparisonsOf(const Run& run, bool disk,
                                      const DataSet& data, const Effort& effort,
                                      size_t databases) {
  std::vector<Comparison> comparisons;
  for (const NamedWorkload& named : kWorkloads) {
    const bool has_prefixes = data.prefix_bytes != 0;
    if (named.operation == Operation::kSeekPrefix && !has_prefixes) continue;
    if (disk && named.share_from_disk == 0) continue;
    if (run.engine == Engine::kLevelDB &&
        (named.operation != Operation::kGet || named.threads > 1)) {
      continue;
    }
    comparisons.push_back(NewComparison(named, disk, data, effort, databases,
                                        kSeed + comparisons.size()));
  }
  return comparisons;
}

// All databases are opened anew for each round, in another order. Where the
// memory of a database happens to lie makes a difference of up to 7 % in its
// lookups, and that depends on when it was opened. With reads from disk
// RocksDB is opened for each workload, too, so that none finds its blocks in
// the cache; LevelDB would read the whole database for it.
absl::Status RunRounds(const Run& run, const Reads& reads, const Effort& effort,
                       const Databases& databases, Progress* progress,
                       std::vector<Comparison>* comparisons) {
  for (size_t round = 0; round < effort.rounds; ++round) {
    for (Comparison& comparison : *comparisons) {
      absl::Status status;
      const bool is_first = &comparison == &comparisons->front();
      if (is_first || (!reads.warm && run.engine == Engine::kRocksDB)) {
        status = OpenAll(reads, round, databases);
      }
      if (status.ok()) status = CheckSameMemory(databases);
      if (status.ok()) {
        status = CompareRound(comparison.workload, round, databases, progress,
                              &comparison.measured);
      }
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CompareReads(const Run& run, bool disk, Setting setting,
                          const DataSet& data, const Effort& effort,
                          const Databases& databases, Progress* progress,
                          std::string* rows) {
  setting.reads = disk ? "disk" : "cache";
  std::vector<Comparison> comparisons =
      ComparisonsOf(run, disk, data, effort, databases.size());
  size_t lookups = 0;
  for (const Comparison& comparison : comparisons) {
    lookups += comparison.workload.lookups.size();
  }
  progress->Begin(absl::StrCat(setting.store, ", ", setting.keys,
                               " keys, blocks from ", setting.reads),
                  databases.size() * lookups);
  const absl::Status status = RunRounds(
      run, disk ? ReadsFromDisk(*data.records) : ReadsInCache(*data.records),
      effort, databases, progress, &comparisons);
  if (!status.ok()) return status;
  progress->End();
  for (Comparison& comparison : comparisons) {
    const NamedWorkload& named = *comparison.named;
    if (named.absent_in_ten > 0 || named.operation != Operation::kSeekPrefix) {
      const absl::Status used =
          CheckFiltersUsed(databases, comparison.measured);
      if (!used.ok()) return used;
    }
    setting.workload = named.name;
    PrintLookups(setting, databases, std::move(comparison.measured),
                 kBaseFilter, rows);
  }
  return absl::OkStatus();
}

}  // namespace

size_t AbsentKeysNeeded(const Effort& effort) {
  return effort.lookups * effort.rounds;
}

absl::Status CompareLookups(const Run& run, const DataSet& data,
                            const Effort& effort, const std::string& directory,
                            Progress* progress, std::string* rows) {
  auto databases = MakeDatabases(run, data, effort, directory);
  if (!databases.ok()) return databases.status();
  const LoadPlan plan = PlanLoad(run.tree, data.records->size(), kSeed);
  const Setting setting = SettingOf(run, data);
  progress->Begin(absl::StrCat("loading ", databases->size(), " ",
                               setting.store, " databases of ", setting.records,
                               " ", setting.keys, " keys"),
                  databases->size() * plan.entries_written());
  absl::Status status =
      LoadAll(*data.records, plan, *databases, kLoadingThreads, progress);
  progress->End();
  for (const bool disk : {false, true}) {
    if (!status.ok()) return status;
    if (!(disk ? run.from_disk : run.in_cache)) continue;
    status = CompareReads(run, disk, setting, data, effort, *databases,
                          progress, rows);
  }
  databases->clear();
  status.Update(RemoveFiles(directory));
  return status;
}

absl::Status CompareWrites(const Run& run, Arrival arrival, const DataSet& data,
                           const Effort& effort, const std::string& directory,
                           Progress* progress, std::string* rows) {
  const LoadPlan plan =
      PlanLoad(run.tree, data.records->size(), kSeed, arrival);
  Setting setting = SettingOf(run, data);
  setting.workload = arrival == Arrival::kSorted ? "sorted" : "random order";
  const size_t rounds = 2 * effort.rounds + 1;
  std::vector<WriteCosts> costs;
  for (size_t round = 0; round < rounds; ++round) {
    const auto databases = MakeDatabases(run, data, effort, directory);
    if (!databases.ok()) return databases.status();
    costs.resize(databases->size());
    if (round == 0) {
      progress->Begin(
          absl::StrCat("writing ", databases->size(), " ", setting.store,
                       " databases of ", setting.records, " records, ",
                       setting.workload),
          databases->size() * rounds * plan.entries_written());
    }
    for (size_t turn = 0; turn < databases->size(); ++turn) {
      const size_t i = (turn + round) % databases->size();
      Database& database = *(*databases)[i];
      const auto cost = database.Load(*data.records, plan, progress);
      if (!cost.ok()) return cost.status();
      costs[i].name = database.name();
      costs[i].rounds.push_back(*cost);
    }
    absl::Status status = OpenAll(Reads{}, 0, *databases);
    if (!status.ok()) return status;
    for (size_t i = 0; i < databases->size(); ++i) {
      costs[i].filter_bits = (*databases)[i]->filter_bits_per_key();
      (*databases)[i]->Close();
    }
    status = RemoveFiles(directory);
    if (!status.ok()) return status;
  }
  progress->End();
  PrintWrites(setting, costs, kBaseFilter, rows);
  return absl::OkStatus();
}

}  // namespace oneline
