// Tests of bench/comparison/fixed_tree.h.

#include "bench/comparison/fixed_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace oneline {
namespace {

TEST(FixedTreeTest, SharesAddUpToOne) {
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
  ASSERT_EQ(plan.flushes.size(), 15u);
  size_t records = 0;
  for (const auto& flush : plan.flushes) records += flush.size();
  EXPECT_EQ(records, 100000u);
  EXPECT_NEAR(plan.flushes[0].size(), 11000, 1000);
  EXPECT_NEAR(plan.flushes[14].size(), 250, 100);
  // All flushes but the last four, a hundredth of the records, are compacted.
  EXPECT_NEAR(plan.entries_written(), 199000, 300);
}

TEST(FixedTreeTest, ThePlanDependsOnlyOnTheSeed) {
  const auto plan = [](uint64_t seed) {
    return PlanLoad(StockTree(), 1000, seed).flushes;
  };
  EXPECT_EQ(plan(1), plan(1));
  EXPECT_NE(plan(1), plan(2));
}

TEST(FixedTreeTest, AFlushHasTheSameRecordsInEitherOrder) {
  const LoadPlan sorted = PlanLoad(StockTree(), 1000, 1, Arrival::kSorted);
  const LoadPlan random = PlanLoad(StockTree(), 1000, 1, Arrival::kRandom);
  ASSERT_EQ(sorted.flushes.size(), random.flushes.size());
  for (size_t i = 0; i < sorted.flushes.size(); ++i) {
    std::vector<uint32_t> records = random.flushes[i];
    EXPECT_FALSE(std::is_sorted(records.begin(), records.end()));
    std::sort(records.begin(), records.end());
    EXPECT_EQ(records, sorted.flushes[i]);
  }
}

}  // namespace
}  // namespace oneline
