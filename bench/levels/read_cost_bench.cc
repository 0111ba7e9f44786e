// The third part of `make levels`: what the option last_level_cost gains where
// the blocks of the last level come from a disk and the others from the block
// cache. Two copies of a database have filters of the same memory, allocated
// with last_level_cost=1 and with another. It looks up absent keys in both, in
// turns, and hot keys in between that keep the blocks of the small levels in
// the block cache. Reads bypass the page cache. It prints, for each million
// lookups of absent keys,
//
//   the wasted reads of each level, and how many of them came from the disk;
//   the time of a lookup: the median of the rounds.
//
//   bazel-bin/bench/levels/read_cost_bench [--last_level_cost=20] ...

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/levels/level_database.h"
#include "bench/measure/measuring_program.h"
#include "oneline/filter_options.h"
#include "tools/text/progress.h"

ABSL_FLAG(uint64_t, keys, 10000000, "keys in the database");
ABSL_FLAG(double, size_ratio, 10, "of a level to the one above it, 2 to 100");
ABSL_FLAG(double, bits_per_key, 5, "of the filter policy, 4 to 100");
ABSL_FLAG(double, last_level_cost, 20, "of one of the two, 0.01 to 1000");
ABSL_FLAG(uint64_t, lookups, 1000000, "of absent keys in each database");
ABSL_FLAG(int, rounds, 11, "in turns, 1 to 1000");

namespace oneline {
namespace {

constexpr int kDatabases = 2;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Wasted reads in a million lookups.
std::string PerMillion(uint64_t reads) {
  return absl::StrFormat("%.0f",
                         1e6 * static_cast<double>(reads) /
                             static_cast<double>(absl::GetFlag(FLAGS_lookups)));
}

void Print(const LevelDatabase& database, double cost,
           const std::map<int, LevelFilters>& levels,
           const std::vector<AbsentReads>& rounds) {
  std::vector<double> micros;
  std::map<int, WastedReads> wasted;
  for (const AbsentReads& round : rounds) {
    micros.push_back(round.micros);
    for (const auto& [level, reads] : round.wasted) {
      wasted[level].count += reads.count;
      wasted[level].from_files += reads.from_files;
    }
  }
  absl::PrintF("last_level_cost=%g\n%-5s %12s %12s %9s %9s %9s\n", cost,
               "level", "keys", "table MB", "bits/key", "wasted", "from disk");
  LevelFilters all;
  WastedReads sum;
  const std::map<int, uint64_t> bytes = database.TableBytes();
  for (const auto& [level, filters] : levels) {
    absl::PrintF("%-5d %12d %12.1f %9.2f %9s %9s\n", level, filters.keys,
                 1e-6 * static_cast<double>(bytes.at(level)),
                 filters.bits_per_key(), PerMillion(wasted[level].count),
                 PerMillion(wasted[level].from_files));
    all.keys += filters.keys;
    all.filter_bytes += filters.filter_bytes;
    sum.count += wasted[level].count;
    sum.from_files += wasted[level].from_files;
  }
  absl::PrintF("%-5s %12d %12s %9.3f %9s %9s %9.3f us\n", "all", all.keys, "",
               all.bits_per_key(), PerMillion(sum.count),
               PerMillion(sum.from_files), Median(micros));
}

// The newest keys, as many as there are above the last level; and room for
// their blocks, which have other keys, too.
struct HotKeys {
  uint64_t keys = 0;
  size_t cache_bytes = 0;
};

HotKeys HotKeysOf(const LevelDatabase& database,
                  const std::map<int, LevelFilters>& levels) {
  HotKeys hot;
  const std::map<int, uint64_t> bytes = database.TableBytes();
  for (const auto& [level, filters] : levels) {
    if (level == levels.rbegin()->first) break;
    hot.keys += filters.keys;
    hot.cache_bytes += 2 * bytes.at(level);
  }
  hot.keys /= 4;
  return hot;
}

absl::Status Measure(LevelDatabase* const (&databases)[kDatabases],
                     const double (&costs)[kDatabases], Progress* progress) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  const int rounds = absl::GetFlag(FLAGS_rounds);
  const uint64_t lookups = absl::GetFlag(FLAGS_lookups);
  std::map<int, LevelFilters> levels[kDatabases];
  std::vector<AbsentReads> reads[kDatabases];
  HotKeys hot;
  for (int i = 0; i < kDatabases; ++i) {
    const auto read = databases[i]->Levels();
    if (!read.ok()) return read.status();
    levels[i] = *read;
    hot = HotKeysOf(*databases[i], levels[i]);
    const absl::Status opened =
        databases[i]->OpenForReads(keys, hot.keys, hot.cache_bytes);
    if (!opened.ok()) return opened;
  }
  progress->Begin("lookups", kDatabases * lookups);
  for (int round = 0; round < rounds; ++round) {
    const uint64_t first = lookups * round / rounds;
    const uint64_t count = lookups * (round + 1) / rounds - first;
    for (int i = 0; i < kDatabases; ++i) {
      const auto read =
          databases[i]->ReadAbsentAndHot(keys, hot.keys, first, count);
      if (!read.ok()) return read.status();
      reads[i].push_back(*read);
      progress->Advance(count);
    }
  }
  progress->End();
  absl::PrintF("%d hot keys, block cache %.1f MB; in a million lookups:\n",
               hot.keys, 1e-6 * static_cast<double>(hot.cache_bytes));
  for (int i = 0; i < kDatabases; ++i) {
    Print(*databases[i], costs[i], levels[i], reads[i]);
  }
  return absl::OkStatus();
}

absl::Status Run(const std::string& directory) {
  Progress progress(stderr);
  FilterOptions filter;
  filter.hash_seed = 1;
  filter.allocation = Allocation::kMonkey;
  filter.bits_per_key = absl::GetFlag(FLAGS_bits_per_key);
  FilterOptions costly = filter;
  costly.last_level_cost = absl::GetFlag(FLAGS_last_level_cost);
  CompactedTree tree;
  tree.size_ratio = absl::GetFlag(FLAGS_size_ratio);
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  LevelDatabase one(directory + "/1", filter, tree);
  LevelDatabase other(directory + "/2", costly, tree);
  progress.Begin("load", keys);
  absl::Status status = one.Load(keys, &progress);
  progress.End();
  progress.Begin("copy", 2 * keys);
  if (status.ok()) status = one.CopyTo(&other, &progress);
  // By now the policy has moved the memory; once more, with as much as before.
  if (status.ok()) status = other.Rewrite(&progress);
  progress.End();
  if (!status.ok()) return status;
  return Measure({&one, &other}, {1, costly.last_level_cost}, &progress);
}

// Returns what is wrong with the flags; empty if nothing is.
std::string FlagError() {
  const auto is_within = [](double value, double min, double max) {
    return value >= min && value <= max;
  };
  if (!is_within(static_cast<double>(absl::GetFlag(FLAGS_keys)), 1e5, 1e9)) {
    return "--keys must be 100000 to 1000000000";
  }
  if (!is_within(absl::GetFlag(FLAGS_size_ratio), 2, 100)) {
    return "--size_ratio must be 2 to 100";
  }
  if (!is_within(absl::GetFlag(FLAGS_bits_per_key), 4, 100)) {
    return "--bits_per_key must be 4 to 100";
  }
  if (!is_within(absl::GetFlag(FLAGS_last_level_cost), 0.01, 1000)) {
    return "--last_level_cost must be 0.01 to 1000";
  }
  if (!is_within(static_cast<double>(absl::GetFlag(FLAGS_lookups)), 1000,
                 1e9)) {
    return "--lookups must be 1000 to 1000000000";
  }
  if (!is_within(absl::GetFlag(FLAGS_rounds), 1, 1000)) {
    return "--rounds must be 1 to 1000";
  }
  return "";
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Measures what the option last_level_cost gains.", "oneline-read-cost",
       oneline::FlagError, oneline::Run},
      argc, argv);
}
