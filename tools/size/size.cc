// The command `oneline size`: memory and false-positive rate of each kind of
// filter, for a number of keys or a whole tree, before anything is built.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/command/command.h"
#include "tools/command/flags.h"
#include "tools/size/size_plan.h"
#include "tools/size/size_report.h"

namespace oneline {
namespace {

// "--flag=value: must be ...".
absl::Status FlagError(const std::string& flag, const std::string& must_be) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--", flag, "=", absl::FindCommandLineFlag(flag)->CurrentValue(), ": ",
      must_be));
}

absl::StatusOr<SizeWanted> WantedByFlags() {
  SizeWanted wanted;
  wanted.bits_per_key = absl::GetFlag(FLAGS_bits_per_key);
  wanted.fp_rate = absl::GetFlag(FLAGS_fp_rate);
  if (const std::optional<ByteSize> memory = absl::GetFlag(FLAGS_memory)) {
    wanted.memory = memory->bytes;
  }
  const int given = int{wanted.bits_per_key.has_value()} +
                    int{wanted.fp_rate.has_value()} +
                    int{wanted.memory.has_value()};
  if (given != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("exactly one of --bits_per_key, --fp_rate and --memory "
                     "must be given, not ",
                     given));
  }
  return wanted;
}

// The keys of the smallest run of a tree.
double MinRunKeys(const TreeShape& shape, double keys) {
  const std::vector<TreeLevel> tree = LeveledTree(shape, keys);
  return shape.level0_runs > 0 ? std::min(tree[0].keys, tree[1].keys)
                               : tree[1].keys;
}

// Each run needs a key.
absl::Status CheckRuns(TreeShape shape, double keys) {
  if (MinRunKeys(shape, keys) >= 1) return absl::OkStatus();
  const double least = std::ceil(keys / MinRunKeys(shape, keys));
  if (least <= kMaxKeyCount) {
    return FlagError("keys",
                     absl::StrCat("must be at least ", KeyCountText(least),
                                  " for a tree with that many levels"));
  }
  while (MinRunKeys(shape, kMaxKeyCount) < 1) shape.size_ratios.pop_back();
  return FlagError(
      "levels", absl::StrCat("must be at most ", shape.size_ratios.size() + 1,
                             " with that size ratio, for ",
                             KeyCountText(kMaxKeyCount), " keys"));
}

absl::StatusOr<std::vector<TreeLevel>> TreeByFlags(double keys) {
  const std::optional<int> levels = absl::GetFlag(FLAGS_levels);
  if (!levels) {
    for (const char* name : {"size_ratio", "level0_files", "hits"}) {
      if (IsGiven(name)) return FlagError(name, "needs --levels");
    }
    return std::vector<TreeLevel>{{keys}};
  }
  TreeShape shape;
  shape.level0_runs = absl::GetFlag(FLAGS_level0_files).value_or(4);
  shape.size_ratios.assign(*levels - 1,
                           absl::GetFlag(FLAGS_size_ratio).value_or(10));
  const absl::Status runs = CheckRuns(shape, keys);
  if (!runs.ok()) return runs;
  std::vector<TreeLevel> tree = LeveledTree(shape, keys);
  tree.back().absent = 1 - absl::GetFlag(FLAGS_hits).value_or(0);
  return tree;
}

absl::StatusOr<Store> StoreByFlags() {
  const std::optional<KeyCount> keys = absl::GetFlag(FLAGS_keys);
  if (!keys) {
    return absl::InvalidArgumentError(
        "--keys must be given: the number of keys in the store");
  }
  const double keys_per_filter = absl::GetFlag(FLAGS_keys_per_filter).keys;
  if (keys_per_filter > kMaxRibbonKeys) {
    return FlagError(
        "keys_per_filter",
        absl::StrCat("must be at most ", KeyCountText(kMaxRibbonKeys),
                     ", the limit of RocksDB's Ribbon"));
  }
  absl::StatusOr<std::vector<TreeLevel>> tree = TreeByFlags(keys->keys);
  if (!tree.ok()) return tree.status();
  return Store{*std::move(tree), static_cast<size_t>(keys_per_filter)};
}

absl::StatusOr<int> RunSize(const std::vector<std::string>&) {
  const absl::StatusOr<Store> store = StoreByFlags();
  if (!store.ok()) return store.status();
  const absl::StatusOr<SizeWanted> wanted = WantedByFlags();
  if (!wanted.ok()) return wanted.status();
  const double size_ratio = absl::GetFlag(FLAGS_size_ratio).value_or(10);
  const bool is_tree = absl::GetFlag(FLAGS_levels).has_value();
  double min_memory = MinMemory(*store);
  if (is_tree) {
    for (const FilterModel& model : kFilterModels) {
      if (!model.kind.has_value()) continue;
      SizeWanted one_bit;
      one_bit.bits_per_key = 1;
      min_memory = std::max(
          min_memory, ByLevelPlan(model, *store, size_ratio, one_bit).bytes);
    }
  }
  if (wanted->memory && *wanted->memory < min_memory) {
    return FlagError("memory",
                     absl::StrCat("must be at least ", BytesText(min_memory),
                                  ", 1 bit per key"));
  }

  std::vector<SizePlan> plans;
  for (const FilterModel& model : kFilterModels) {
    plans.push_back(UniformPlan(model, *store, *wanted));
    if (is_tree && model.kind.has_value()) {
      plans.push_back(ByLevelPlan(model, *store, size_ratio, *wanted));
    }
  }
  if (absl::GetFlag(FLAGS_json)) {
    PrintSizeJson(*store, is_tree, plans);
  } else {
    PrintSizeTable(*store, is_tree, *wanted, plans);
  }
  return kExitFine;
}

}  // namespace

const Command kSizeCommand = {
    "size",
    R"(--keys=N [FLAGS]
         (--bits_per_key=BITS | --fp_rate=RATE | --memory=SIZE))",
    "memory and false positives of filters for a given number of keys",
    R"(Prints, for each kind of filter, ours and RocksDB's, before anything is built:
bits per key, memory, false-positive rate, and how many wasted reads a million
lookups of absent keys cause. Each filter has --keys_per_filter keys; --fp_rate
is the rate of each filter.

With --levels the store is a tree under leveled compaction: a lookup of an
absent key probes one filter of each run in level 0 and one of each level below.
A run in level 0 has a quarter of the keys of level 1. Our filters then have
two plans: "uniform" has the same bits per key in all levels; "by level", the
default, has more in small levels than in the last one.

Exit codes: 0 done, 2 failed.

Examples:

    oneline size --keys=1e9 --bits_per_key=10
    oneline size --keys=1e12 --memory=1TiB --levels=5
    oneline size --keys=1e9 --bits_per_key=10 --levels=3 --hits=0.9
)",
    {"keys", "bits_per_key", "fp_rate", "memory", "keys_per_filter", "levels",
     "size_ratio", "level0_files", "hits", "json"},
    0,
    0,
    &RunSize,
};

}  // namespace oneline
