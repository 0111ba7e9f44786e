// Tests of tools/allocation/leveled_tree.h.

#include "tools/allocation/leveled_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace oneline {
namespace {

TEST(LeveledTreeTest, LevelsGrowByTheirRatios) {
  const std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 8}});
  ASSERT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree[0].runs, 4);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(tree[i].runs, 1);
  EXPECT_DOUBLE_EQ(tree[1].keys, 4 * tree[0].keys);
  EXPECT_DOUBLE_EQ(tree[2].keys, 10 * tree[1].keys);
  EXPECT_DOUBLE_EQ(tree[3].keys, 8 * tree[2].keys);
}

TEST(LeveledTreeTest, LevelsShareTheKeys) {
  for (const double keys : {0.0, 1.0, 1e13}) {
    double sum = 0;
    for (const TreeLevel& level : LeveledTree({3, 0.5, {4, 4, 4}}, keys)) {
      sum += level.keys * level.runs;
    }
    EXPECT_DOUBLE_EQ(sum, keys);
  }
  // One level below level 0.
  EXPECT_DOUBLE_EQ(LeveledTree({2, 0.5, {}}, 100).back().keys, 50);
}

}  // namespace
}  // namespace oneline
