#include "tools/size/size_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "filter_policy/options/requested_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "oneline/filter_options.h"
#include "oneline/level_filters.h"
#include "tools/models/bisection.h"

namespace oneline {
namespace {

constexpr double kMinAsked = 1, kMaxAsked = 100;

// The smallest `asked`, in steps of 0.001, that is `enough`; kMaxAsked if none
// is.
double MinAsked(const std::function<bool(double asked)>& enough) {
  return Bisect(1000, 100 * 1000, [&](int x) { return enough(x / 1000.0); }) /
         1000.0;
}

// The largest `asked` with which filters take at most `bytes`; kMinAsked if
// there is none.
double MaxAsked(const std::function<double(double asked)>& bytes_with,
                double bytes) {
  if (bytes_with(kMaxAsked) <= bytes) return kMaxAsked;
  const double too_large =
      MinAsked([&](double asked) { return bytes_with(asked) > bytes; });
  return std::max(kMinAsked, std::round(too_large * 1000 - 1) / 1000);
}

using BytesFunction = size_t (*)(double asked, size_t keys);

// Without the rate, whose model takes long.
LevelPlan PlanLevel(BytesFunction bytes, const Store& store,
                    const TreeLevel& level, double asked) {
  LevelPlan plan;
  plan.asked = asked;
  const double filters = std::ceil(level.keys / store.keys_per_filter);
  plan.filters = filters * level.runs;
  // Of a level without runs, too, which may be given less than one key.
  plan.filter_keys =
      static_cast<size_t>(std::max(1l, std::lround(level.keys / filters)));
  if (asked > 0) {
    plan.bytes = plan.filters * bytes(asked, plan.filter_keys);
  }
  return plan;
}

// What is asked of each level.
using AskedOfLevels = std::vector<double>;

double BytesOf(BytesFunction bytes, const Store& store,
               const AskedOfLevels& asked) {
  double sum = 0;
  for (size_t i = 0; i < asked.size(); ++i) {
    sum += PlanLevel(bytes, store, store.levels[i], asked[i]).bytes;
  }
  return sum;
}

AskedOfLevels Uniform(const Store& store, double asked) {
  return AskedOfLevels(store.levels.size(), asked);
}

// What is asked of the model for filters of so many bits per key.
double AskedForBits(const FilterModel& model, double bits_per_key) {
  const double bits = RoundedBitsPerKey(bits_per_key);
  return model.asked_is_bits_per_key ? bits : BloomBits(bits);
}

// As our policy spreads them.
AskedOfLevels ByLevel(const FilterModel& model, const Store& store,
                      const FilterOptions& options, double bits_per_key) {
  const TreeBits tree(RuleFor(options, bits_per_key), store.size_ratio,
                      TreeBits::PaidIfFull(store.size_ratio));
  AskedOfLevels by_level = {AskedForBits(model, tree.level0)};
  for (size_t left = store.levels.size() - 1; left > 1; --left) {
    by_level.push_back(AskedForBits(model, tree.Above(left - 1)));
  }
  by_level.push_back(AskedForBits(model, tree.last));
  return by_level;
}

// The smallest `asked` whose filters have the rate.
double AskedForRate(const FilterModel& model, const Store& store, double rate,
                    const std::function<AskedOfLevels(double asked)>& spread) {
  // The last level has nearly all keys, and so the rate that counts.
  const size_t keys =
      PlanLevel(model.bytes, store, store.levels.back(), 0).filter_keys;
  return MinAsked([&](double asked) {
    const double of_last = spread(asked).back();
    return of_last > 0 && model.rate(of_last, keys).fp_rate <= rate;
  });
}

}  // namespace

std::vector<TreeLevel> LeveledTree(double keys, int levels, double size_ratio,
                                   int level0_runs) {
  std::vector<TreeLevel> tree = {{0.25, level0_runs}, {1.0}};
  for (int i = 1; i < levels; ++i) {
    tree.push_back({tree.back().keys * size_ratio});
  }
  const double sum = Store{tree}.Keys();
  for (TreeLevel& level : tree) level.keys *= keys / sum;
  return tree;
}

double Store::Keys() const {
  double keys = 0;
  for (const TreeLevel& level : levels) keys += level.keys * level.runs;
  return keys;
}

double Store::Runs() const {
  double runs = 0;
  for (const TreeLevel& level : levels) runs += level.runs;
  return runs;
}

SizePlan PlanFor(const FilterModel& model, bool by_level, const Store& store,
                 const SizeWanted& wanted) {
  SizePlan plan;
  plan.model = &model;
  plan.by_level = by_level;
  plan.options.kind = model.kind;
  plan.options.bits_by_level = by_level;
  if (by_level) {
    plan.options.hits = store.hits;
    if (model.ours()) plan.options.fp_rate = wanted.fp_rate;
  }
  FilterOptions no_hits = plan.options;
  no_hits.hits = 0;
  const auto spread_by = [&](const FilterOptions& options) {
    return [&, options](double asked) {
      return by_level ? ByLevel(model, store, options, asked)
                      : Uniform(store, asked);
    };
  };
  const auto spread = spread_by(plan.options);
  const auto for_memory = [&](double bytes) {
    return MaxAsked(
        [&](double asked) {
          return BytesOf(model.bytes, store, spread(asked));
        },
        bytes);
  };
  if (wanted.memory) {
    plan.asked = for_memory(*wanted.memory);
  } else if (wanted.fp_rate) {
    plan.asked =
        AskedForRate(model, store, *wanted.fp_rate, spread_by(no_hits));
  } else {
    plan.asked = std::round(*wanted.bits_per_key * 1000) / 1000;
    if (!by_level && !model.asked_is_bits_per_key) {
      plan.asked = for_memory(
          BytesOf(&RocksDBBloomBytes, store, Uniform(store, plan.asked)));
    }
  }
  if (!plan.options.fp_rate.has_value()) plan.options.bits_per_key = plan.asked;
  for (const double asked : spread(plan.asked)) {
    const size_t i = plan.levels.size();
    LevelPlan level = PlanLevel(model.bytes, store, store.levels[i], asked);
    if (asked > 0) level.rate = model.rate(asked, level.filter_keys);
    plan.bytes += level.bytes;
    const double absent = i + 1 < store.levels.size() ? 1 : 1 - store.hits;
    plan.false_positives += level.rate.fp_rate * store.levels[i].runs * absent;
    plan.levels.push_back(level);
  }
  plan.bits_per_key = 8 * plan.bytes / store.Keys();
  return plan;
}

}  // namespace oneline
