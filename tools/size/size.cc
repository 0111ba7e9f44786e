// `oneline size`: what filters of each kind would take and let pass, for a
// number of keys or a whole tree, before anything is built.

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
#include "filter_policy/allocation/leveled_tree.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/size/rocksdb_models.h"
#include "tools/size/size_plan.h"
#include "tools/size/size_report.h"

namespace oneline {
namespace {

constexpr double kMostKeys = 1e15;

absl::Status Wrong(const std::string& flag, const std::string& right) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--", flag, "=", absl::FindCommandLineFlag(flag)->CurrentValue(), ": ",
      right));
}

bool Within(double x, double least, double most) {
  return x >= least && x <= most;  // false for NaN
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
        absl::StrCat(given == 0 ? "none" : "more than one",
                     " of --bits_per_key, --fp_rate and --memory is given; "
                     "must be one of them"));
  }
  if (wanted.bits_per_key && !Within(*wanted.bits_per_key, 1, 100)) {
    return Wrong("bits_per_key", "must be 1 to 100");
  }
  if (wanted.fp_rate && !Within(*wanted.fp_rate, 1e-9, 0.5)) {
    return Wrong("fp_rate", "must be 1e-9 to 0.5");
  }
  return wanted;
}

absl::StatusOr<std::vector<TreeLevel>> TreeByFlags(double keys) {
  const std::optional<int> levels = absl::GetFlag(FLAGS_levels);
  const std::optional<double> size_ratio = absl::GetFlag(FLAGS_size_ratio);
  const std::optional<int> level0_files = absl::GetFlag(FLAGS_level0_files);
  if (!levels) {
    if (size_ratio) return Wrong("size_ratio", "must go with --levels");
    if (level0_files) return Wrong("level0_files", "must go with --levels");
    return std::vector<TreeLevel>{{keys}};
  }
  if (!Within(*levels, 1, 30)) return Wrong("levels", "must be 1 to 30");
  if (size_ratio && !Within(*size_ratio, 1, 1000)) {
    return Wrong("size_ratio", "must be 1 to 1000");
  }
  if (level0_files && !Within(*level0_files, 0, 1000)) {
    return Wrong("level0_files", "must be 0 to 1000");
  }
  TreeShape shape;
  shape.level0_runs = level0_files.value_or(4);
  shape.size_ratios.assign(*levels - 1, size_ratio.value_or(10));
  std::vector<TreeLevel> tree = LeveledTree(shape, keys);
  const double fewest = shape.level0_runs > 0
                            ? std::min(tree[0].keys, tree[1].keys)
                            : tree[1].keys;
  if (fewest < 1) {
    return Wrong("keys", absl::StrCat("must be at least ",
                                      KeyCountText(std::ceil(keys / fewest)),
                                      " for a tree of so many levels"));
  }
  return tree;
}

absl::StatusOr<Store> StoreByFlags() {
  const std::optional<KeyCount> keys = absl::GetFlag(FLAGS_keys);
  if (!keys) {
    return absl::InvalidArgumentError(
        "--keys is missing; must be the number of the store's keys");
  }
  if (keys->keys > kMostKeys) {
    return Wrong("keys",
                 absl::StrCat("must be at most ", KeyCountText(kMostKeys)));
  }
  const double keys_per_filter = absl::GetFlag(FLAGS_keys_per_filter).keys;
  if (keys_per_filter > kMostRibbonKeys) {
    return Wrong("keys_per_filter",
                 absl::StrCat("must be at most ", KeyCountText(kMostRibbonKeys),
                              ", the most for RocksDB's Ribbon"));
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
  const double least = LeastMemory(*store);
  if (wanted->memory && *wanted->memory < least) {
    return Wrong("memory", absl::StrCat("must be at least ", BytesText(least),
                                        ", 1 bit per key"));
  }

  const bool is_tree = absl::GetFlag(FLAGS_levels).has_value();
  std::vector<SizePlan> plans;
  for (const FilterModel& model : kFilterModels) {
    plans.push_back(UniformPlan(model, *store, *wanted));
    if (is_tree && model.kind != 0) {
      plans.push_back(MonkeyPlan(plans.back(), *store, *wanted));
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
    "--keys=N (--bits_per_key=N | --fp_rate=N | --memory=N) [--levels=N]"
    " [--json]",
    "what filters would take and let pass, for so many keys",
    "For each kind of filter, ours and RocksDB's, before anything is built:\n"
    "bits per key, memory, false-positive rate, and the reads for nothing "
    "that\n"
    "a million lookups of absent keys cost. Filters are sized one by one, for\n"
    "--keys_per_filter keys each, and --fp_rate is that of each filter.\n"
    "\n"
    "With --levels for a tree under leveled compaction, where such a lookup\n"
    "asks one filter of each run in level 0 and of each level below; and then\n"
    "also with our option allocation=monkey, which gives smaller levels more\n"
    "bits per key. A run in level 0 is a quarter of level 1.\n"
    "\n"
    "    oneline size --keys=1e9 --bits_per_key=10\n"
    "    oneline size --keys=1e12 --memory=1TiB --levels=5\n",
    {"keys", "bits_per_key", "fp_rate", "memory", "keys_per_filter", "levels",
     "size_ratio", "level0_files", "json"},
    0,
    0,
    &RunSize,
};

}  // namespace oneline
