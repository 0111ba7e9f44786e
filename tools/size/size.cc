// The command `oneline size`: memory and false-positive rate of each kind of
// filter, for a number of keys or a whole tree, before anything is built.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/command/command.h"
#include "tools/size/size_plan.h"
#include "tools/size/size_report.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

struct SizeFlags {
  std::optional<double> keys;
  SizeWanted wanted;
  double keys_per_filter = 1e6;
  std::optional<int> levels;
  double size_ratio = 10;
  int level0_files = 4;
  double hits = 0;
  bool json = false;
};

absl::Status CheckGiven(const SizeFlags& flags, const Flags& all) {
  if (!flags.keys.has_value()) {
    return absl::InvalidArgumentError(
        "--keys must be given: the number of keys in the store");
  }
  const int wanted = int{flags.wanted.bits_per_key.has_value()} +
                     int{flags.wanted.fp_rate.has_value()} +
                     int{flags.wanted.memory.has_value()};
  if (wanted != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("exactly one of --bits_per_key, --fp_rate and --memory "
                     "must be given, not ",
                     wanted));
  }
  for (const std::string& flag : all.Given()) {
    if (!flags.levels.has_value() &&
        (flag == "--size_ratio" || flag == "--level0_files" ||
         flag == "--hits")) {
      return absl::InvalidArgumentError(flag + " needs --levels");
    }
  }
  return absl::OkStatus();
}

// Each run needs a key.
absl::StatusOr<Store> StoreOf(const SizeFlags& flags) {
  const auto per_filter = static_cast<size_t>(flags.keys_per_filter);
  if (!flags.levels.has_value()) return Store{{{*flags.keys}}, 1, per_filter};
  const Store store{LeveledTree(*flags.keys, *flags.levels, flags.size_ratio,
                                flags.level0_files),
                    flags.size_ratio, per_filter, flags.hits};
  double least = store.levels[1].keys;
  if (flags.level0_files > 0) least = std::min(least, store.levels[0].keys);
  if (least >= 1) return store;
  const double needed = std::ceil(*flags.keys / least);
  return absl::InvalidArgumentError(absl::StrCat(
      "--keys must be at least ",
      needed <= kMaxKeyCount ? KeyCountText(needed) : absl::StrCat(needed),
      " for a tree with that many levels"));
}

// In a tree each kind has two.
std::vector<SizePlan> PlansOf(const SizeFlags& flags, const Store& store) {
  std::vector<SizePlan> plans;
  for (const FilterModel& model : kFilterModels) {
    for (const bool by_level : {false, true}) {
      if (by_level && !store.is_tree()) continue;
      plans.push_back(PlanFor(model, by_level, store, flags.wanted));
    }
  }
  return plans;
}

absl::StatusOr<int> RunSize(const SizeFlags& flags, const Flags& all) {
  const absl::Status given = CheckGiven(flags, all);
  if (!given.ok()) return given;
  const absl::StatusOr<Store> store = StoreOf(flags);
  if (!store.ok()) return store.status();
  const std::vector<SizePlan> plans = PlansOf(flags, *store);
  // Those with the least bits may take more than there is.
  double least = 0;
  for (const SizePlan& plan : plans) {
    if (plan.bytes > flags.wanted.memory.value_or(plan.bytes)) {
      least = std::max(least, plan.bytes);
    }
  }
  if (least > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--memory must be at least ", BytesText(least), ", 1 bit per key"));
  }
  if (flags.json) {
    PrintSizeJson(*store, plans);
  } else {
    PrintSizeTable(*store, flags.wanted, plans);
  }
  return kExitFine;
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<SizeFlags>();
  flags->Number("--keys=N",
                "keys in the whole database, such as 5000000, 1e13 or 10M",
                {1, kMaxKeyCount}, &given->keys);
  flags->Number("--bits_per_key=BITS", "filter bits for each key", {1, 100},
                &given->wanted.bits_per_key);
  flags->Number("--fp_rate=RATE",
                "the fraction of absent keys that a filter matches",
                {1e-9, 0.5}, &given->wanted.fp_rate);
  flags->Size("--memory=SIZE",
              "a budget for all filters, such as 512MiB: the most bits per key "
              "that fit",
              {1, kMaxBytes}, &given->wanted.memory);
  // With more keys RocksDB writes a Bloom filter instead of a Ribbon.
  flags->Number("--keys_per_filter=N",
                "keys in each table, or in each partition of a filter",
                {1, kMaxRibbonKeys}, &given->keys_per_filter);
  flags->Number("--levels=N", "levels below level 0 that have tables", {1, 30},
                &given->levels);
  flags->Number("--size_ratio=RATIO",
                "with --levels: size of each level divided by that of the "
                "level above",
                {1, 1000}, &given->size_ratio);
  flags->Number("--level0_files=N", "with --levels: tables in level 0",
                {0, 1000}, &given->level0_files);
  flags->Number("--hits=FRACTION",
                "with --levels: of the lookups that come to the last level, "
                "those that find their key there",
                {0, 1}, &given->hits);
  flags->Switch("--json", "print JSON instead of text", &given->json);
  return [given, flags] { return RunSize(*given, *flags); };
}

}  // namespace

const Command kSizeCommand = {
    "size",
    "--keys=N (--bits_per_key|--fp_rate|--memory)=VALUE [FLAGS]",
    "memory and false positives of filters for a given number of keys",
    R"(Prints, for each kind of filter, ours and RocksDB's, before anything is built:
bits per key, memory, false-positive rate, and the false positives of a million
lookups of absent keys. Each filter has --keys_per_filter keys; --fp_rate is the
rate of each filter.

With --levels the store is a tree under leveled compaction: a lookup of an
absent key probes one filter of each run in level 0 and one of each level below.
A run in level 0 has a quarter of the keys of level 1. Each kind then has two
plans: "uniform" has the same bits per key in all levels; "by level", the
default of oneline, has more in small levels than in the last one.

Exit codes: 0 done, 2 failed.

Examples:

    $ oneline size --keys=1e9 --bits_per_key=10
    $ oneline size --keys=1e12 --memory=1TiB --levels=5
    $ oneline size --keys=1e9 --bits_per_key=10 --levels=3 --hits=0.9
)",
    &Define,
};

}  // namespace oneline
