// The sorted runs of a tree under leveled compaction, from the few numbers that
// describe its shape.

#ifndef ONELINE_FILTER_POLICY_ALLOCATION_LEVELED_TREE_H_
#define ONELINE_FILTER_POLICY_ALLOCATION_LEVELED_TREE_H_

#include <vector>

#include "filter_policy/allocation/level_allocation.h"

namespace oneline {

// Sizes count keys, the first level below level 0 being 1.
struct TreeShape {
  int level0_runs = 4;
  double level0_run_size = 0.25;
  // Of each further level to the one above it, from the top: {10, 10} are three
  // levels of 1, 10 and 100.
  std::vector<double> size_ratios;
};

// Level 0 and all levels below it, so size_ratios.size() + 2 of them, which
// share `total_keys`; all of kind Ribbon.
std::vector<TreeLevel> LeveledTree(const TreeShape& shape,
                                   double total_keys = 1);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ALLOCATION_LEVELED_TREE_H_
