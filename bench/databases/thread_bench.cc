// Lookups in RocksDB databases that differ only in the filter, on one thread
// and on two: whether threads that look up in the same tables wait for each
// other. All blocks are in the block cache. The names of benchmarks are
//   what / absent or present keys / records, blocks from the cache / filter
// where "what" is Get or MultiGet, of 32.
//
// Usage: bench/report/run_benchmarks.sh bench/databases/thread_bench [RECORDS]
//   RECORDS   20000 to 10000000; default 1000000
//
// Ends with an error if an answer is wrong or a filter was not used.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/comparison/comparison.h"
#include "bench/comparison/fixed_tree.h"
#include "bench/databases/database_filters.h"
#include "bench/databases/rocksdb_database.h"
#include "bench/keys/data_set.h"
#include "bench/measure/scratch_directory.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

constexpr double kBitsPerKey = 10;
constexpr uint64_t kSeed = 1;
constexpr size_t kLookups = 64 * 1024;  // different ones

absl::Status LoadAndOpen(const DataSet& data, RocksDBDatabase* database) {
  Progress quiet(stderr, 0);
  const LoadPlan plan = PlanLoad(StockTree(), data.records->size(), kSeed);
  const auto cost = database->Load(*data.records, plan, &quiet);
  if (!cost.ok()) return cost.status();
  Reads reads;
  reads.block_cache_bytes = data.records->size() * 400 + (size_t{64} << 20);
  reads.warm = true;
  return database->OpenForLookups(reads);
}

// Each thread goes through all lookups, from a place of its own.
void LookUp(benchmark::State& state, const std::vector<Lookup>& lookups,
            size_t keys, RocksDBDatabase* database) {
  size_t i = static_cast<size_t>(state.thread_index()) * kLookups / 2;
  while (state.KeepRunningBatch(static_cast<int64_t>(keys))) {
    const Lookup* const next = &lookups[i % kLookups];
    const absl::Status status =
        keys == 1 ? database->Get(*next) : database->MultiGet(next, keys);
    if (!status.ok()) {
      state.SkipWithError(std::string(status.message()).c_str());
      return;
    }
    i += keys;
  }
  state.SetItemsProcessed(state.iterations());
}

void Register(const DataSet& data, const std::vector<Lookup>& lookups,
              const char* presence, RocksDBDatabase* database) {
  for (const size_t keys : {size_t{1}, kKeysAtOnce}) {
    const std::string name =
        absl::StrCat(keys == 1 ? "Get/" : "MultiGet/", presence, " keys/",
                     data.records->size(), " records, blocks from the cache/",
                     database->name());
    benchmark::RegisterBenchmark(name.c_str(), &LookUp, lookups, keys, database)
        ->UseRealTime()
        ->Threads(1)
        ->Threads(2);
  }
}

absl::Status Run(size_t num_records, const std::string& directory) {
  const DataSet data = RandomDataSet(num_records, 100, kLookups);
  std::vector<std::unique_ptr<RocksDBDatabase>> databases;
  for (const RocksDBFilter& filter : RocksDBFilters(kBitsPerKey)) {
    const auto policy = MakePolicy(filter);
    if (!policy.ok()) return policy.status();
    databases.push_back(std::make_unique<RocksDBDatabase>(
        filter.name, RocksDBDatabase::Settings{
                         absl::StrCat(directory, "/", databases.size()),
                         *policy, data.prefix_bytes}));
    const absl::Status status = LoadAndOpen(data, databases.back().get());
    if (!status.ok()) return status;
    Register(data, KeyLookups(data, Presence::kAbsent, kLookups, kSeed),
             "absent", databases.back().get());
    Register(data, KeyLookups(data, Presence::kPresent, kLookups, kSeed),
             "present", databases.back().get());
  }
  benchmark::RunSpecifiedBenchmarks();
  for (const auto& database : databases) {
    const LookupCounts counts = database->TakeCounts();
    if (database->has_filter() && counts.checks > 0 && counts.skipped == 0) {
      return absl::InternalError(
          absl::StrCat("the filter of '", database->name(), "' was not used"));
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const long records = argc == 2 ? std::atol(argv[1]) : 1000000;
  if (argc > 2 || records < 20000 || records > 10000000) {
    absl::FPrintF(stderr, "usage: thread_bench [--benchmark_...] [RECORDS]\n");
    return 2;
  }
  return oneline::RunInScratchDirectory(
      "oneline-threads", [&](const std::string& directory) {
        const absl::Status status =
            oneline::Run(static_cast<size_t>(records), directory);
        if (status.ok()) return 0;
        absl::FPrintF(stderr, "error: %s\n", status.message());
        return 1;
      });
}
