// `make measure-budget`: one budget of memory for filters, indexes and data.
// The same tree with each filter, a block cache of 1/4 to 1/100 of the data
// that holds all three, and what lookups read into it, of which a share finds
// its key. Prints lines, with tabs between:
//
//   keys, filters, hits, budget   filter   quantity   value
//
//   blocks, data, index, filter   read into the cache for 1000 lookups
//   KB                            of them, for each lookup
//   wasted                        false positives of filters, for 1000 lookups
//   bits per key                  of filters
//
// These are the same on every machine: our filters have a fixed hash seed. With
// --times, tables are read from disk past the page cache, and there are
// besides:
//
//   lookups/s; p50 and p99 of present and of absent keys, us
//
//   bazel-bin/bench/budget/budget_bench [--keys=4000000] [--lookups=50000]
//       [--only="Zipf, full filters"] [--times]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "bench/budget/budget_tree.h"
#include "bench/budget/drawn_keys.h"
#include "bench/measure/measuring_program.h"

ABSL_FLAG(uint64_t, keys, 4000000, "in the database, 16 + 100 bytes each");
ABSL_FLAG(uint64_t, lookups, 50000,
          "that are counted, and as many before that fill the cache");
ABSL_FLAG(std::string, only, "",
          "only settings whose names contain this, such as \"Zipf, partitioned "
          "filters, 90% hits, 1/30\"");
ABSL_FLAG(bool, times, false, "also times, with reads past the page cache");

namespace oneline {
namespace {

struct Candidate {
  const char* name;
  const char* policy;
  double hits = -1;  // the share for which it is; -1: for all
  bool optimize_filters_for_hits = false;
  const char* by_way_of = nullptr;  // has these filters in between
};

constexpr char kBloom[] = "bloomfilter:10:false";

const Candidate kCandidates[] = {
    {"RocksDB's Bloom", kBloom},
    {"none in the last level", kBloom, -1, true},
    {"RocksDB's Ribbon", "ribbonfilter:10:-1"},
    {"uniform", "{id=oneline;hash_seed=1;bits_by_level=false}"},
    {"oneline", "{id=oneline;hash_seed=1}"},
    {"hits", "{id=oneline;hash_seed=1;hits=0.5}", 0.5},
    {"hits", "{id=oneline;hash_seed=1;hits=0.9}", 0.9},
    {"hits", "{id=oneline;hash_seed=1;hits=0.99}", 0.99},
    {"hits=1", "{id=oneline;hash_seed=1;hits=1}"},
    {"RocksDB's Bloom, again", kBloom, -1, false, "{id=oneline;hash_seed=1}"},
};

// A row: what is looked up, and with how much memory.
struct Setting {
  KeyLaw law;
  bool is_partitioned;
  double hits;
  uint64_t part;  // the budget is that part of the data

  std::string Name() const {
    char name[80];
    std::snprintf(name, sizeof(name), "%s, %s filters, %.0f%% hits, 1/%d",
                  law == KeyLaw::kZipf ? "Zipf" : "uniform",
                  is_partitioned ? "partitioned" : "full", 100 * hits,
                  static_cast<int>(part));
    return name;
  }
};

// Those that --only leaves.
std::vector<Setting> Settings(bool is_partitioned) {
  std::vector<Setting> settings;
  for (const KeyLaw law : {KeyLaw::kUniform, KeyLaw::kZipf}) {
    for (const double hits : {0.0, 0.5, 0.9, 0.99}) {
      for (const uint64_t part : {4, 10, 30, 100}) {
        const Setting setting = {law, is_partitioned, hits, part};
        if (setting.Name().find(absl::GetFlag(FLAGS_only)) !=
            std::string::npos) {
          settings.push_back(setting);
        }
      }
    }
  }
  return settings;
}

void Print(const Setting& setting, const Candidate& candidate,
           const LookupCost& cost, double bits_per_key) {
  const std::string name = setting.Name();
  const auto print = [&](const char* quantity, double value) {
    std::printf("%s\t%s\t%s\t", name.c_str(), candidate.name, quantity);
    std::printf(value < 10000 ? "%.4g\n" : "%.0f\n", value);
  };
  print("blocks", 1000 * cost.blocks);
  print("data", 1000 * cost.data_blocks);
  print("index", 1000 * cost.index_blocks);
  print("filter", 1000 * cost.filter_blocks);
  print("KB", cost.bytes / 1000);
  print("wasted", 1000 * cost.wasted_reads);
  print("bits per key", bits_per_key);
  if (absl::GetFlag(FLAGS_times)) {
    print("lookups/s", cost.per_second);
    print("p50 present, us", cost.present_p50);
    print("p99 present, us", cost.present_p99);
    print("p50 absent, us", cost.absent_p50);
    print("p99 absent, us", cost.absent_p99);
  }
  std::fflush(stdout);
}

// The tree and a copy of it are in `directory`.
absl::Status Measure(const Candidate& candidate,
                     const std::vector<Setting>& settings, BudgetTree* first,
                     const std::string& directory) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  const bool is_partitioned = settings[0].is_partitioned;
  const std::string copy = directory + "/copy";
  first->CopyTo(copy);
  if (candidate.by_way_of != nullptr) {
    BudgetTree(copy, keys, {candidate.by_way_of, is_partitioned}).Refilter();
  }
  BudgetTree tree(
      copy, keys,
      {candidate.policy, is_partitioned, candidate.optimize_filters_for_hits});
  tree.Refilter();
  if (tree.Shape() != first->Shape()) {
    return absl::InternalError("the trees differ");
  }
  const double bits_per_key = tree.BitsPerKey();
  for (const Setting& setting : settings) {
    if (candidate.hits >= 0 && candidate.hits != setting.hits) continue;
    Print(setting, candidate,
          tree.LookUp(first->DataBytes() / setting.part,
                      absl::GetFlag(FLAGS_times),
                      DrawnKeys(keys, setting.law, setting.hits),
                      absl::GetFlag(FLAGS_lookups)),
          bits_per_key);
  }
  return absl::OkStatus();
}

absl::Status Run(const std::string& directory) {
  for (const bool is_partitioned : {false, true}) {
    const std::vector<Setting> settings = Settings(is_partitioned);
    if (settings.empty()) continue;
    BudgetTree first(directory + (is_partitioned ? "/partitioned" : "/full"),
                     absl::GetFlag(FLAGS_keys), {kBloom, is_partitioned});
    first.Write();
    for (const Candidate& candidate : kCandidates) {
      if (candidate.hits >= 0 && std::none_of(settings.begin(), settings.end(),
                                              [&](const Setting& setting) {
                                                return setting.hits ==
                                                       candidate.hits;
                                              })) {
        continue;
      }
      const absl::Status status =
          Measure(candidate, settings, &first, directory);
      if (!status.ok()) return status;
      std::filesystem::remove_all(directory + "/copy");
    }
  }
  return absl::OkStatus();
}

std::string FlagError() {
  if (Settings(false).empty() && Settings(true).empty()) {
    return "--only matches none of the settings";
  }
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  // RocksDB's Ribbon policy writes Bloom filters for few keys.
  if (keys < 300000 || keys > 100000000) {
    return "--keys must be 300000 to 100000000";
  }
  return absl::GetFlag(FLAGS_lookups) < 1000 ? "--lookups must be 1000 or more"
                                             : "";
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Counts what lookups read into a cache that filters and data share.",
       "oneline-budget", oneline::FlagError, oneline::Run},
      argc, argv);
}
