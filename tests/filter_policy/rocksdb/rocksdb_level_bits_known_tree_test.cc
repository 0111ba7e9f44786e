// Tests of filter_policy/rocksdb/rocksdb_level_bits.h where all tables of the
// tree are known, because their filters were read.

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filter_policy/allocation/growing_tree.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "table/block/filter_block.h"

namespace oneline {
namespace {

using rocksdb::TableFileCreationReason;

constexpr int kBlockLines = 1000;

// A block of some lines, as a table of this level would have it.
std::string BlockOf(uint8_t level, uint32_t keys, const std::string& family,
                    bool bottommost) {
  std::string block(kBlockLines * kLineBytes + kTrailerBytes, 0);
  Trailer trailer;
  trailer.num_lines = kBlockLines;
  trailer.num_keys = keys;
  trailer.kind = 1;
  trailer.parameter = 6;
  trailer.provenance = {level, bottommost, FamilyTag(family)};
  EncodeTrailer(trailer, reinterpret_cast<uint8_t*>(block.data() +
                                                    kBlockLines * kLineBytes));
  return block;
}

class KnownTreeTest : public testing::Test {
 protected:
  KnownTreeTest() {
    options_.allocation = Allocation::kMonkey;
    tree_.level_compaction_dynamic_level_bytes = true;
  }

  void Open() {
    tree_.table_factory.reset(NewBlockBasedTableFactory(table_));
    bits_.ObserveOptions(database_, tree_);
  }
  void Read(uint8_t level, uint32_t keys, const std::string& family = "default",
            bool bottommost = false) {
    tokens_.push_back(
        bits_.ObserveFilter(BlockOf(level, keys, family, bottommost)));
  }
  // 4 tables in level 0, 1 in level 5, 10 in level 6.
  void ReadTree(const std::string& family = "default") {
    for (int i = 0; i < 4; ++i) Read(0, 12500, family);
    Read(5, 50000, family);
    for (int i = 0; i < 10; ++i) Read(6, 50000, family, true);
  }
  std::optional<double> BitsOf(
      int level, const std::string& family = "default",
      rocksdb::CompactionStyle style = rocksdb::kCompactionStyleLevel) {
    rocksdb::FilterBuildingContext context(table_);
    context.column_family_name = family;
    context.level_at_creation = level;
    context.is_bottommost = level == 6;
    context.compaction_style = style;
    context.num_levels = 7;
    context.reason = level == 0 ? TableFileCreationReason::kFlush
                                : TableFileCreationReason::kCompaction;
    return bits_.BitsPerKey(options_, context);
  }
  static double Expected(const TreeTables& tree, int level) {
    return BitsForNewTable(tree, Level0Shape(), {level}, 10, FilterOptions());
  }
  static TreeTables Tree() {
    const double bits = 8 * (kBlockLines * kLineBytes + kTrailerBytes);
    return {{0, {4, 5e4, 4 * bits}},
            {5, {1, 5e4, bits}},
            {6, {10, 5e5, 10 * bits}}};
  }
  // Whether the policy goes by the tables.
  bool KnowsTheTree() {
    return BitsOf(0) == Expected(Tree(), 0) && BitsOf(6) == Expected(Tree(), 6);
  }

  FilterOptions options_;
  rocksdb::BlockBasedTableOptions table_;
  rocksdb::DBOptions database_;
  rocksdb::ColumnFamilyOptions tree_;
  LevelBits bits_;
  std::vector<std::shared_ptr<const void>> tokens_;
};

TEST_F(KnownTreeTest, TablesThatAreReadCount) {
  Open();
  EXPECT_NEAR(*BitsOf(0), 10, 0.001);
  ReadTree();
  EXPECT_EQ(BitsOf(0), Expected(Tree(), 0));
  EXPECT_EQ(BitsOf(5), Expected(Tree(), 5));
  EXPECT_EQ(BitsOf(6), Expected(Tree(), 6));
  tokens_.clear();
  EXPECT_NEAR(*BitsOf(0), 10, 0.001);
}

TEST_F(KnownTreeTest, TheLastLevelCanCostMore) {
  Open();
  ReadTree();
  const double before = *BitsOf(6);
  options_.last_level_cost = 20;
  for (const int level : {0, 5, 6}) {
    EXPECT_EQ(BitsOf(level),
              BitsForNewTable(Tree(), Level0Shape(), {level}, 10, options_));
  }
  EXPECT_GT(*BitsOf(6), before + 0.2);
}

TEST_F(KnownTreeTest, ColumnFamiliesHaveTreesOfTheirOwn) {
  Open();
  ReadTree("a");
  EXPECT_EQ(BitsOf(0, "a"), Expected(Tree(), 0));
  EXPECT_NEAR(*BitsOf(0, "b"), 10, 0.001);
}

TEST_F(KnownTreeTest, ASuccessorKnowsTheTree) {
  Open();
  ReadTree();
  const LevelBits successor(bits_.tree());
  EXPECT_EQ(successor.tree().tables->Of(FamilyTag("default")).size(), 3u);
}

TEST_F(KnownTreeTest, AnotherDatabaseIsAnotherTree) {
  Open();
  ReadTree();
  bits_.ForgetTables();
  Open();
  EXPECT_NEAR(*BitsOf(0), 10, 0.001);
  ReadTree();
  EXPECT_TRUE(KnowsTheTree());
}

TEST_F(KnownTreeTest, UniversalCompactionHasATreeToo) {
  constexpr auto kUniversal = rocksdb::kCompactionStyleUniversal;
  Open();
  ReadTree();
  EXPECT_EQ(BitsOf(0, "default", kUniversal), Expected(Tree(), 0));
  const double merged =
      BitsForNewTable(Tree(), Level0Shape(), {6, true}, 10, options_);
  EXPECT_EQ(BitsOf(6, "default", kUniversal), merged);
  // What is written while everything is merged gets the bits of the tree to
  // come.
  Level0Shape level0;
  level0.run_keys = 12500;
  const TreeTables to_come = {{6, {15, 6e5, 6e5 * merged}}};
  EXPECT_EQ(BitsOf(0, "default", kUniversal),
            BitsForNewTable(to_come, level0, {0}, 10, options_));
  EXPECT_EQ(BitsOf(0, "default", rocksdb::kCompactionStyleFIFO), std::nullopt);
}

// Where tables can be in the tree without being seen, the policy goes by the
// shape that the options ask for, with the levels that were seen.
TEST_F(KnownTreeTest, TreesThatAreNotWhollySeen) {
  const std::vector<std::function<void()>> reasons = {
      [this] { database_.max_open_files = 1000; },
      [this] { table_.cache_index_and_filter_blocks = true; },
      [this] { table_.partition_filters = true; },
      [this] { options_.bits_per_key = 3.9; },
      [this] { options_.levels = 2; },
      [this] { options_.size_ratio = 10; },
      [this] { options_.fp_rate = 0.01; },
      [this] { bits_.ObserveFilter("a filter of RocksDB's"); },
  };
  for (size_t i = 0; i < reasons.size(); ++i) {
    SCOPED_TRACE(i);
    database_ = {};
    table_ = {};
    options_ = {};
    options_.allocation = Allocation::kMonkey;
    tokens_.clear();
    bits_.ForgetTables();
    Open();
    ReadTree();
    EXPECT_TRUE(KnowsTheTree());
    tokens_.clear();
    bits_.ForgetTables();
    reasons[i]();
    Open();
    reasons[i]();
    ReadTree();
    EXPECT_FALSE(KnowsTheTree());
  }
}

}  // namespace
}  // namespace oneline
