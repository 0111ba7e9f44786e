// Tests of allocation=monkey and level_bits_per_key in real databases whose
// policy goes by the shape of the tree: the filters of each level have the bits
// per key that they should have, with each compaction style, and however the
// options were set. rocksdb_growing_tree_test.cc has trees that are known.

#include <gtest/gtest.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "filter_policy/allocation/level_allocation.h"
#include "filter_policy/allocation/leveled_tree.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_kind.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {
namespace {

using rocksdb::Status;
using Bits = std::vector<double>;

// Half of them are put. Filters are rounded up to whole lines of 512 bits,
// which is at most 512 / (kKeys / 2) bits per key.
constexpr int kKeys = 8000;
constexpr double kRounding = 0.15;

PolicyPtr Monkey(double bits_per_key) {
  FilterOptions options;
  options.allocation = Allocation::kMonkey;
  options.bits_per_key = bits_per_key;
  return NewRocksDBFilterPolicy(options);
}

PolicyPtr ByHand(const Bits& bits) {
  FilterOptions options;
  options.level_bits_per_key = bits;
  return NewRocksDBFilterPolicy(options);
}

// Static level sizes: each level is four times as large as the one above. A run
// of level 0 is a quarter of level 1. Filters are in the cache, so that the
// policy goes by this shape: tables of few keys would have another one.
rocksdb::Options FourfoldTree(const PolicyPtr& policy) {
  rocksdb::BlockBasedTableOptions table;
  table.cache_index_and_filter_blocks = true;
  rocksdb::Options options = OptionsWith(policy, table);
  options.level_compaction_dynamic_level_bytes = false;
  options.max_bytes_for_level_multiplier = 4;
  return options;
}

Bits Allocated(int levels, double average = 10) {
  return AllocateBits(LeveledTree({4, 0.25, Bits(levels - 1, 4.0)}), average,
                      kDefaultEffort);
}

// Writes a table with the same keys into each of these levels.
void Fill(ScratchDatabase* database, const std::vector<int>& levels) {
  for (const int level : levels) {
    database->WriteTable(0, kKeys);
    if (level > 0) database->CompactLevel0To(level);
  }
}

void ExpectBits(const ScratchDatabase& database,
                const std::map<int, Bits>& expected) {
  const std::map<int, Bits> bits = BitsOfTables(database);
  ASSERT_EQ(bits.size(), expected.size());
  for (const auto& [level, tables] : expected) {
    ASSERT_EQ(bits.count(level), 1u) << "level " << level;
    ASSERT_EQ(bits.at(level).size(), tables.size()) << "level " << level;
    for (size_t i = 0; i < tables.size(); ++i) {
      EXPECT_NEAR(bits.at(level)[i], tables[i], kRounding)
          << "level " << level << ", table " << i;
    }
  }
}

TEST(LevelAllocationDatabaseTest, EachLevelHasItsBits) {
  ScratchDatabase database(FourfoldTree(Monkey(10)));
  Fill(&database, {5, 4, 3, 2, 1, 0, 0});
  const Bits bits = Allocated(5);
  ExpectBits(database, {{0, {bits[0], bits[0]}},
                        {1, {bits[1]}},
                        {2, {bits[2]}},
                        {3, {bits[3]}},
                        {4, {bits[4]}},
                        {5, {bits[5]}}});
  EXPECT_GT(bits[0], bits[5] + 8);
  ExpectFiltered(database, 0, kKeys);
}

TEST(LevelAllocationDatabaseTest, TheLastLevelCanCostMore) {
  FilterOptions filter;
  filter.allocation = Allocation::kMonkey;
  filter.last_level_cost = 50;
  ScratchDatabase database(FourfoldTree(NewRocksDBFilterPolicy(filter)));
  Fill(&database, {3, 2, 1, 0});
  const Bits before = Allocated(3);
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {4, 4}});
  tree.back().read_cost = 50;
  const Bits bits = AllocateBits(tree, 10, kDefaultEffort);
  // A change that rounding does not hide.
  ASSERT_GT(bits[3], before[3] + 4 * kRounding);
  ASSERT_LT(bits[1], before[1] - 4 * kRounding);
  ExpectBits(database,
             {{0, {bits[0]}}, {1, {bits[1]}}, {2, {bits[2]}}, {3, {bits[3]}}});
  ExpectFiltered(database, 0, kKeys);
  // The option is saved, and can be changed.
  rocksdb::DBOptions saved;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  ASSERT_TRUE(rocksdb::LoadLatestOptions(rocksdb::ConfigOptions(),
                                         database.path(), &saved, &families)
                  .ok());
  const auto* const table =
      families[0]
          .options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  std::string value;
  ASSERT_TRUE(
      table->filter_policy
          ->GetOption(rocksdb::ConfigOptions(), "last_level_cost", &value)
          .ok());
  EXPECT_EQ(value, "50");
  ASSERT_TRUE(
      database
          ->SetOptions({{"table_factory.filter_policy.last_level_cost", "1"}})
          .ok());
  database.CompactLevel0To(1);
  EXPECT_NEAR(BitsOfTables(database).at(1)[0], before[1], kRounding);
}

TEST(LevelAllocationDatabaseTest, UniformIsTheSameEverywhere) {
  ScratchDatabase database(FourfoldTree(OurPolicy(10)));
  Fill(&database, {5, 4, 1, 0});
  ExpectBits(database, {{0, {10}}, {1, {10}}, {4, {10}}, {5, {10}}});
}

TEST(LevelAllocationDatabaseTest, ByHandEachLevelHasItsBits) {
  ScratchDatabase database(FourfoldTree(ByHand({20, 16, 0, 12.5, 8})));
  Fill(&database, {6, 4, 3, 2, 1, 0});
  ExpectBits(database,
             {{0, {20}}, {1, {16}}, {2, {0}}, {3, {12.5}}, {4, {8}}, {6, {8}}});
  ExpectAllFound(database, 0, kKeys);
}

TEST(LevelAllocationDatabaseTest, LevelsCountedFromTheLast) {
  rocksdb::Options options = FourfoldTree(Monkey(10));
  options.level_compaction_dynamic_level_bytes = true;
  ScratchDatabase database(options);
  Fill(&database, {6, 5, 4, 3, 0});
  // Each table below level 0 was written when its level was the first in use.
  ExpectBits(database, {{0, {Allocated(4)[0]}},
                        {3, {Allocated(4)[1]}},
                        {4, {Allocated(3)[1]}},
                        {5, {Allocated(2)[1]}},
                        {6, {Allocated(1)[1]}}});
  ExpectFiltered(database, 0, kKeys);
}

TEST(LevelAllocationDatabaseTest, TheLevelsCanBeGiven) {
  FilterOptions filter;
  filter.allocation = Allocation::kMonkey;
  filter.bits_per_key = 10;
  filter.levels = 4;
  rocksdb::Options options = FourfoldTree(NewRocksDBFilterPolicy(filter));
  options.level_compaction_dynamic_level_bytes = true;
  ScratchDatabase database(options);
  Fill(&database, {6, 5, 4, 3, 0});
  const Bits bits = Allocated(4);
  ExpectBits(database, {{0, {bits[0]}},
                        {3, {bits[1]}},
                        {4, {bits[2]}},
                        {5, {bits[3]}},
                        {6, {bits[4]}}});
}

// A policy knows nothing of the tree after a restart, and learns of it from
// compactions. No key is lost meanwhile.
TEST(LevelAllocationDatabaseTest, AReopenedDatabaseLearnsAnew) {
  ScratchDatabase database(FourfoldTree(Monkey(10)));
  Fill(&database, {5, 4});
  database.Reopen(FourfoldTree(Monkey(10)));
  Fill(&database, {2, 0});
  // Level 2 has older data below it, so there are at least three levels.
  const Bits before = Allocated(5);
  const Bits after = Allocated(3);
  ExpectBits(
      database,
      {{0, {after[0]}}, {2, {after[2]}}, {4, {before[4]}}, {5, {before[5]}}});
  ExpectFiltered(database, 0, kKeys);
  database.CompactAll();
  ExpectBits(database, {{5, {before[5]}}});
}

// Under RocksDB's own compactions the filters take about the memory of uniform
// ones, and small levels have more bits per key.
TEST(LevelAllocationDatabaseTest, UnderAutomaticCompaction) {
  rocksdb::Options options = FourfoldTree(Monkey(10));
  options.disable_auto_compactions = false;
  options.level_compaction_dynamic_level_bytes = true;
  options.write_buffer_size = 64 << 10;  // the minimum
  options.max_bytes_for_level_base = 128 << 10;
  options.max_bytes_for_level_multiplier = 4;
  options.target_file_size_base = 64 << 10;
  options.compression = rocksdb::kNoCompression;
  ScratchDatabase database(options);
  constexpr int kMany = 80000;
  for (int i = 0; i < kMany; i += 2) {
    const int key = static_cast<int>(i * int64_t{7919} % kMany);
    ASSERT_TRUE(
        database->Put(rocksdb::WriteOptions(), KeyAt(key), ValueAt(key)).ok());
  }
  rocksdb::FlushOptions flush;
  ASSERT_TRUE(database->Flush(flush).ok());
  database.WaitForCompactions();
  const std::map<int, Bits> bits = BitsOfTables(database);
  // At least two levels are in use; the number depends on when RocksDB found
  // time to compact.
  ASSERT_GE(bits.size(), 2u);
  ASSERT_EQ(bits.rbegin()->first, 6);
  for (const auto& [level, tables] : bits) {
    for (const double of_table : tables) {
      EXPECT_TRUE(level == 6 || of_table > 10) << level << ": " << of_table;
    }
  }
  // The median, because tables of a few keys have more: a line is the minimum.
  std::vector<double> last = bits.at(6);
  std::sort(last.begin(), last.end());
  EXPECT_GT(last[last.size() / 2], 8.7);
  EXPECT_LT(last[last.size() / 2], 9.6);
  // A tree as small as this rarely has the shape that its options ask for.
  EXPECT_NEAR(database.FilterBitsPerKey(), 10, 1.5);
  ExpectFiltered(database, 0, kMany / 5);
}

TEST(LevelAllocationDatabaseTest, UniversalCompactionIsUniform) {
  rocksdb::Options options = FourfoldTree(Monkey(10));
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  ScratchDatabase database(options);
  Fill(&database, {6, 5, 0});
  ExpectBits(database, {{0, {10}}, {5, {10}}, {6, {10}}});
  ExpectFiltered(database, 0, kKeys);
}

TEST(LevelAllocationDatabaseTest, UniversalCompactionByHand) {
  rocksdb::Options options = FourfoldTree(ByHand({20, 16, 8}));
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  ScratchDatabase database(options);
  Fill(&database, {6, 1, 0});
  ExpectBits(database, {{0, {20}}, {1, {16}}, {6, {8}}});
}

TEST(LevelAllocationDatabaseTest, FifoCompactionIsUniform) {
  for (const bool by_hand : {false, true}) {
    rocksdb::Options options =
        FourfoldTree(by_hand ? ByHand({12, 8}) : Monkey(10));
    options.compaction_style = rocksdb::kCompactionStyleFIFO;
    options.max_open_files = -1;
    ScratchDatabase database(options);
    Fill(&database, {0, 0});
    const double bits = by_hand ? 12 : 10;
    ExpectBits(database, {{0, {bits, bits}}});
    ExpectFiltered(database, 0, kKeys);
  }
}

TEST(LevelAllocationDatabaseTest, FewBitsGoToTheSmallLevels) {
  ScratchDatabase database(FourfoldTree(Monkey(0.3)));
  Fill(&database, {5, 4, 3, 2, 1, 0});
  const Bits bits = Allocated(5, 0.3);
  EXPECT_EQ(bits[5], 0);
  ExpectBits(database, {{0, {bits[0]}},
                        {1, {bits[1]}},
                        {2, {bits[2]}},
                        {3, {bits[3]}},
                        {4, {bits[4]}},
                        {5, {0}}});
  ExpectAllFound(database, 0, kKeys);
}

TEST(LevelAllocationDatabaseTest, FiltersForHitsLeaveTheBottomWithout) {
  rocksdb::Options options = FourfoldTree(Monkey(10));
  options.optimize_filters_for_hits = true;
  ScratchDatabase database(options);
  Fill(&database, {3, 2, 1});
  // RocksDB asks the policy for no filters at the bottom. The table of level 2
  // is the first to show that there is a level 3.
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {4, 4}});
  tree.pop_back();
  const Bits bits = AllocateBits(tree, 10, kDefaultEffort);
  ExpectBits(database, {{1, {bits[1]}}, {2, {bits[2]}}, {3, {0}}});
  ExpectAllFound(database, 0, kKeys);
}

TEST(LevelAllocationDatabaseTest, IsSetWhileTheDatabaseIsOpen) {
  for (const Form form : {Form::kWhole, Form::kDotted}) {
    SCOPED_TRACE(form == Form::kWhole ? "whole" : "dotted");
    ScratchDatabase database(FourfoldTree(OurPolicy(10)));
    Fill(&database, {5});
    const auto expect_next = [&](const char* set, double bits, int level) {
      SCOPED_TRACE(set);
      const Status status = SetFilterOptions(database, set, form);
      ASSERT_TRUE(status.ok()) << status.ToString();
      database.WriteTable(0, kKeys);
      if (level > 0) database.CompactLevel0To(level);
      const std::map<int, Bits> all = BitsOfTables(database);
      ASSERT_EQ(all.count(level), 1u);
      EXPECT_NEAR(all.at(level)[0], bits, kRounding);
    };
    // The policy learnt the levels in use before monkey was set.
    expect_next("allocation=monkey", Allocated(5)[3], 3);
    expect_next("bits_per_key=12", Allocated(5, 12)[3], 3);
    expect_next("allocation=uniform", 12, 3);
    expect_next("level_bits_per_key=20:16:14:9:8", 9, 3);
    expect_next("level_bits_per_key=20:16:14:11:8", 11, 3);
    const std::string before = PolicyTextOf(database);
    for (const char* wrong : {"level_bits_per_key=20:101", "allocation=best",
                              "levels=0", "size_ratio=0"}) {
      ExpectRefused(SetFilterOptions(database, wrong, form));
      EXPECT_EQ(PolicyTextOf(database), before) << wrong;
    }
    for (const char* together : {"level_bits_per_key=20:8;bits_per_key=9",
                                 "allocation=monkey;level_bits_per_key=20:8",
                                 "bits_per_key=9;levels=x"}) {
      ExpectRefused(SetFilterOptions(database, together));
      EXPECT_EQ(PolicyTextOf(database), before) << together;
    }
    expect_next("allocation=uniform;bits_per_key=9", 9, 3);
    expect_next("level_bits_per_key=20:16", 20, 0);
    expect_next("allocation=monkey", Allocated(5)[0], 0);
    expect_next("levels=2", Allocated(2)[0], 0);
    ExpectFiltered(database, 0, kKeys);
  }
}

TEST(LevelAllocationDatabaseTest, IsSavedAndLoaded) {
  for (const char* name :
       {"{id=oneline;allocation=monkey;bits_per_key=12;levels=4}",
        "{id=oneline;level_bits_per_key=20:16:14:12:8}"}) {
    SCOPED_TRACE(name);
    const bool by_hand =
        std::string(name).find("allocation") == std::string::npos;
    ScratchDatabase database(FourfoldTree(PolicyNamed(name)));
    database.Close();
    rocksdb::DBOptions db_options;
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    rocksdb::ConfigOptions config;
    config.ignore_unsupported_options = false;
    const Status status = rocksdb::LoadLatestOptions(config, database.path(),
                                                     &db_options, &families);
    ASSERT_TRUE(status.ok()) << status.ToString();
    database.Reopen(rocksdb::Options(db_options, families[0].options));
    Fill(&database, {4, 2, 0});
    const Bits bits = by_hand ? Bits{20, 16, 14, 12, 8} : Allocated(4, 12);
    ExpectBits(database, {{0, {bits[0]}}, {2, {bits[2]}}, {4, {bits[4]}}});
  }
}

// Where RocksDB shows nobody the options: its defaults are taken.
TEST(LevelAllocationDatabaseTest, CreatedColumnFamiliesAndFilesFromOutside) {
  ScratchDatabase database(OptionsWith(nullptr));
  const PolicyPtr policy = Monkey(10);
  rocksdb::ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(
      database->CreateColumnFamily(FourfoldTree(policy), "new", &family).ok());
  for (int i = 0; i < kKeys; i += 2) {
    ASSERT_TRUE(
        database->Put(rocksdb::WriteOptions(), family, KeyAt(i), ValueAt(i))
            .ok());
  }
  ASSERT_TRUE(database->Flush(rocksdb::FlushOptions(), family).ok());
  rocksdb::ColumnFamilyMetaData tree;
  database->GetColumnFamilyMetaData(family, &tree);
  ASSERT_EQ(tree.levels[0].files.size(), 1u);
  const rocksdb::SstFileMetaData& flushed = tree.levels[0].files[0];
  // As in a tree of three levels, as nothing is known of this one.
  EXPECT_NEAR(
      BitsInFile(flushed.db_path + flushed.name),
      AllocateBits(LeveledTree({4, 0.25, {10, 10}}), 10, kDefaultEffort)[0],
      kRounding);
  ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());

  const TemporaryDirectory directory;
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), FourfoldTree(policy));
  ASSERT_TRUE(writer.Open(directory.File("sst")).ok());
  for (int i = 0; i < kKeys; i += 2) {
    ASSERT_TRUE(writer.Put(KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(writer.Finish().ok());
  EXPECT_NEAR(BitsInFile(directory.File("sst")), Allocated(1)[1], kRounding);
}

TEST(LevelAllocationDatabaseTest, BothKindsHaveTheirBits) {
  FilterOptions filter;
  filter.allocation = Allocation::kMonkey;
  filter.bits_per_key = 10;
  filter.bloom_before_level = 2;
  ScratchDatabase database(FourfoldTree(NewRocksDBFilterPolicy(filter)));
  Fill(&database, {4, 3, 2, 1, 0});
  std::vector<TreeLevel> tree = LeveledTree({4, 0.25, {4, 4, 4}});
  tree[0].kind = tree[1].kind = Kind::kBloom;
  const Bits bits = AllocateBits(tree, 10, kDefaultEffort);
  ExpectBits(database, {{0, {bits[0]}},
                        {1, {bits[1]}},
                        {2, {bits[2]}},
                        {3, {bits[3]}},
                        {4, {bits[4]}}});
  EXPECT_EQ(KindsOfTables(database),
            (std::vector<std::string>{"L0 bloom", "L1 bloom", "L2 ribbon",
                                      "L3 ribbon", "L4 ribbon"}));
  ExpectFiltered(database, 0, kKeys);
}

}  // namespace
}  // namespace oneline
