// Tests of filter_policy/rocksdb/rocksdb_level_bits.h: the bits per key of
// tables of every level, reason and compaction style, where the tables of the
// tree are not all known. rocksdb_level_bits_known_tree_test.cc has the others.

#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "filter_policy/allocation/level_allocation.h"
#include "filter_policy/allocation/leveled_tree.h"
#include "table/block/filter_kind.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyOptions;
using rocksdb::TableFileCreationReason;
using Bits = std::vector<double>;

constexpr int kLevels = 7;

// What RocksDB tells of a new table.
struct Table {
  int level;
  bool bottommost = false;
  std::string family = "default";
  rocksdb::CompactionStyle style = rocksdb::kCompactionStyleLevel;
};

class LevelBitsTest : public testing::Test {
 protected:
  LevelBitsTest() {
    options_.allocation = Allocation::kMonkey;
    tree_.level_compaction_dynamic_level_bytes = false;
    // A policy does not see tables whose filters are in a cache.
    table_.cache_index_and_filter_blocks = true;
    tree_.table_factory.reset(NewBlockBasedTableFactory(table_));
  }

  std::optional<double> BitsOf(const Table& table,
                               TableFileCreationReason reason) {
    rocksdb::FilterBuildingContext context(table_);
    context.column_family_name = table.family;
    context.level_at_creation = table.level;
    context.is_bottommost = table.bottommost;
    context.compaction_style = table.style;
    context.reason = reason;
    if (reason != TableFileCreationReason::kMisc) context.num_levels = kLevels;
    return bits_.BitsPerKey(options_, context);
  }
  double BitsOf(const Table& table) {
    return BitsOf(table, table.level == 0
                             ? TableFileCreationReason::kFlush
                             : TableFileCreationReason::kCompaction)
        .value_or(-1);
  }
  double BitsOfFile(const std::string& family = "") {
    return BitsOf({-1, false, family}, TableFileCreationReason::kMisc)
        .value_or(-1);
  }
  // The bits of a table of level 0 and of each level from `first` to `last`, of
  // which the last one is bottommost.
  Bits BitsOfLevels(int first, int last) {
    Bits bits = {BitsOf({0})};
    for (int level = first; level < last; ++level)
      bits.push_back(BitsOf({level}));
    bits.push_back(BitsOf({last, true}));
    return bits;
  }
  void ObserveOptions() { bits_.ObserveOptions(database_, tree_); }

  FilterOptions options_;
  rocksdb::BlockBasedTableOptions table_;
  rocksdb::DBOptions database_;
  // 4 runs of 64 MiB in level 0, 256 MiB in level 1, ten times as much in each
  // further level.
  ColumnFamilyOptions tree_;
  LevelBits bits_;
};

Bits Expected(const TreeShape& shape, double average = 10) {
  return AllocateBits(LeveledTree(shape), average, kDefaultEffort);
}

TEST_F(LevelBitsTest, UniformDoesNotDependOnLevels) {
  options_.allocation = Allocation::kUniform;
  ObserveOptions();
  for (int level = -1; level < kLevels; ++level) {
    EXPECT_EQ(BitsOf({level}, TableFileCreationReason::kCompaction),
              std::nullopt);
  }
}

TEST_F(LevelBitsTest, ByDefaultBitsAreAllocatedFromFourOn) {
  EXPECT_EQ(FilterOptions().allocation, Allocation::kAuto);
  options_.allocation = Allocation::kAuto;
  ObserveOptions();
  BitsOf({5, true});
  const TreeShape shape = {4, 0.25, {10, 10, 10, 10}};
  EXPECT_EQ(BitsOfLevels(1, 5), Expected(shape));
  options_.bits_per_key = 4;
  EXPECT_EQ(BitsOfLevels(1, 5), Expected(shape, 4));
  EXPECT_GT(BitsOf({5, true}), 0);
  // All of these would be filtered otherwise.
  const Bits uniform(6, -1);
  options_.bits_per_key = 3.999;
  EXPECT_EQ(BitsOfLevels(1, 5), uniform);
  options_.bits_per_key.reset();
  options_.fp_rate = 0.01;
  EXPECT_EQ(BitsOfLevels(1, 5), uniform);
}

TEST_F(LevelBitsTest, ByDefaultTablesOutsideOfTreesAreUniform) {
  options_.allocation = Allocation::kAuto;
  ObserveOptions();
  BitsOf({5, true});
  EXPECT_EQ(BitsOfFile("default"), -1);
  EXPECT_EQ(BitsOfFile(), -1);
  for (const auto style :
       {rocksdb::kCompactionStyleUniversal, rocksdb::kCompactionStyleFIFO}) {
    EXPECT_EQ(BitsOf({0, false, "default", style}), -1);
  }
}

TEST_F(LevelBitsTest, LevelsGetWhatTheAllocationGivesThem) {
  ObserveOptions();
  BitsOf({5, true});
  EXPECT_EQ(BitsOfLevels(1, 5), Expected({4, 0.25, {10, 10, 10, 10}}));
}

TEST_F(LevelBitsTest, TheShapeIsTheColumnFamilys) {
  tree_.max_bytes_for_level_multiplier = 6;
  tree_.max_bytes_for_level_multiplier_additional = {7, 1, 2};
  tree_.level0_file_num_compaction_trigger = 8;
  tree_.write_buffer_size = 16 << 20;
  tree_.min_write_buffer_number_to_merge = 2;
  tree_.max_bytes_for_level_base = 128 << 20;
  ObserveOptions();
  BitsOf({5, true});
  EXPECT_EQ(BitsOfLevels(1, 5), Expected({8, 0.25, {6, 12, 6, 6}}));
}

TEST_F(LevelBitsTest, ASuccessorKnowsTheTree) {
  tree_.max_bytes_for_level_multiplier = 6;
  ObserveOptions();
  BitsOf({5, true});
  const Bits expected = Expected({4, 0.25, {6, 6, 6, 6}});
  LevelBits successor(bits_.tree());
  rocksdb::FilterBuildingContext context(table_);
  context.column_family_name = "default";
  context.compaction_style = rocksdb::kCompactionStyleLevel;
  context.reason = TableFileCreationReason::kFlush;
  context.num_levels = kLevels;
  context.level_at_creation = 0;
  EXPECT_EQ(successor.BitsPerKey(options_, context), expected[0]);
  // Nothing is known of another tree of that shape.
  successor.ForgetTables();
  EXPECT_EQ(successor.BitsPerKey(options_, context),
            Expected({4, 0.25, {6, 6}})[0]);
  EXPECT_EQ(BitsOfLevels(1, 5), expected);
}

TEST_F(LevelBitsTest, WithoutObservedOptionsTheShapeIsRocksDBsDefault) {
  BitsOf({1});
  BitsOf({3, true});
  EXPECT_EQ(BitsOfLevels(1, 3), Expected({4, 0.25, {10, 10}}));
}

// Tables show which levels are in use: the deepest level of any table, or the
// level below a table that has older data below it.
TEST_F(LevelBitsTest, LevelsInUseAreLearnt) {
  ObserveOptions();
  // Before anything is known, as in a tree of three levels: too few bits would
  // cost more than too many.
  EXPECT_EQ(BitsOf({0}), Expected({4, 0.25, {10, 10}})[0]);
  const Bits one = Expected({4, 0.25, {}});
  EXPECT_EQ(BitsOf({1, true}), one[1]);
  EXPECT_EQ(BitsOf({0}), one[0]);
  const Bits two = Expected({4, 0.25, {10}});
  EXPECT_EQ(BitsOf({1}), two[1]);
  EXPECT_EQ(BitsOf({0}), two[0]);
  const Bits four = Expected({4, 0.25, {10, 10, 10}});
  EXPECT_EQ(BitsOf({3}), four[3]);
  EXPECT_EQ(BitsOf({0}), four[0]);
  EXPECT_EQ(BitsOf({2}), four[2]);
  // There is no level below the last one.
  BitsOf({6});
  EXPECT_EQ(BitsOf({6, true}), Expected({4, 0.25, {10, 10, 10, 10, 10}})[6]);
}

TEST_F(LevelBitsTest, ATableAtTheBottomIsOfTheLastLevel) {
  ObserveOptions();
  BitsOf({5, true});
  const Bits bits = Expected({4, 0.25, {10, 10, 10, 10}});
  for (int level = 1; level <= 6; ++level) {
    EXPECT_EQ(BitsOf({level, true}), level < 6 ? bits[5] : BitsOf({6, true}));
  }
}

TEST_F(LevelBitsTest, LevelsCountedFromTheLast) {
  tree_.level_compaction_dynamic_level_bytes = true;
  ObserveOptions();
  EXPECT_EQ(BitsOf({0}), Expected({4, 0.25, {10, 10}})[0]);
  EXPECT_EQ(BitsOf({6, true}), Expected({4, 0.25, {}})[1]);
  EXPECT_EQ(BitsOf({5}), Expected({4, 0.25, {10}})[1]);
  BitsOf({3});
  const Bits bits = Expected({4, 0.25, {10, 10, 10}});
  EXPECT_EQ(BitsOfLevels(3, 6), bits);
  EXPECT_EQ(BitsOf({0}), bits[0]);
  // RocksDB ignores these ratios with dynamic level sizes.
  tree_.max_bytes_for_level_multiplier_additional = {2, 2, 2, 2, 2, 2, 2};
  ObserveOptions();
  EXPECT_EQ(BitsOf({0}), bits[0]);
}

TEST_F(LevelBitsTest, ColumnFamiliesHaveLevelsOfTheirOwn) {
  ObserveOptions();
  BitsOf({5, true});
  BitsOf({2, true, "other"});
  EXPECT_EQ(BitsOf({0}), Expected({4, 0.25, {10, 10, 10, 10}})[0]);
  EXPECT_EQ(BitsOf({0, false, "other"}), Expected({4, 0.25, {10}})[0]);
  EXPECT_EQ(BitsOf({0, false, "third"}), Expected({4, 0.25, {10, 10}})[0]);
}

TEST_F(LevelBitsTest, OptionsOverrideTheShape) {
  ObserveOptions();
  options_.levels = 4;
  options_.size_ratio = 5;
  const Bits bits = Expected({4, 0.25, {5, 5, 5}});
  EXPECT_EQ(BitsOf({0}), bits[0]);
  EXPECT_EQ(BitsOfLevels(1, 4), bits);
  BitsOf({6});  // Tables no longer matter.
  EXPECT_EQ(BitsOf({2}), bits[2]);
  EXPECT_EQ(BitsOf({5}), bits[4]);
  tree_.level_compaction_dynamic_level_bytes = true;
  ObserveOptions();
  EXPECT_EQ(BitsOfLevels(3, 6), bits);
  EXPECT_EQ(BitsOf({2}), bits[1]);
}

TEST_F(LevelBitsTest, TheAverageIsNotRounded) {
  options_.levels = 5;
  for (const double average : {0.0, 0.3, 0.7, 1.5, 20.0, 100.0}) {
    options_.bits_per_key = average;
    EXPECT_EQ(BitsOfLevels(1, 5),
              Expected({4, 0.25, {10, 10, 10, 10}}, average));
  }
}

TEST_F(LevelBitsTest, ARateIsTheAverageOfAllRuns) {
  options_.levels = 4;
  options_.fp_rate = 0.01;
  const Bits bits = BitsOfLevels(1, 4);
  const std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10, 10}});
  const double sum = ExpectedFalsePositives(tree, bits, options_.effort);
  EXPECT_LE(sum, 8 * 0.01);
  EXPECT_GT(sum, 8 * 0.0099);
  // Uniform filters need 7.00 bits per key for this rate.
  EXPECT_LT(AverageBitsPerKey(tree, bits), 5);
}

std::vector<TreeLevel> WithLastLevelCost(double cost,
                                         std::vector<TreeLevel> tree) {
  SetLastLevelCost(cost, &tree);
  return tree;
}

TEST_F(LevelBitsTest, TheLastLevelCanCostMore) {
  const std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10}});
  ObserveOptions();
  BitsOf({3, true});
  const Bits before = AllocateBits(tree, 10, kDefaultEffort);
  EXPECT_EQ(BitsOfLevels(1, 3), before);
  options_.last_level_cost = 20;
  const Bits after =
      AllocateBits(WithLastLevelCost(20, tree), 10, kDefaultEffort);
  EXPECT_EQ(BitsOfLevels(1, 3), after);
  EXPECT_GT(after[3], before[3] + 0.3);
  options_.last_level_cost = 1;
  EXPECT_EQ(BitsOfLevels(1, 3), before);
}

TEST_F(LevelBitsTest, ARateIsTheAverageByCost) {
  options_.fp_rate = 0.01;
  options_.last_level_cost = 20;
  ObserveOptions();
  BitsOf({3, true});
  const std::vector<TreeLevel> tree =
      WithLastLevelCost(20, LeveledTree({4, 0.25, {10, 10}}));
  const double cost =
      ExpectedReadCost(tree, BitsOfLevels(1, 3), kDefaultEffort);
  const double uniform = 0.01 * (6 + 20);
  EXPECT_LE(cost, uniform);
  EXPECT_GT(cost, 0.99 * uniform);
}

TEST_F(LevelBitsTest, EachLevelHasTheRatesOfItsKind) {
  options_.levels = 4;
  options_.bloom_before_level = 2;
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10, 10}});
  tree[0].kind = tree[1].kind = Kind::kBloom;
  EXPECT_EQ(BitsOfLevels(1, 4), AllocateBits(tree, 10, options_.effort));
  options_.bloom_before_level = 0;
  tree[1].kind = Kind::kRibbon;
  EXPECT_EQ(BitsOfLevels(1, 4), AllocateBits(tree, 10, options_.effort));
  options_.kind = Kind::kBloom;
  for (TreeLevel& level : tree) level.kind = Kind::kBloom;
  EXPECT_EQ(BitsOfLevels(1, 4), AllocateBits(tree, 10, options_.effort));
}

// With this option RocksDB asks for no filters in the last level.
TEST_F(LevelBitsTest, ALastLevelWithoutFiltersIsNotCounted) {
  tree_.optimize_filters_for_hits = true;
  ObserveOptions();
  BitsOf({4});  // Not bottommost, so there are five levels.
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10, 10, 10}});
  tree.pop_back();
  const Bits bits = AllocateBits(tree, 10, options_.effort);
  for (int level = 0; level < 5; ++level)
    EXPECT_EQ(BitsOf({level}), bits[level]);
  EXPECT_EQ(BitsOfFile("default"), bits[4]);
}

// It costs nothing to read then, and the others cost the same.
TEST_F(LevelBitsTest, ALastLevelWithoutFiltersHasNoCost) {
  tree_.optimize_filters_for_hits = true;
  ObserveOptions();
  BitsOf({3, true});
  const double before = BitsOf({1});
  options_.last_level_cost = 20;
  EXPECT_EQ(BitsOf({1}), before);
}

TEST_F(LevelBitsTest, TablesFromOutsideAreOfTheLastLevel) {
  ObserveOptions();
  BitsOf({5, true});
  EXPECT_EQ(BitsOfFile("default"), Expected({4, 0.25, {10, 10, 10, 10}})[5]);
  EXPECT_EQ(BitsOfFile(), Expected({4, 0.25, {}})[1]);
  options_.allocation = Allocation::kUniform;
  options_.level_bits_per_key = {16, 12, 6};
  EXPECT_EQ(BitsOfFile(), 6);
}

TEST_F(LevelBitsTest, OtherStylesOfCompactionAreUniform) {
  for (const auto style :
       {rocksdb::kCompactionStyleUniversal, rocksdb::kCompactionStyleFIFO,
        rocksdb::kCompactionStyleNone}) {
    tree_.compaction_style = style;
    ObserveOptions();
    for (int level = 0; level < kLevels; ++level) {
      EXPECT_EQ(BitsOf({level, level == 6, "default", style},
                       TableFileCreationReason::kCompaction),
                std::nullopt);
    }
  }
  // Their tables and options say nothing about levels.
  EXPECT_EQ(BitsOf({0}), Expected({4, 0.25, {10, 10}})[0]);
}

TEST_F(LevelBitsTest, ByHandTheLevelDecidesInEveryStyle) {
  options_.allocation = Allocation::kUniform;
  options_.level_bits_per_key = {16, 14.5, 0.7, 0, 9};
  for (const auto style :
       {rocksdb::kCompactionStyleLevel, rocksdb::kCompactionStyleUniversal,
        rocksdb::kCompactionStyleFIFO, rocksdb::kCompactionStyleNone}) {
    for (const bool bottommost : {false, true}) {
      const Bits expected = {16, 14.5, 1, 0, 9, 9, 9};
      for (int level = 0; level < kLevels; ++level) {
        EXPECT_EQ(BitsOf({level, bottommost, "default", style},
                         TableFileCreationReason::kCompaction),
                  expected[level]);
      }
    }
  }
}

TEST_F(LevelBitsTest, ManyThreadsMayAsk) {
  options_.kind = Kind::kBloom;  // has the faster model
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      const std::string family = "family " + std::to_string(i % 2);
      for (int level = 0; level < kLevels; ++level) {
        ObserveOptions();
        EXPECT_GE(BitsOf({level, false, family}), 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(BitsOf({0, false, "family 0"}), BitsOf({0, false, "family 1"}));
}

// RocksDB accepts these options.
TEST_F(LevelBitsTest, SenselessShapesGiveValidBits) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const double multiplier : {0.0, -1.0, 0.1, 1e300, kNaN}) {
    tree_.max_bytes_for_level_multiplier = multiplier;
    tree_.max_bytes_for_level_multiplier_additional = {0, -5, 1 << 30};
    for (const uint64_t base : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
      tree_.max_bytes_for_level_base = base;
      for (const int trigger : {-1, 0, 1 << 30}) {
        tree_.level0_file_num_compaction_trigger = trigger;
        tree_.min_write_buffer_number_to_merge = trigger;
        ObserveOptions();
        options_.levels = 100;
        for (int level = -1; level < kLevels; ++level) {
          const double bits = BitsOf({level});
          EXPECT_TRUE(bits == 0 || (bits >= 1 && bits <= 100)) << bits;
        }
      }
    }
  }
}

}  // namespace
}  // namespace oneline
