#include "tools/size/level_tree.h"

namespace oneline {

std::vector<TreeLevel> LeveledTree(const TreeShape& shape, double total_keys) {
  std::vector<TreeLevel> tree = {{shape.level0_run_size, shape.level0_runs},
                                 {1.0}};
  for (const double ratio : shape.size_ratios) {
    tree.push_back({tree.back().keys * ratio});
  }
  double sum = 0;
  for (const TreeLevel& level : tree) sum += level.keys * level.runs;
  for (TreeLevel& level : tree) level.keys *= total_keys / sum;
  return tree;
}

}  // namespace oneline
