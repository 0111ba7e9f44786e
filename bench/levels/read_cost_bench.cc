// The third part of `make levels`: what the option last_level_cost gains where
// the blocks of the last level come from a disk and the others from the block
// cache. Two copies of a database have filters of the same memory, allocated
// with last_level_cost=1 and with another. It looks up absent keys in both, in
// turns, and in between hot keys, which are above the last level and keep the
// blocks there in the block cache. Reads bypass the page cache. It prints, for
// each million lookups of absent keys,
//
//   the wasted reads of each level, and how many of them came from the disk;
//   the time of a lookup: that of lookups without wasted reads, with wasted
//   reads from the cache and with some from the disk, the median of each, and
//   their mean. (So other work on the machine hardly shows.)
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
ABSL_FLAG(
    double, cache, 2,
    "size of the block cache divided by that of the tables above the last "
    "level, 0.1 to 100");
ABSL_FLAG(uint64_t, lookups, 1000000, "of absent keys in each database");
ABSL_FLAG(int, rounds, 11, "in turns, 1 to 1000");

namespace oneline {
namespace {

constexpr int kDatabases = 2;

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Wasted reads in a million lookups.
std::string PerMillion(uint64_t reads) {
  return absl::StrFormat("%.0f",
                         1e6 * static_cast<double>(reads) /
                             static_cast<double>(absl::GetFlag(FLAGS_lookups)));
}

void PrintTimes(const AbsentReads& reads) {
  double sum = 0, lookups = 0;
  std::vector<double> medians;
  for (const auto* times : {&reads.of_none, &reads.of_cached, &reads.of_read}) {
    const double count = static_cast<double>(times->size());
    medians.push_back(Median(*times));
    lookups += count;
    sum += count * medians.back();
  }
  absl::PrintF(
      "us of a lookup: %.2f without wasted reads, %.2f with some from the "
      "cache, %.1f with some from the disk; %.2f on average\n",
      medians[0], medians[1], medians[2], sum / lookups);
}

void Print(const LevelDatabase& database, double cost,
           const std::map<int, LevelFilters>& levels,
           const std::vector<AbsentReads>& rounds) {
  AbsentReads all_rounds;
  std::map<int, WastedReads>& wasted = all_rounds.wasted;
  for (const AbsentReads& round : rounds) {
    for (const auto times : {&AbsentReads::of_none, &AbsentReads::of_cached,
                             &AbsentReads::of_read}) {
      (all_rounds.*times)
          .insert((all_rounds.*times).end(), (round.*times).begin(),
                  (round.*times).end());
    }
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
  absl::PrintF("%-5s %12d %12s %9.3f %9s %9s\n", "all", all.keys, "",
               all.bits_per_key(), PerMillion(sum.count),
               PerMillion(sum.from_files));
  PrintTimes(all_rounds);
}

struct AboveTheLast {
  uint64_t keys = 0;
  double table_bytes = 0;
};

AboveTheLast SumAboveTheLast(const LevelDatabase& database,
                             const std::map<int, LevelFilters>& levels) {
  AboveTheLast above;
  const std::map<int, uint64_t> bytes = database.TableBytes();
  for (const auto& [level, filters] : levels) {
    if (level == levels.rbegin()->first) break;
    above.keys += filters.keys;
    above.table_bytes += static_cast<double>(bytes.at(level));
  }
  return above;
}

absl::Status Measure(LevelDatabase* const (&databases)[kDatabases],
                     const double (&costs)[kDatabases], Progress* progress) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  const int rounds = absl::GetFlag(FLAGS_rounds);
  const uint64_t lookups = absl::GetFlag(FLAGS_lookups);
  std::map<int, LevelFilters> levels[kDatabases];
  std::vector<AbsentReads> reads[kDatabases];
  double cache = 0;
  for (int i = 0; i < kDatabases; ++i) {
    const auto read = databases[i]->Levels();
    if (!read.ok()) return read.status();
    levels[i] = *read;
    const AboveTheLast above = SumAboveTheLast(*databases[i], levels[i]);
    if (i == 0) cache = absl::GetFlag(FLAGS_cache) * above.table_bytes;
    const absl::Status opened = databases[i]->OpenForReads(
        keys, above.keys, static_cast<size_t>(cache));
    if (!opened.ok()) return opened;
  }
  progress->Begin("lookups", kDatabases * lookups);
  for (int round = 0; round < rounds; ++round) {
    const uint64_t first = lookups * round / rounds;
    const uint64_t count = lookups * (round + 1) / rounds - first;
    for (int i = 0; i < kDatabases; ++i) {
      const auto read = databases[i]->ReadAbsentAndHot(keys, first, count);
      if (!read.ok()) return read.status();
      reads[i].push_back(*read);
      progress->Advance(count);
    }
  }
  progress->End();
  absl::PrintF("%d hot keys, block cache %.1f MB; in a million lookups:\n",
               databases[0]->num_hot_keys(), 1e-6 * cache);
  for (int i = 0; i < kDatabases; ++i) {
    Print(*databases[i], costs[i], levels[i], reads[i]);
  }
  return absl::OkStatus();
}

double BitsPerKey(const std::map<int, LevelFilters>& levels) {
  double keys = 0, bits = 0;
  for (const auto& [level, filters] : levels) {
    keys += static_cast<double>(filters.keys);
    bits += 8 * static_cast<double>(filters.filter_bytes);
  }
  return bits / keys;
}

// Makes `copy` with as many bits per key as `original` has, within 1 %. The
// policy makes up for the memory of tables that are not rewritten yet, so this
// takes a few passes; the last one begins with the right memory, too.
absl::Status CopyWithEqualMemory(LevelDatabase* original, LevelDatabase* copy,
                                 Progress* progress) {
  constexpr int kPasses = 8;
  const auto wanted = original->Levels();
  if (!wanted.ok()) return wanted.status();
  progress->Begin("copy", absl::GetFlag(FLAGS_keys));
  absl::Status status = original->CopyTo(copy, progress);
  progress->End();
  bool was_equal = false;
  for (int pass = 1; status.ok(); ++pass) {
    const auto levels = copy->Levels();
    if (!levels.ok()) return levels.status();
    const double ratio = BitsPerKey(*levels) / BitsPerKey(*wanted);
    const bool is_equal = ratio > 0.99 && ratio < 1.01;
    if (is_equal && was_equal) break;
    was_equal = is_equal;
    if (pass == kPasses) {
      return absl::InternalError(absl::StrCat(
          "after ", kPasses, " passes the copy has ", ratio, " of the memory"));
    }
    progress->Begin("rewrite", absl::GetFlag(FLAGS_keys));
    status = copy->Rewrite(progress);
    progress->End();
  }
  return status;
}

absl::Status Run(const std::string& directory) {
  Progress progress(stderr);
  FilterOptions filter;
  filter.hash_seed = 1;
  filter.allocation = Allocation::kMonkey;
  filter.bits_per_key = absl::GetFlag(FLAGS_bits_per_key);
  CompactedTree tree;
  tree.size_ratio = absl::GetFlag(FLAGS_size_ratio);
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  LevelDatabase one(directory + "/1", filter, {tree});
  progress.Begin("load", keys);
  absl::Status status = one.Load(keys, &progress);
  progress.End();
  if (!status.ok()) return status;
  const auto levels = one.Levels();
  if (!levels.ok()) return levels.status();
  FilterOptions costly = filter;
  costly.last_level_cost = absl::GetFlag(FLAGS_last_level_cost);
  costly.bits_per_key = BitsPerKey(*levels);
  LevelDatabase other(directory + "/2", costly, {tree});
  status = CopyWithEqualMemory(&one, &other, &progress);
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
  if (!is_within(absl::GetFlag(FLAGS_cache), 0.1, 100)) {
    return "--cache must be 0.1 to 100";
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
