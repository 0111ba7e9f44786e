#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/databases/comparison.h"
#include "bench/databases/plans.h"
#include "bench/filters/filter_candidates.h"
#include "bench/keys/data_set.h"
#include "bench/measure/measuring_program.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kValueBytes = 1000;
// If the scale is 1. RocksDB's Ribbon policy writes Bloom filters for few keys.
constexpr double kRecords = 25e6, kMinRecords = 1e5;
// Databases are opened anew in each round. Their turns that are counted are in
// the order A B B A.
constexpr size_t kRounds = 2, kTurns = 16;
constexpr size_t kMinLookups = 500;
// The most that a cell asks for.
constexpr double kAbsent = kRounds * 2e5;
// Of the base and a copy, to those of the values.
constexpr double kDatabasesBytes = 2.4;
constexpr size_t kLatencyShare = 4;
constexpr size_t kUnfilteredShare = 8;

// In turn with the base.
const Filter kBase = {kBaseFilter, "bloomfilter:10:false"};
struct Other {
  Filter filter;
  bool in_few_cells;  // in those of all filters alone
};
std::vector<Other> Others() {
  return {
      {{"Ribbon by level", "{id=oneline;kind=rocksdb_ribbon}"}, false},
      {{"ours", "{id=oneline;hash_seed=1}"}, false},
      // A copy with the same filters: what differs is chance.
      {{absl::StrCat(kBaseFilter, ", again"), kBase.policy}, true},
      {{"Bloom by level", "{id=oneline;kind=rocksdb_bloom}"}, false},
      {{"no filter", "nullptr"}, true},
      {{"RocksDB's Ribbon",
        absl::StrCat("ribbonfilter:", BloomBitsOfRibbon(10), ":-1")},
       true},
      {{"ours, hits=0.7", "{id=oneline;hash_seed=1;hits=0.7}"}, true},
  };
}

enum class From { kDisk, kPageCache };

struct Cell {
  const char* name;
  size_t absent_percent;
  double lookups;  // in a round, if the scale is 1
  bool of_all_filters;
  KeyLaw law = KeyLaw::kUniform;
  From from = From::kDisk;
  // If the scale is 1.
  double cache_bytes = 2e9;
  bool filters_in_cache = false;
};
// No name begins another, so that a table's row names one cell of all filters.
constexpr Cell kCells[] = {
    {"from disk, 100% absent", 100, 2e5, true},
    {"from disk, none absent", 0, 2e4, false},
    {"from disk, 5% absent", 5, 2e4, false},
    {"from disk, 50% absent", 50, 4e4, false},
    {"from disk, 90% absent", 90, 1e5, false},
    {"Zipf, 30% absent", 30, 3e4, true, KeyLaw::kZipf},
    {"cache of 200 MB with filters, 30% absent", 30, 1e4, true,
     KeyLaw::kUniform, From::kDisk, 2e8, true},
    {"from disk, 30% absent", 30, 3e4, true},
    // The block cache is as small as it may be, so that blocks come from there.
    {"from the page cache, 30% absent", 30, 4e4, true, KeyLaw::kUniform,
     From::kPageCache, 0},
    {"from the page cache, 100% absent", 100, 2e5, true, KeyLaw::kUniform,
     From::kPageCache, 0},
};

Reads ReadsOf(const Cell& cell, double scale) {
  constexpr double kLeastCache = 256 << 10;
  Reads reads;
  reads.block_cache_bytes =
      static_cast<size_t>(std::max(cell.cache_bytes * scale, kLeastCache));
  reads.direct = cell.from == From::kDisk;
  reads.filters_in_cache = cell.filters_in_cache;
  return reads;
}

// Lookups fill a cache that was not filled in the order of the keys: that of
// the kernel by the same keys.
Workload WorkloadOf(const Cell& cell, const DataSet& data, double scale) {
  const auto counted = static_cast<size_t>(
      std::max(cell.lookups * std::min(scale, 1.0), double{kMinLookups}));
  const bool repeats = cell.from == From::kPageCache;
  Workload workload;
  workload.latency_share = kLatencyShare;
  workload.unfiltered_share = kUnfilteredShare;
  workload.fills_cache =
      repeats || cell.law == KeyLaw::kZipf || cell.filters_in_cache;
  workload.turns = workload.fills_cache ? 2 * kTurns : kTurns;
  const size_t halves = workload.fills_cache && !repeats ? 2 : 1;
  workload.lookups = Lookups(data, cell.absent_percent,
                             kRounds * halves * counted, kSeed, cell.law);
  if (repeats) {
    std::vector<Lookup> twice;
    for (size_t i = 0; i < kRounds * 2 * counted; ++i) {
      twice.push_back(
          workload.lookups[i / (2 * counted) * counted + i % counted]);
    }
    workload.lookups = std::move(twice);
  }
  return workload;
}

rocksdb::Options OptionsOf(double scale) {
  rocksdb::Options options;
  options.compression = rocksdb::kNoCompression;
  options.level_compaction_dynamic_level_bytes = true;
  options.max_background_jobs = 2;
  options.disable_auto_compactions = true;
  // RocksDB's own sizes, if the scale is 1.
  constexpr double kOwn = 64 << 20, kLeast = 512 << 10;
  options.write_buffer_size =
      static_cast<size_t>(std::max(scale * kOwn, kLeast));
  options.target_file_size_base = options.write_buffer_size;
  options.max_bytes_for_level_base = 4 * options.write_buffer_size;
  return options;
}

class LargeRun {
 public:
  explicit LargeRun(const Effort& effort)
      : effort_(effort),
        scale_(std::max(effort.scale, kMinRecords / kRecords)),
        data_(RandomDataSet(static_cast<size_t>(kRecords * scale_), kValueBytes,
                            static_cast<size_t>(kAbsent * scale_))),
        directory_(absl::StrCat(effort.keep, "/", data_.records->size(),
                                " records")) {}

  void Run() {
    std::filesystem::create_directories(directory_);
    MakeBase();
    for (const Other& other : Others()) {
      if (!IsDone(other)) MeasureInTurn(other);
      std::filesystem::remove_all(PathOf(other.filter.name));
    }
  }

 private:
  std::string KeptFile(const std::string& what) const {
    return absl::StrCat(directory_, "/", what, ".tsv");
  }
  bool IsKept(const std::string& what) const {
    return std::filesystem::exists(KeptFile(what));
  }
  bool IsIn(const Cell& cell, const Other& other) const {
    return cell.of_all_filters || !other.in_few_cells;
  }
  std::string NameOf(const Cell& cell, const Other& other) const {
    return absl::StrCat(cell.name, ", ", other.filter.name);
  }
  bool IsDone(const Other& other) const {
    return std::all_of(
        std::begin(kCells), std::end(kCells), [&](const Cell& cell) {
          return !IsIn(cell, other) || IsKept(NameOf(cell, other));
        });
  }

  std::string PathOf(const std::string& database) const {
    return absl::StrCat(directory_, "/", database);
  }
  std::unique_ptr<Database> NewDatabase(const std::string& name,
                                        const Filter& filter) const {
    return std::make_unique<Database>(PathOf(name), filter, OptionsOf(scale_));
  }

  void MakeBase() {
    databases_.push_back(NewDatabase("base", kBase));
    if (IsKept("base")) return;
    std::filesystem::remove_all(PathOf("base"));
    const size_t records = data_.records->size();
    const double bytes = static_cast<double>(records) * kValueBytes;
    const auto room =
        static_cast<double>(std::filesystem::space(directory_).available);
    if (room < kDatabasesBytes * bytes) {
      Fail(absl::StrFormat("--keep=%s has room for %.1f GB, and needs %.1f",
                           effort_.keep, room / 1e9,
                           kDatabasesBytes * bytes / 1e9));
    }
    effort_.progress->Begin("loading", records);
    const Stopwatch stopwatch(CLOCK_PROCESS_CPUTIME_ID);
    databases_[0]->LoadAndOverwrite(*data_.records, effort_.progress);
    const ElapsedTime took = stopwatch.Elapsed();
    effort_.progress->End();
    KeepResults(KeptFile("base"), [&] {
      PrintResult("loading", kBaseFilter, "s", took.wall_seconds);
    });
  }

  // The copy is whole if what Refilter took is kept.
  void MakeCopy(const Other& other) {
    const std::string& name = other.filter.name;
    if (IsKept(name) && std::filesystem::exists(PathOf(name))) {
      databases_.push_back(NewDatabase(name, other.filter));
      return;
    }
    std::filesystem::remove(KeptFile(name));
    // There is room for one.
    for (const Other& one : Others()) {
      std::filesystem::remove_all(PathOf(one.filter.name));
    }
    effort_.progress->Begin(name, 1);
    databases_[0]->OpenForLookups(Reads());
    databases_.push_back(databases_[0]->Copy(PathOf(name), other.filter));
    effort_.progress->End();
    KeepResults(KeptFile(name), [&] {
      const ElapsedTime& took = databases_[1]->refilter_time();
      if (took.wall_seconds == 0) return;
      PrintResult("Refilter", name, "s", took.wall_seconds);
      PrintResult("Refilter", name, "processor s", took.cpu_seconds);
      PrintResult("Refilter", name, "GB written",
                  1e-9 * static_cast<double>(databases_[1]->refilter_bytes()));
    });
  }

  // A virtual disk reads a block faster the second time: each database reads
  // once what it is going to be asked for.
  void ReadBlocksOnce(const Cell& cell, Workload workload) {
    if (cell.from != From::kDisk) return;
    workload.turns = 1;
    workload.fills_cache = false;
    Reads reads;
    reads.direct = true;
    Compare(reads, {workload}, kRounds, databases_, effort_.progress);
  }

  void MeasureInTurn(const Other& other) {
    MakeCopy(other);
    for (const Cell& cell : kCells) {
      const std::string name = NameOf(cell, other);
      if (!IsIn(cell, other) || IsKept(name)) continue;
      Workload workload = WorkloadOf(cell, data_, scale_);
      workload.name = name;
      effort_.progress->Begin(name,
                              2 * databases_.size() * workload.lookups.size());
      ReadBlocksOnce(cell, workload);
      const std::vector<Measured> measured =
          Compare(ReadsOf(cell, scale_), {workload}, kRounds, databases_,
                  effort_.progress)
              .front();
      effort_.progress->End();
      KeepResults(KeptFile(name),
                  [&] { PrintLookups(name, databases_, measured); });
    }
    databases_.pop_back();
  }

  const Effort& effort_;
  const double scale_;
  const DataSet data_;
  const std::string directory_;
  Databases databases_;  // the base, and the copy in turn
};

void RunLarge(const Effort& effort) {
  if (!effort.keep.empty()) LargeRun(effort).Run();
}

}  // namespace

Plan LargePlan() { return {"large", &RunLarge}; }

}  // namespace oneline
