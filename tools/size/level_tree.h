// The sorted runs of a tree under leveled compaction, and their sizes.

#ifndef ONELINE_TOOLS_SIZE_LEVEL_TREE_H_
#define ONELINE_TOOLS_SIZE_LEVEL_TREE_H_

#include <vector>

namespace oneline {

// The sorted runs of one level: several in level 0, one in every deeper level.
struct TreeLevel {
  double keys = 0;  // in each run
  int runs = 1;     // 0 or more
  // Of the lookups that come to these runs, the share whose key is in none of
  // them: only these can waste a read there. Less than 1 in a last level where
  // lookups find their keys.
  double absent = 1;
};

struct TreeShape {
  int level0_runs = 4;
  double level0_run_size = 0.25;  // number of keys / that of level 1
  // The size of level 2, 3, ... divided by that of the level above: {10, 10}
  // are three levels with sizes 1, 10 and 100.
  std::vector<double> size_ratios;
};

// Level 0 and the levels below it, size_ratios.size() + 2 in all, with
// `total_keys` together.
std::vector<TreeLevel> LeveledTree(const TreeShape& shape, double total_keys);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_LEVEL_TREE_H_
