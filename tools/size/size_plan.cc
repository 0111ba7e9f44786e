#include "tools/size/size_plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include "oneline/filter_options.h"
#include "table/block/filter_kind.h"
#include "tools/size/rocksdb_models.h"

namespace oneline {
namespace {

constexpr double kLeastAsked = 1, kMostAsked = 100;

// The least asked, in thousandths, that is `enough`; kMostAsked if none is.
double LeastAsked(const std::function<bool(double asked)>& enough) {
  int low = 1000, high = 100000;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (enough(middle / 1000.0)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low / 1000.0;
}

LevelPlan PlanFilters(const Store& store, const TreeLevel& level) {
  LevelPlan plan;
  const double filters =
      std::ceil(level.keys / static_cast<double>(store.keys_per_filter));
  plan.filters = filters * level.runs;
  plan.filter_keys = static_cast<size_t>(std::lround(level.keys / filters));
  return plan;
}

using BytesFunction = size_t (*)(double asked, size_t keys);

double BytesOf(BytesFunction bytes, const LevelPlan& level, double asked) {
  if (asked == 0) return 0;
  return level.filters * static_cast<double>(bytes(asked, level.filter_keys));
}

double BytesOf(BytesFunction bytes, const Store& store, double asked) {
  double sum = 0;
  for (const TreeLevel& level : store.levels) {
    sum += BytesOf(bytes, PlanFilters(store, level), asked);
  }
  return sum;
}

// The most asked with which the filters of a store take no more than `bytes`;
// kLeastAsked if there is none.
double MostAsked(const FilterModel& model, const Store& store, double bytes) {
  if (BytesOf(model.bytes, store, kMostAsked) <= bytes) return kMostAsked;
  const double too_many = LeastAsked(
      [&](double asked) { return BytesOf(model.bytes, store, asked) > bytes; });
  return std::max(kLeastAsked, std::round(too_many * 1000 - 1) / 1000);
}

double Asked(const FilterModel& model, const Store& store,
             const SizeWanted& wanted) {
  if (wanted.memory) return MostAsked(model, store, *wanted.memory);
  if (wanted.fp_rate) {
    // Nearly all keys are in the last level.
    const size_t keys = PlanFilters(store, store.levels.back()).filter_keys;
    return LeastAsked([&](double asked) {
      return model.fp_rate(asked, keys) <= *wanted.fp_rate;
    });
  }
  const double bits = std::round(*wanted.bits_per_key * 1000) / 1000;
  if (model.asked_by_memory) return bits;
  return MostAsked(model, store, BytesOf(&RocksDBBloomBytes, store, bits));
}

SizePlan PlanOf(const FilterModel& model, const Store& store, double asked,
                const std::vector<double>& asked_of_levels) {
  SizePlan plan;
  plan.model = &model;
  plan.asked = asked;
  for (size_t i = 0; i < store.levels.size(); ++i) {
    LevelPlan level = PlanFilters(store, store.levels[i]);
    level.asked = asked_of_levels[i];
    level.bytes = BytesOf(model.bytes, level, level.asked);
    if (level.asked > 0) {
      level.fp_rate = model.fp_rate(level.asked, level.filter_keys);
    }
    plan.bytes += level.bytes;
    plan.false_positives += level.fp_rate * store.levels[i].runs;
    plan.levels.push_back(level);
  }
  plan.bits_per_key = 8 * plan.bytes / store.Keys();
  return plan;
}

std::vector<TreeLevel> TreeOfKind(const Store& store, uint8_t kind) {
  std::vector<TreeLevel> tree = store.levels;
  for (TreeLevel& level : tree) level.kind = static_cast<Kind>(kind);
  return tree;
}

}  // namespace

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

double LeastMemory(const Store& store) {
  double most = 0;
  for (const FilterModel& model : kFilterModels) {
    most = std::max(most, BytesOf(model.bytes, store, kLeastAsked));
  }
  return most;
}

SizePlan UniformPlan(const FilterModel& model, const Store& store,
                     const SizeWanted& wanted) {
  const double asked = Asked(model, store, wanted);
  return PlanOf(model, store, asked,
                std::vector<double>(store.levels.size(), asked));
}

SizePlan MonkeyPlan(const SizePlan& uniform, const Store& store,
                    const SizeWanted& wanted) {
  assert(uniform.model->kind != 0);
  const std::vector<TreeLevel> tree = TreeOfKind(store, uniform.model->kind);
  const double asked =
      wanted.fp_rate
          ? LeastBitsPerKey(tree, uniform.false_positives, kDefaultEffort)
          : uniform.asked;
  SizePlan plan = PlanOf(*uniform.model, store, asked,
                         AllocateBits(tree, asked, kDefaultEffort));
  plan.monkey = true;
  return plan;
}

}  // namespace oneline
