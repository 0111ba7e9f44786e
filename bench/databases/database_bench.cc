// Compares RocksDB and LevelDB without filters, with their own and with ours of
// the same size: what lookups and writes cost with several kinds of keys, with
// all data in memory and with nearly all on disk. `make bench` and `make
// report` run it.
//
//   bazel-bin/bench/databases/database_bench
//       --paths="$(bench/keys/debian_paths.sh)"
//
// Prints a table for each comparison; --out=DIRECTORY writes them as rows to
// databases.tsv, too. Ends with an error if an answer is wrong, a filter was
// not used, or databases differ in more than the filter.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "bench/comparison/comparison_table.h"
#include "bench/comparison/fixed_tree.h"
#include "bench/databases/database_runs.h"
#include "bench/databases/leveldb_database.h"
#include "bench/keys/data_set.h"
#include "bench/keys/path_list.h"
#include "bench/measure/measuring_program.h"
#include "tools/text/progress.h"

ABSL_FLAG(
    std::string, paths, "",
    "file of lines `path <tab> package`, sorted by path, as "
    "bench/keys/debian_paths.sh makes it; without it the run with paths is "
    "left out");
ABSL_FLAG(std::string, out, "", "directory for databases.tsv, which exists");
ABSL_FLAG(double, bits_per_key, 10, "of all filters, 2 to 30");
ABSL_FLAG(double, scale, 1,
          "factor for the numbers of records and lookups, 0.001 to 10; with 1 "
          "there are at most 8 million records");
ABSL_FLAG(size_t, rounds, 7, "of each measurement, odd, 1 to 99");
ABSL_FLAG(
    std::string, only, "",
    "only the runs whose names contain this; if there are none, an error lists "
    "all names");

namespace oneline {
namespace {

struct NamedRun {
  std::string name;
  Run run;
  double records;  // if --scale is 1
  enum Keys { kRandom, kCounters, kPaths } keys;
  size_t value_bytes;  // unused for paths
  // If set, measures writing in this order instead of lookups.
  std::optional<Arrival> writes;
};

std::vector<NamedRun> AllRuns() {
  const Run disk = {Engine::kRocksDB, StockTree(), false, true};
  const Run both = {Engine::kRocksDB, StockTree(), true, true};
  const Run paths = {Engine::kRocksDB, TenfoldTree(), true, true};
  const Run leveldb = {Engine::kLevelDB, LevelDBTree(), true, true};
  return {
      {"rocksdb-large", disk, 8e6, NamedRun::kRandom, 100, {}},
      {"rocksdb-random", both, 1e6, NamedRun::kRandom, 100, {}},
      {"rocksdb-1KB", both, 2e5, NamedRun::kRandom, 1000, {}},
      {"rocksdb-counters", both, 1e6, NamedRun::kCounters, 100, {}},
      {"rocksdb-paths", paths, 1e6, NamedRun::kPaths, 0, {}},
      {"rocksdb-writes", both, 3e5, NamedRun::kRandom, 100, Arrival::kRandom},
      {"rocksdb-ingestion", both, 5e5, NamedRun::kRandom, 100,
       Arrival::kSorted},
      {"leveldb-random", leveldb, 6e5, NamedRun::kRandom, 100, {}},
      {"leveldb-1KB", leveldb, 7e4, NamedRun::kRandom, 1000, {}},
      {"leveldb-writes", leveldb, 2e5, NamedRun::kRandom, 100,
       Arrival::kRandom},
  };
}

// With fewer records the filters of small tables differ in size.
constexpr double kMinRecords = 20000;

Effort EffortAsked() {
  Effort effort;
  effort.bits_per_key = absl::GetFlag(FLAGS_bits_per_key);
  effort.rounds = absl::GetFlag(FLAGS_rounds);
  const double scale = std::min(absl::GetFlag(FLAGS_scale), 1.0);
  effort.lookups = static_cast<size_t>(20000 * std::sqrt(scale));
  return effort;
}

DataSet MakeData(const NamedRun& named, const Effort& effort,
                 const std::shared_ptr<const PathList>& list) {
  const auto records = static_cast<size_t>(
      std::max(named.records * absl::GetFlag(FLAGS_scale), kMinRecords));
  const size_t absent = AbsentKeysNeeded(effort);
  switch (named.keys) {
    case NamedRun::kCounters:
      return CounterDataSet(records, named.value_bytes, absent);
    case NamedRun::kPaths:
      return PathDataSet(list, records, absent);
    case NamedRun::kRandom:
      break;
  }
  return RandomDataSet(records, named.value_bytes, absent);
}

absl::Status RunAll(const std::string& directory) {
  std::ofstream rows_file;
  const std::string out = absl::GetFlag(FLAGS_out);
  if (!out.empty()) {
    // Now, and not after all that is to be written there.
    rows_file.open(out + "/databases.tsv");
    if (!rows_file) return absl::InvalidArgumentError("cannot write to " + out);
    rows_file << RowColumns();
  }
  Progress progress(stderr);
  const Effort effort = EffortAsked();
  std::shared_ptr<const PathList> list;
  if (const std::string file = absl::GetFlag(FLAGS_paths); !file.empty()) {
    progress.Begin("reading the list of paths", 1);
    auto loaded = PathList::Load(file);
    if (!loaded.ok()) return loaded.status();
    list = std::make_shared<const PathList>(*std::move(loaded));
    progress.End();
  }
  std::string rows;
  for (const NamedRun& named : AllRuns()) {
    if (!absl::StrContains(named.name, absl::GetFlag(FLAGS_only))) continue;
    if (named.keys == NamedRun::kPaths && list == nullptr) continue;
    const DataSet data = MakeData(named, effort, list);
    const absl::Status status =
        named.writes.has_value()
            ? CompareWrites(named.run, *named.writes, data, effort, directory,
                            &progress, &rows)
            : CompareLookups(named.run, data, effort, directory, &progress,
                             &rows);
    if (!status.ok()) return status;
  }
  if (!out.empty() && !(rows_file << rows << std::flush)) {
    return absl::InvalidArgumentError("cannot write to " + out);
  }
  return absl::OkStatus();
}

// Returns what is wrong with the flags; empty if nothing is.
std::string FlagError() {
  const double bits = absl::GetFlag(FLAGS_bits_per_key);
  if (!(bits >= 2 && bits <= 30)) return "--bits_per_key must be 2 to 30";
  const double scale = absl::GetFlag(FLAGS_scale);
  if (!(scale >= 0.001 && scale <= 10)) return "--scale must be 0.001 to 10";
  const size_t rounds = absl::GetFlag(FLAGS_rounds);
  if (rounds > 99 || rounds % 2 == 0) {
    return "--rounds must be odd, 1 to 99";
  }
  const std::string only = absl::GetFlag(FLAGS_only);
  std::string names;
  for (const NamedRun& named : AllRuns()) {
    if (absl::StrContains(named.name, only)) return "";
    absl::StrAppend(&names, " ", named.name);
  }
  return absl::StrCat("--only=", only, " matches none of the runs:", names);
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Compares filters in RocksDB and LevelDB databases.", "oneline-bench",
       oneline::FlagError, oneline::RunAll},
      argc, argv);
}
