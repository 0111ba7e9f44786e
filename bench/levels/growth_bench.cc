// The second part of `make levels`: databases that grow from nothing under
// RocksDB's own compactions, with restarts. After each restart it looks up
// absent keys in one with our default policy and in one with RocksDB's Ribbon
// filters of as much memory, and prints, for each million,
//
//   the false positives that RocksDB counts in both;
//   those that uniform bits, and the best bits for each level, would let pass
//   in the tree of the first, by the model, in the memory of its filters.
//
// The last database has three column families of different shapes and sizes,
// which share one policy object. Each has rows of its own, and its own optimum.
//
//   bazel-bin/bench/levels/growth_bench [--keys=10000000] [--restarts=20] ...
//
// Ends with an error if an absent key is found or a filter was not used.

#include <rocksdb/options.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/filters/filter_candidates.h"
#include "bench/levels/level_database.h"
#include "bench/measure/measuring_program.h"
#include "filter_policy/allocation/level_allocation.h"
#include "oneline/filter_options.h"
#include "tools/text/progress.h"

ABSL_FLAG(uint64_t, keys, 10000000, "keys in each database in the end");
ABSL_FLAG(int, restarts, 20, "of each database, 1 to 100");
ABSL_FLAG(uint64_t, lookups, 200000, "of absent keys after each restart");
ABSL_FLAG(double, bits_per_key, 10, "of the filter policy, 4 to 100");
ABSL_FLAG(std::string, only, "",
          "only the databases with a tree whose name contains this");

namespace oneline {
namespace {

struct NamedTree {
  const char* name;
  CompactedTree tree;
};

// Column families of one database.
using Families = std::vector<NamedTree>;

const std::vector<Families>& Databases() {
  constexpr auto kLevel = rocksdb::kCompactionStyleLevel;
  constexpr auto kUniversal = rocksdb::kCompactionStyleUniversal;
  static const auto* const databases = new std::vector<Families>{
      {{"dynamic 4", {4, kLevel, true}}},
      {{"dynamic 6", {6, kLevel, true}}},
      {{"dynamic 10", {10, kLevel, true}}},
      {{"static 4", {4, kLevel, false}}},
      {{"static 6", {6, kLevel, false}}},
      {{"static 10", {10, kLevel, false}}},
      {{"universal", {10, kUniversal, false}}},
      {{"family 1", {10, kLevel, true, 4, 5}},
       {"family 2", {4, kLevel, false, 8, 3}},
       {"family 3", {10, kUniversal, false, 4, 2}}},
  };
  return *databases;
}

bool IsWanted(const Families& families) {
  return std::any_of(
      families.begin(), families.end(), [](const NamedTree& family) {
        return absl::StrContains(family.name, absl::GetFlag(FLAGS_only));
      });
}

struct AfterRestart {
  double bits_per_key = 0;
  int runs = 0;
  // In a million lookups.
  double counted = 0, uniform = 0, best = 0;
};

absl::StatusOr<AfterRestart> Measure(LevelDatabase* database, size_t family,
                                     Progress* progress) {
  const uint64_t lookups = absl::GetFlag(FLAGS_lookups);
  const auto counted = database->LookUpAbsent(absl::GetFlag(FLAGS_keys),
                                              lookups, progress, family);
  if (!counted.ok()) return counted.status();
  const auto levels = database->Levels(family);
  if (!levels.ok()) return levels.status();
  AfterRestart result;
  for (const auto& [level, count] : *counted) {
    result.counted +=
        1e6 * static_cast<double>(count) / static_cast<double>(lookups);
  }
  std::vector<TreeLevel> tree;
  double bits = 0, all_keys = 0;
  for (const auto& [level, tables] : *levels) {
    const double of_level = static_cast<double>(tables.keys);
    const int runs = level == 0 ? tables.tables : 1;
    tree.push_back({of_level / runs, runs});
    result.runs += runs;
    all_keys += of_level;
    bits += 8 * static_cast<double>(tables.filter_bytes);
  }
  result.bits_per_key = bits / all_keys;
  const int effort = FilterOptions().effort;
  const std::vector<double> best =
      AllocateBits(tree, result.bits_per_key, effort);
  // A lookup meets a run only if its key is in the range of one of its tables.
  const auto rate = [&](const LevelFilters& tables, double bits_per_key) {
    return 1e6 * tables.coverage *
           ExpectedFalsePositives({{1, 1}}, {bits_per_key}, effort);
  };
  size_t i = 0;
  for (const auto& [level, tables] : *levels) {
    result.best += rate(tables, best[i++]);
    result.uniform += rate(tables, result.bits_per_key);
  }
  return result;
}

// `of`: a database with our policy and one with RocksDB's Ribbon.
void Print(const NamedTree& named, double keys, const AfterRestart (&of)[2]) {
  absl::PrintF("%-10s %10.0f %5d %8.3f %9.0f %9.0f %9.0f %9.2f %8.3f %9.0f\n",
               named.name, keys, of[0].runs, of[0].bits_per_key, of[0].counted,
               of[0].best, of[0].uniform, of[0].counted / of[0].best,
               of[1].bits_per_key, of[1].counted);
}

absl::Status GrowOne(const Families& families, const std::string& prefix,
                     Progress* progress) {
  FilterOptions filter;
  filter.hash_seed = 1;
  filter.bits_per_key = absl::GetFlag(FLAGS_bits_per_key);
  std::vector<CompactedTree> trees;
  double shares = 0;
  for (const NamedTree& family : families) {
    trees.push_back(family.tree);
    shares += family.tree.share;
  }
  LevelDatabase ours(prefix + "ours", filter, trees);
  LevelDatabase ribbon(
      prefix + "ribbon", filter, trees,
      absl::StrCat("ribbonfilter:", BloomBitsOfRibbon(*filter.bits_per_key),
                   ":-1"));
  LevelDatabase* const databases[] = {&ours, &ribbon};
  const int restarts = absl::GetFlag(FLAGS_restarts);
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  for (int restart = 1; restart <= restarts; ++restart) {
    const uint64_t first = keys * (restart - 1) / restarts;
    const uint64_t last = keys * restart / restarts;
    progress->Begin(
        absl::StrCat(families[0].name, ", ", last, " keys"),
        2 * (last - first + families.size() * absl::GetFlag(FLAGS_lookups)));
    for (LevelDatabase* const database : databases) {
      const absl::Status status = database->Grow(first, last, progress);
      if (!status.ok()) return status;
    }
    for (size_t family = 0; family < families.size(); ++family) {
      AfterRestart of[2];
      for (int i = 0; i < 2; ++i) {
        const auto measured = Measure(databases[i], family, progress);
        if (!measured.ok()) return measured.status();
        of[i] = *measured;
      }
      Print(families[family],
            static_cast<double>(last) * trees[family].share / shares, of);
    }
    progress->End();
  }
  return absl::OkStatus();
}

absl::Status Run(const std::string& directory) {
  absl::PrintF("%-10s %10s %5s %8s %9s %9s %9s %9s %8s %9s\n", "tree", "keys",
               "runs", "bits/key", "monkey", "best", "uniform", "to best",
               "bits/key", "Ribbon");
  Progress progress(stderr);
  int number = 0;
  for (const Families& families : Databases()) {
    if (!IsWanted(families)) continue;
    const absl::Status status = GrowOne(
        families, absl::StrCat(directory, "/", ++number, "-"), &progress);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Returns what is wrong with the flags; empty if nothing is.
std::string FlagError() {
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  if (keys < 100000 || keys > 1000000000) {
    return "--keys must be 100000 to 1000000000";
  }
  const int restarts = absl::GetFlag(FLAGS_restarts);
  if (restarts < 1 || restarts > 100) return "--restarts must be 1 to 100";
  const uint64_t lookups = absl::GetFlag(FLAGS_lookups);
  if (lookups < 1000 || lookups > 1000000000) {
    return "--lookups must be 1000 to 1000000000";
  }
  const double bits = absl::GetFlag(FLAGS_bits_per_key);
  if (!(bits >= 4 && bits <= 100)) return "--bits_per_key must be 4 to 100";
  std::string names;
  for (const Families& families : Databases()) {
    if (IsWanted(families)) return "";
    for (const NamedTree& family : families) {
      absl::StrAppend(&names, names.empty() ? "" : ", ", family.name);
    }
  }
  return absl::StrCat("--only matches none of the trees: ", names);
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Grows databases with restarts, and counts what their filters let pass.",
       "oneline-growth", oneline::FlagError, oneline::Run},
      argc, argv);
}
