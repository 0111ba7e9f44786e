// The filters of a store that is not there yet: what they take and what
// lookups of absent keys then cost, for each kind of filter.
//
//   store -> sorted runs -> filters, one for each table or partition
//
// A lookup of an absent key asks one filter of each run; each that passes it
// costs a read that finds nothing.

#ifndef ONELINE_TOOLS_SIZE_SIZE_PLAN_H_
#define ONELINE_TOOLS_SIZE_SIZE_PLAN_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "filter_policy/allocation/level_allocation.h"
#include "tools/size/filter_models.h"

namespace oneline {

struct Store {
  // Level 0 first; one level of one run for a store that is no tree. Each run
  // has keys.
  std::vector<TreeLevel> levels;
  // The most, 1 to kMostRibbonKeys: a run's keys are spread evenly over as few
  // filters as that allows.
  size_t keys_per_filter = 1;

  double Keys() const;
  double Runs() const;
};

// The size of filters by one measure: exactly one is given.
struct SizeWanted {
  std::optional<double> bits_per_key;  // 1 to 100, counted in thousandths
  std::optional<double> fp_rate;       // of each filter
  std::optional<double> memory;        // bytes, of all filters
};

// The filters of one level.
struct LevelPlan {
  double asked = 0;        // see FilterModel; 0: no filter
  double filters = 0;      // of all runs
  size_t filter_keys = 0;  // of each filter
  double bytes = 0;        // of all runs
  double fp_rate = 1;      // of each filter
};

struct SizePlan {
  const FilterModel* model;
  bool monkey = false;  // each level has its own bits per key
  double asked = 0;     // see FilterModel; for monkey the average
  std::vector<LevelPlan> levels;
  double bytes = 0;
  double bits_per_key = 0;     // that the filters really have
  double false_positives = 0;  // for each lookup of an absent key
};

// The least memory that any kind needs: less can't be wanted.
double LeastMemory(const Store& store);

// As much as is wanted, or as near as the kind comes: never more memory than
// wanted, and no more false positives unless 100 bits per key are not enough.
//
// RocksDB's Ribbon gets no bits per key, its option being something else; it
// gets the memory that RocksDB's Bloom has with those.
SizePlan UniformPlan(const FilterModel& model, const Store& store,
                     const SizeWanted& wanted);

// By allocation=monkey: with a rate wanted, as many false positives as the
// uniform plan for less memory; otherwise fewer for the same bits per key, and
// so, but for the rounding of each filter to whole lines, the same memory.
// REQUIRES: the model is one of ours.
SizePlan MonkeyPlan(const SizePlan& uniform, const Store& store,
                    const SizeWanted& wanted);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_SIZE_PLAN_H_
