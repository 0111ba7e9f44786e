// Tests of bench/fixed_tree.h.

#include "bench/fixed_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace oneline {
namespace {

TEST(FixedTreeTest, SharesMakeAWhole) {
  for (const FixedTree& tree : {TenfoldTree(), StockTree()}) {
    double sum = 0;
    for (const Generation& generation : tree.generations) {
      sum += generation.num_flushes * generation.share_of_flush;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(FixedTreeTest, EachFlushGetsItsShare) {
  const LoadPlan plan = PlanLoad(TenfoldTree(), 100000, 1);
  std::vector<size_t> records_of_flush(15);
  for (uint8_t flush : plan.flush_of_record) ++records_of_flush.at(flush);
  EXPECT_NEAR(records_of_flush[0], 11000, 1000);
  EXPECT_NEAR(records_of_flush[14], 250, 100);
  // All but the last four flushes, a hundredth, are compacted.
  EXPECT_NEAR(plan.entries_written(), 199000, 300);
}

TEST(FixedTreeTest, ThePlanDependsOnTheSeedAlone) {
  const auto plan = [](uint64_t seed) {
    return PlanLoad(StockTree(), 1000, seed).flush_of_record;
  };
  EXPECT_EQ(plan(1), plan(1));
  EXPECT_NE(plan(1), plan(2));
}

}  // namespace
}  // namespace oneline
