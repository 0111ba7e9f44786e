// Tests of tools/advise/read_costs.h: costs of made statistics, of which the
// right ones are known. advise_read_costs_test.cc has the LOG of a database.

#include "tools/advise/read_costs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"

namespace oneline {
namespace {

// 4 tables in level 0, then levels of 100,000 and of a million keys, with
// filters of 10 bits that pass a hundredth.
ColumnFamilyModel Model() {
  ColumnFamilySummary family;
  family.name = "default";
  const auto add = [&](int level, uint64_t keys) {
    TableSummary table;
    table.file.level = level;
    table.keys = keys;
    table.filter_bytes = keys * 10 / 8;
    table.fp_rate = 0.01;
    family.tables.push_back(table);
  };
  for (int i = 0; i < 4; ++i) add(0, 25000);
  add(5, 100000);
  add(6, 1000000);
  return ColumnFamilyModel::Create(family, PolicyInOptions("oneline:10"));
}

// A million lookups of absent keys: 60,000 wasted reads, of which 10,000 are of
// the last level. All of these come from a file, in 100 us, and no others.
FilterStatistics Statistics() {
  FilterStatistics statistics;
  statistics.lookups = 1000000;
  statistics.negatives = 5940000;
  statistics.positives = 60000;
  statistics.block_reads = 10000;
  statistics.block_read_micros = 1000000;
  statistics.file_reads["default"][6] = {10000, 100};
  return statistics;
}

TEST(ReadCostsTest, TheLastLevelCostsWhatItsReadsTake) {
  const auto costs = EstimateReadCosts(Model(), Statistics());
  ASSERT_TRUE(costs.ok()) << costs.status();
  ASSERT_EQ(costs->levels.size(), 3u);
  const double search = costs->levels[0].micros;
  EXPECT_GT(search, 0);
  EXPECT_LT(search, 5);
  EXPECT_EQ(costs->levels[1].micros, search);
  EXPECT_NEAR(costs->levels[2].micros, search + 100, 1e-9);
  EXPECT_NEAR(costs->levels[0].blocks, 40000, 1e-6);
  EXPECT_NEAR(costs->levels[1].blocks, 10000, 1e-6);
  EXPECT_NEAR(costs->levels[2].blocks, 10000, 1e-6);
  for (const LevelReadCost& level : costs->levels) EXPECT_EQ(level.asked, 1);
  EXPECT_NEAR(costs->last_level_cost / ((search + 100) / search), 1, 0.05);
  EXPECT_TRUE(costs->only_lookups);
  // The arithmetic mean of the costs by their geometric mean, over keys.
  const double last = 1e6 / 1.2e6, cost = costs->last_level_cost;
  EXPECT_NEAR(1 - costs->saved, std::pow(cost, last) / (1 - last + last * cost),
              0.03);
}

TEST(ReadCostsTest, BlocksFromTheCacheCostLess) {
  FilterStatistics statistics = Statistics();
  statistics.file_reads["default"][6].count = 5000;
  EXPECT_NEAR(EstimateReadCosts(Model(), statistics)->levels[2].micros,
              EstimateReadCosts(Model(), Statistics())->levels[2].micros - 50,
              1e-9);
  // No more than all of them come from files.
  statistics.file_reads["default"][6].count = 1000000;
  const auto costs = EstimateReadCosts(Model(), statistics);
  EXPECT_EQ(costs->levels[2].micros,
            EstimateReadCosts(Model(), Statistics())->levels[2].micros);
  // They can't all be those of lookups, which read 10,000 blocks.
  EXPECT_FALSE(costs->only_lookups);
  // A compaction reads more at once.
  statistics = Statistics();
  statistics.file_reads["default"][5] = {500, 5000};
  EXPECT_FALSE(EstimateReadCosts(Model(), statistics)->only_lookups);
}

TEST(ReadCostsTest, LevelsThatCostTheSameNeedNoOption) {
  FilterStatistics statistics = Statistics();
  statistics.block_reads = 60000;
  statistics.file_reads["default"][0] = {40000, 100};
  statistics.file_reads["default"][5] = {10000, 100};
  const auto costs = EstimateReadCosts(Model(), statistics);
  ASSERT_TRUE(costs.ok()) << costs.status();
  EXPECT_EQ(costs->last_level_cost, 1);
  EXPECT_NEAR(costs->saved, 0, 1e-9);
}

// A lookup that finds its key does not come to the levels below, and wastes no
// read where it finds it.
TEST(ReadCostsTest, KeysThatAreFoundCount) {
  FilterStatistics statistics = Statistics();
  statistics.memtable_hits = 100000;
  statistics.level0_hits = 50000;
  statistics.level1_hits = 1;  // a level that has no tables now
  statistics.deeper_hits = 550000;
  const auto costs = EstimateReadCosts(Model(), statistics);
  ASSERT_TRUE(costs.ok()) << costs.status();
  EXPECT_NEAR(costs->levels[0].asked, 0.85, 1e-9);
  EXPECT_NEAR(costs->levels[1].asked, 0.80, 1e-9);
  EXPECT_NEAR(costs->levels[2].asked, 0.30, 1e-9);
  // Wasted reads by the filters that were asked, and hits.
  const double wasted = 60000 / (4 * 0.85 + 0.80 + 0.30);
  EXPECT_NEAR(costs->levels[0].blocks, 50000 + wasted * 4 * 0.85, 1e-3);
  EXPECT_NEAR(costs->levels[1].blocks, 50000 + wasted * 0.80, 1e-3);
  EXPECT_NEAR(costs->levels[2].blocks, 500000 + wasted * 0.30, 1e-3);
}

TEST(ReadCostsTest, StatisticsThatSayNothingAreAnError) {
  const auto error = [](const FilterStatistics& statistics) {
    return std::string(
        EstimateReadCosts(Model(), statistics).status().message());
  };
  EXPECT_NE(error(FilterStatistics()).find("no lookup read"),
            std::string::npos);
  FilterStatistics statistics = Statistics();
  statistics.file_reads.clear();
  statistics.file_reads["another"][6] = {10000, 100};
  EXPECT_NE(error(statistics).find("no lookup read"), std::string::npos);
  statistics = Statistics();
  statistics.lookups = 0;
  EXPECT_NE(error(statistics).find("no lookup read"), std::string::npos);
  statistics = Statistics();
  statistics.positives = 500;
  EXPECT_NE(error(statistics).find("too few blocks"), std::string::npos);
  // Every key is found, or more keys than were looked up.
  for (const uint64_t hits : {1000000, 2000000}) {
    statistics = Statistics();
    statistics.deeper_hits = hits;
    EXPECT_NE(error(statistics).find("too few blocks"), std::string::npos);
    statistics.memtable_hits = hits;
    EXPECT_NE(error(statistics).find("too few blocks"), std::string::npos);
  }
}

}  // namespace
}  // namespace oneline
