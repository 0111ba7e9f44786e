// Plans the filters of a store that does not exist yet: for each kind of filter
// the memory, and the cost of looking up absent keys. A lookup of one probes a
// filter of each sorted run; each false positive costs a read that finds
// nothing.

#ifndef ONELINE_TOOLS_SIZE_SIZE_PLAN_H_
#define ONELINE_TOOLS_SIZE_SIZE_PLAN_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "tools/size/filter_models.h"

namespace oneline {

// The sorted runs of one level: several in level 0, one in every deeper level.
struct TreeLevel {
  double keys = 0;  // in each run
  int runs = 1;     // 0 or more
};

struct Store {
  // Level 0 first. A store that is not a tree has one level with one run. No
  // run is empty.
  std::vector<TreeLevel> levels;
  double size_ratio = 10;  // of neighbouring levels of a tree
  // The maximum, 1 to kMaxRibbonKeys: the keys of a run are divided evenly
  // among as few filters as this allows.
  size_t keys_per_filter = 1;
  // Of the lookups that come to the last level, the share that find their key
  // there, 0 to 1: they can't waste a read.
  double hits = 0;

  bool is_tree() const { return levels.size() > 1; }
  double Keys() const;
  double Runs() const;
};

// The levels of a full tree under leveled compaction: level 0, whose runs have
// a quarter of the keys of level 1, and `levels` below it, each `size_ratio`
// times as large as the one above.
std::vector<TreeLevel> LeveledTree(double keys, int levels, double size_ratio,
                                   int level0_runs);

// The goal of a plan: exactly one member is set.
struct SizeWanted {
  std::optional<double> bits_per_key;  // 1 to 100, rounded to 0.001
  std::optional<double> fp_rate;       // of each filter
  std::optional<double> memory;        // bytes of all filters
};

// The filters of one level.
struct LevelPlan {
  double asked = 0;          // see FilterModel; 0: no filters
  double filters = 0;        // the number of filters of all runs
  size_t filter_keys = 0;    // the keys of each filter
  double bytes = 0;          // the size of all filters of the level
  FilterRate rate = {1, 0};  // of each filter
};

struct SizePlan {
  const FilterModel* model;
  // Bits are spread over levels as our policy does by default; otherwise they
  // are the same for all.
  bool by_level = false;
  double asked = 0;       // see FilterModel; by level bits per key
  FilterOptions options;  // of our policy, in a tree
  std::vector<LevelPlan> levels;
  double bytes = 0;
  double bits_per_key = 0;     // 8 * bytes / keys
  double false_positives = 0;  // that cost a read, to expect of one lookup
};

// The largest filters that need no more than the wanted memory, or the smallest
// whose rate on the last level is at most the wanted one (if 100 bits per key
// are not enough, those with 100).
//
// `by_level`: more bits for small levels, as our policy gives them with
// bits_by_level and the hits of the store; a rate that is wanted is then that
// at no hits. REQUIRES: the store is a tree. Otherwise all levels have the same
// bits per key.
//
// The option of RocksDB's own Ribbon policy is not its bits per key. With bits
// per key wanted it gets the memory that RocksDB's Bloom filter has with them.
SizePlan PlanFor(const FilterModel& model, bool by_level, const Store& store,
                 const SizeWanted& wanted);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_SIZE_PLAN_H_
