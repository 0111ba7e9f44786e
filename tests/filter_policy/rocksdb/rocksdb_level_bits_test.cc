// Tests of filter_policy/rocksdb/rocksdb_level_bits.h: the bits per key of each
// table that RocksDB could announce.

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

namespace oneline {
namespace {

using rocksdb::ColumnFamilyOptions;
using rocksdb::TableFileCreationReason;
using Bits = std::vector<double>;

constexpr int kLevels = 7;

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
  }

  std::optional<double> Of(const Table& table, TableFileCreationReason reason) {
    rocksdb::BlockBasedTableOptions table_options;
    rocksdb::FilterBuildingContext context(table_options);
    context.column_family_name = table.family;
    context.level_at_creation = table.level;
    context.is_bottommost = table.bottommost;
    context.compaction_style = table.style;
    context.reason = reason;
    if (reason != TableFileCreationReason::kMisc) context.num_levels = kLevels;
    return bits_.BitsPerKey(options_, context);
  }
  double Of(const Table& table) {
    return Of(table, table.level == 0 ? TableFileCreationReason::kFlush
                                      : TableFileCreationReason::kCompaction)
        .value_or(-1);
  }
  double OfFile(const std::string& family = "") {
    return Of({-1, false, family}, TableFileCreationReason::kMisc).value_or(-1);
  }
  // Of a table of each level from 0, the last one at the bottom.
  Bits OfLevels(int first, int last) {
    Bits bits = {Of({0})};
    for (int level = first; level < last; ++level) bits.push_back(Of({level}));
    bits.push_back(Of({last, true}));
    return bits;
  }
  void Tell() { bits_.Told(tree_); }

  FilterOptions options_;
  ColumnFamilyOptions tree_;  // 4 runs of 64 MiB, 256 MiB, and ten times each
  LevelBits bits_;
};

Bits Expected(const TreeShape& shape, double average = 10) {
  return AllocateBits(LeveledTree(shape), average, 4);
}

TEST_F(LevelBitsTest, UniformIsNoMatterOfLevels) {
  options_.allocation = Allocation::kUniform;
  Tell();
  for (int level = -1; level < kLevels; ++level) {
    EXPECT_EQ(Of({level}, TableFileCreationReason::kCompaction), std::nullopt);
  }
}

TEST_F(LevelBitsTest, LevelsGetWhatTheAllocationGivesThem) {
  Tell();
  Of({5, true});
  EXPECT_EQ(OfLevels(1, 5), Expected({4, 0.25, {10, 10, 10, 10}}));
}

TEST_F(LevelBitsTest, TheShapeIsTheColumnFamilys) {
  tree_.max_bytes_for_level_multiplier = 6;
  tree_.max_bytes_for_level_multiplier_additional = {7, 1, 2};
  tree_.level0_file_num_compaction_trigger = 8;
  tree_.write_buffer_size = 16 << 20;
  tree_.min_write_buffer_number_to_merge = 2;
  tree_.max_bytes_for_level_base = 128 << 20;
  Tell();
  Of({5, true});
  EXPECT_EQ(OfLevels(1, 5), Expected({8, 0.25, {6, 12, 6, 6}}));
}

TEST_F(LevelBitsTest, WithoutBeingToldTheShapeIsRocksDBsDefault) {
  Of({1});
  Of({3, true});
  EXPECT_EQ(OfLevels(1, 3), Expected({4, 0.25, {10, 10}}));
}

// The levels in use are learnt from tables: the deepest, and what has older
// data below it.
TEST_F(LevelBitsTest, LevelsInUseAreLearnt) {
  Tell();
  const Bits one = Expected({4, 0.25, {}});
  EXPECT_EQ(Of({0}), one[0]);
  EXPECT_EQ(Of({1, true}), one[1]);
  const Bits two = Expected({4, 0.25, {10}});
  EXPECT_EQ(Of({1}), two[1]);
  EXPECT_EQ(Of({0}), two[0]);
  const Bits four = Expected({4, 0.25, {10, 10, 10}});
  EXPECT_EQ(Of({3}), four[3]);
  EXPECT_EQ(Of({0}), four[0]);
  EXPECT_EQ(Of({2}), four[2]);
  // There is no level below the last.
  Of({6});
  EXPECT_EQ(Of({6, true}), Expected({4, 0.25, {10, 10, 10, 10, 10}})[6]);
}

TEST_F(LevelBitsTest, ATableAtTheBottomIsOfTheLastLevel) {
  Tell();
  Of({5, true});
  const Bits bits = Expected({4, 0.25, {10, 10, 10, 10}});
  for (int level = 1; level <= 6; ++level) {
    EXPECT_EQ(Of({level, true}), level < 6 ? bits[5] : Of({6, true}));
  }
}

TEST_F(LevelBitsTest, LevelsCountedFromTheLast) {
  tree_.level_compaction_dynamic_level_bytes = true;
  Tell();
  EXPECT_EQ(Of({0}), Expected({4, 0.25, {}})[0]);
  EXPECT_EQ(Of({6, true}), Expected({4, 0.25, {}})[1]);
  EXPECT_EQ(Of({5}), Expected({4, 0.25, {10}})[1]);
  Of({3});
  const Bits bits = Expected({4, 0.25, {10, 10, 10}});
  EXPECT_EQ(OfLevels(3, 6), bits);
  EXPECT_EQ(Of({0}), bits[0]);
  // Ratios are the same for all levels there.
  tree_.max_bytes_for_level_multiplier_additional = {2, 2, 2, 2, 2, 2, 2};
  Tell();
  EXPECT_EQ(Of({0}), bits[0]);
}

TEST_F(LevelBitsTest, ColumnFamiliesHaveLevelsOfTheirOwn) {
  Tell();
  Of({5, true});
  Of({2, true, "other"});
  EXPECT_EQ(Of({0}), Expected({4, 0.25, {10, 10, 10, 10}})[0]);
  EXPECT_EQ(Of({0, false, "other"}), Expected({4, 0.25, {10}})[0]);
  EXPECT_EQ(Of({0, false, "third"}), Expected({4, 0.25, {}})[0]);
}

TEST_F(LevelBitsTest, OptionsSayTheShapeInstead) {
  Tell();
  options_.levels = 4;
  options_.size_ratio = 5;
  const Bits bits = Expected({4, 0.25, {5, 5, 5}});
  EXPECT_EQ(Of({0}), bits[0]);
  EXPECT_EQ(OfLevels(1, 4), bits);
  Of({6});  // whatever tables show
  EXPECT_EQ(Of({2}), bits[2]);
  EXPECT_EQ(Of({5}), bits[4]);
  tree_.level_compaction_dynamic_level_bytes = true;
  Tell();
  EXPECT_EQ(OfLevels(3, 6), bits);
  EXPECT_EQ(Of({2}), bits[1]);
}

TEST_F(LevelBitsTest, TheAverageIsNotRounded) {
  options_.levels = 5;
  for (const double average : {0.0, 0.3, 0.7, 1.5, 20.0, 100.0}) {
    options_.bits_per_key = average;
    EXPECT_EQ(OfLevels(1, 5), Expected({4, 0.25, {10, 10, 10, 10}}, average));
  }
}

TEST_F(LevelBitsTest, ARateIsTheAverageOfAllRuns) {
  options_.levels = 4;
  options_.fp_rate = 0.01;
  const Bits bits = OfLevels(1, 4);
  const std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10, 10}});
  const double sum = ExpectedFalsePositives(tree, bits, 4);
  EXPECT_LE(sum, 8 * 0.01);
  EXPECT_GT(sum, 8 * 0.0099);
  // With 7.03 for each key every run would have that rate.
  EXPECT_LT(AverageBitsPerKey(tree, bits), 5);
}

TEST_F(LevelBitsTest, EachLevelHasTheRatesOfItsKind) {
  options_.levels = 4;
  options_.bloom_before_level = 2;
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10, 10}});
  tree[0].kind = tree[1].kind = Kind::kBloom;
  EXPECT_EQ(OfLevels(1, 4), AllocateBits(tree, 10, 4));
  options_.bloom_before_level = 0;
  tree[1].kind = Kind::kRibbon;
  EXPECT_EQ(OfLevels(1, 4), AllocateBits(tree, 10, 4));
  options_.kind = Kind::kBloom;
  for (TreeLevel& level : tree) level.kind = Kind::kBloom;
  EXPECT_EQ(OfLevels(1, 4), AllocateBits(tree, 10, 4));
}

// RocksDB asks for no filters at the bottom.
TEST_F(LevelBitsTest, ALastLevelWithoutFiltersIsNotCounted) {
  tree_.optimize_filters_for_hits = true;
  Tell();
  Of({4});  // so there are five
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {10, 10, 10, 10}});
  tree.pop_back();
  const Bits bits = AllocateBits(tree, 10, 4);
  for (int level = 0; level < 5; ++level) EXPECT_EQ(Of({level}), bits[level]);
  EXPECT_EQ(OfFile("default"), bits[4]);
}

TEST_F(LevelBitsTest, TablesFromOutsideAreOfTheLastLevel) {
  Tell();
  Of({5, true});
  EXPECT_EQ(OfFile("default"), Expected({4, 0.25, {10, 10, 10, 10}})[5]);
  EXPECT_EQ(OfFile(), Expected({4, 0.25, {}})[1]);
  options_.allocation = Allocation::kUniform;
  options_.level_bits_per_key = {16, 12, 6};
  EXPECT_EQ(OfFile(), 6);
}

TEST_F(LevelBitsTest, OtherStylesOfCompactionAreUniform) {
  for (const auto style :
       {rocksdb::kCompactionStyleUniversal, rocksdb::kCompactionStyleFIFO,
        rocksdb::kCompactionStyleNone}) {
    tree_.compaction_style = style;
    Tell();
    for (int level = 0; level < kLevels; ++level) {
      EXPECT_EQ(Of({level, level == 6, "default", style},
                   TableFileCreationReason::kCompaction),
                std::nullopt);
    }
  }
  // And tell nothing of levels.
  EXPECT_EQ(Of({0}), Expected({4, 0.25, {}})[0]);
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
        EXPECT_EQ(Of({level, bottommost, "default", style},
                     TableFileCreationReason::kCompaction),
                  expected[level]);
      }
    }
  }
}

TEST_F(LevelBitsTest, ManyThreadsMayAsk) {
  options_.kind = Kind::kBloom;  // the quicker model
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      const std::string family = "family " + std::to_string(i % 2);
      for (int level = 0; level < kLevels; ++level) {
        Tell();
        EXPECT_GE(Of({level, false, family}), 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Of({0, false, "family 0"}), Of({0, false, "family 1"}));
}

// RocksDB opens databases with these.
TEST_F(LevelBitsTest, ShapesThatMakeNoSense) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const double multiplier : {0.0, -1.0, 0.1, 1e300, kNaN}) {
    tree_.max_bytes_for_level_multiplier = multiplier;
    tree_.max_bytes_for_level_multiplier_additional = {0, -5, 1 << 30};
    for (const uint64_t base : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
      tree_.max_bytes_for_level_base = base;
      for (const int trigger : {-1, 0, 1 << 30}) {
        tree_.level0_file_num_compaction_trigger = trigger;
        tree_.min_write_buffer_number_to_merge = trigger;
        Tell();
        options_.levels = 100;
        for (int level = -1; level < kLevels; ++level) {
          const double bits = Of({level});
          EXPECT_TRUE(bits == 0 || (bits >= 1 && bits <= 100)) << bits;
        }
      }
    }
  }
}

}  // namespace
}  // namespace oneline
