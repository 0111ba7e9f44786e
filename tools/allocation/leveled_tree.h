// The sorted runs of an LSM tree under level compaction, computed from the few
// numbers that describe its shape.

#ifndef ONELINE_TOOLS_ALLOCATION_LEVELED_TREE_H_
#define ONELINE_TOOLS_ALLOCATION_LEVELED_TREE_H_

#include <vector>

#include "tools/allocation/level_allocation.h"

namespace oneline {

struct TreeShape {
  int level0_runs = 4;
  double level0_run_size = 0.25;  // number of keys / that of level 1
  // The size of level 2, 3, ... divided by that of the level above: {10, 10}
  // are three levels with sizes 1, 10 and 100.
  std::vector<double> size_ratios;
};

// Level 0 and the levels below it, size_ratios.size() + 2 levels in all, with
// `total_keys` together. All are of kind Ribbon.
std::vector<TreeLevel> LeveledTree(const TreeShape& shape,
                                   double total_keys = 1);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ALLOCATION_LEVELED_TREE_H_
