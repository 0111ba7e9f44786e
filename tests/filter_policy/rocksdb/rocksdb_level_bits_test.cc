// Tests of filter_policy/rocksdb/rocksdb_level_bits.h: the bits per key of
// tables of every level, reason and compaction style, and what is learnt from
// tables and options.

#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "tests/filter_policy/lines_logged.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyOptions;
using Reason = rocksdb::TableFileCreationReason;

constexpr int kLevels = 7;

// What RocksDB tells of a new table.
struct Table {
  int level;
  bool bottommost = false;
  std::string family = "default";
  rocksdb::CompactionStyle style = rocksdb::kCompactionStyleLevel;
  rocksdb::Logger* log = nullptr;  // of the database
};

class LevelBitsTest : public testing::Test {
 protected:
  rocksdb::FilterBuildingContext ContextOf(const Table& table, Reason reason) {
    rocksdb::FilterBuildingContext context(table_);
    context.column_family_name = table.family;
    context.level_at_creation = table.level;
    context.is_bottommost = table.bottommost;
    context.compaction_style = table.style;
    context.info_log = table.log;
    context.reason = reason;
    if (reason != Reason::kMisc) context.num_levels = kLevels;
    return context;
  }
  double BitsOf(const Table& table, Reason reason, double asked = 10) {
    return bits_.BitsPerKey(asked, ContextOf(table, reason));
  }
  double Flush(const Table& table = {0}) {
    return BitsOf(table, Reason::kFlush);
  }
  double Compact(const Table& table, double asked = 10) {
    return BitsOf(table, Reason::kCompaction, asked);
  }
  // Opens a column family.
  void Open(double size_ratio, int compaction_runs = 4) {
    ColumnFamilyOptions options;
    options.max_bytes_for_level_multiplier = size_ratio;
    options.level0_file_num_compaction_trigger = compaction_runs;
    bits_.ObserveOptions(options);
  }

  rocksdb::BlockBasedTableOptions table_;
  LevelBits bits_;
};

TEST_F(LevelBitsTest, DynamicLevelsGrowTowardsTheTop) {
  Open(4);
  EXPECT_EQ(Compact({6, true}), 10);
  EXPECT_EQ(Compact({5}), 10.75);
  EXPECT_EQ(Compact({4}), 11.5);
  EXPECT_EQ(Compact({3}), 12.25);
  EXPECT_EQ(Compact({0}), 14);  // a compaction within level 0
  EXPECT_EQ(Flush(), 14);
  // For its keys it is the last level.
  EXPECT_EQ(Compact({3, true}), 10);
}

// The deepest level of static sizes may just have begun to fill.
TEST_F(LevelBitsTest, StaticLevelsCountHalfALevelLess) {
  Open(10);
  EXPECT_EQ(Compact({1, true}), 10);
  EXPECT_EQ(Compact({1}), 11.125);  // there is a level 2
  EXPECT_EQ(Compact({2}), 11.125);
  EXPECT_EQ(Compact({1}), 13.375);
  EXPECT_EQ(Compact({3, true}), 10);
  EXPECT_EQ(Compact({1}), 13.375);
}

// A tree of full levels takes 2.5 % more, whatever its size ratio.
TEST_F(LevelBitsTest, AFullTreeKeepsToItsMemory) {
  for (const double ratio : {2.0, 4.0, 6.0, 10.0}) {
    LevelBits bits;
    ColumnFamilyOptions options;
    options.max_bytes_for_level_multiplier = ratio;
    bits.ObserveOptions(options);
    double memory = 0, keys = 0, share = 1;
    for (int level = 6; level > 0; --level, share /= ratio) {
      keys += share;
      memory += share * bits.BitsPerKey(10, ContextOf({level, level == 6},
                                                      Reason::kCompaction));
    }
    EXPECT_LE(memory / keys, 10.25) << ratio;
    EXPECT_GE(memory / keys, 10.15) << ratio;
  }
}

TEST_F(LevelBitsTest, NoTableGetsFewerThanAskedOrMoreThanSixteen) {
  Open(100);
  for (const double asked : {1.0, 2.15, 5.0, 10.0, 15.999, 16.0, 17.0, 100.0}) {
    for (int level = 0; level < kLevels; ++level) {
      for (const bool bottommost : {false, true}) {
        const double bits = Compact({level, bottommost}, asked);
        EXPECT_GE(bits, asked);
        EXPECT_LE(bits, std::max(asked, 16.0));
      }
    }
  }
  EXPECT_EQ(Compact({3}, 0), 0);  // no filter
}

// RocksDB moves the tables of a load in key order to the last level.
TEST_F(LevelBitsTest, FlushesWithoutACompactionGetWhatWasAsked) {
  Open(10, 4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Flush(), 10) << i;
  Compact({6, true});
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Flush(), 14) << i;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Flush(), 10) << i;
  EXPECT_EQ(BitsOf({0}, Reason::kRecovery), 10);
  Compact({6, true});
  EXPECT_EQ(BitsOf({0}, Reason::kRecovery), 14);
  // Level 0 has up to so many runs.
  Open(10, 20);
  Compact({6, true});
  for (int i = 0; i < 40; ++i) EXPECT_EQ(Flush(), 14) << i;
  EXPECT_EQ(Flush(), 10);
}

TEST_F(LevelBitsTest, FlushesOfALoadInBulkGetWhatWasAsked) {
  rocksdb::Options options;
  options.PrepareForBulkLoad();
  bits_.ObserveOptions(options);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Flush(), 10) << i;
}

TEST_F(LevelBitsTest, FamiliesAndDatabasesAreToldApart) {
  LinesLogged logs[2];
  const Table table = {0, false, "default", rocksdb::kCompactionStyleLevel,
                       &logs[0]};
  Table compacted = table;
  compacted.level = 4;
  Compact(compacted);
  EXPECT_EQ(Flush(table), 14);
  Table other_family = table;
  other_family.family = "other";
  EXPECT_EQ(Flush(other_family), 10);
  Table other_database = table;
  other_database.log = &logs[1];
  EXPECT_EQ(Flush(other_database), 10);
  // Of level 3 the other family knows one level below it, this one two.
  other_family.level = compacted.level = 3;
  EXPECT_LT(Compact(other_family), Compact(compacted));
}

TEST_F(LevelBitsTest, TheSmallestSizeRatioIsTaken) {
  EXPECT_EQ(Compact({6, true}), 10);
  EXPECT_EQ(Compact({5}), 12.25);  // RocksDB's default of 10
  Open(6);
  EXPECT_EQ(Compact({5}), 11.25);
  Open(10);
  EXPECT_EQ(Compact({5}), 11.25);
  Open(4);
  EXPECT_EQ(Compact({5}), 10.75);
  Open(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Compact({5}), 10);
}

// The largest level with filters is then the one above the last.
TEST_F(LevelBitsTest, FiltersForHitsLeaveLevelsAlike) {
  ColumnFamilyOptions options;
  options.optimize_filters_for_hits = true;
  bits_.ObserveOptions(options);
  for (const int level : {6, 5, 4}) EXPECT_EQ(Compact({level}), 10);
  EXPECT_EQ(Flush(), 14);
}

TEST_F(LevelBitsTest, UniversalCompaction) {
  const auto table = [](int level, bool bottommost = false) {
    return Table{level, bottommost, "default",
                 rocksdb::kCompactionStyleUniversal};
  };
  EXPECT_EQ(Compact(table(6, true)), 10);
  EXPECT_EQ(Compact(table(5)), 10);
  EXPECT_EQ(Compact(table(4)), 10.75);
  EXPECT_EQ(Compact(table(3)), 11.5);
  EXPECT_EQ(Compact(table(5, true)), 10);
  EXPECT_EQ(Flush(table(0)), 14);
}

TEST_F(LevelBitsTest, OtherStylesAndFilesFromOutsideGetWhatWasAsked) {
  for (const auto style :
       {rocksdb::kCompactionStyleFIFO, rocksdb::kCompactionStyleNone}) {
    EXPECT_EQ(Flush({0, false, "default", style}), 10);
    EXPECT_EQ(Compact({0, false, "default", style}), 10);
    EXPECT_EQ(Compact({5, false, "default", style}), 10);
  }
  EXPECT_EQ(BitsOf({-1}, Reason::kMisc), 10);
}

// RocksDB always tells the number of levels with the level; the bits are sane
// if it should not.
TEST_F(LevelBitsTest, LevelsOutOfBounds) {
  for (const int num_levels : {-1, 0, 1, 3}) {
    for (const int level : {0, 1, 2, 5, 1000000}) {
      rocksdb::FilterBuildingContext context =
          ContextOf({level}, Reason::kCompaction);
      context.num_levels = num_levels;
      const double bits = bits_.BitsPerKey(10, context);
      EXPECT_GE(bits, 10);
      EXPECT_LE(bits, 16);
    }
  }
}

TEST_F(LevelBitsTest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 1000; ++i) {
        Open(4 + t);
        EXPECT_GE(Flush(), 10);
        EXPECT_GE(Compact({1 + i % 6, i % 2 == 0}), 10);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Compact({5}), 10.75);
}

TEST(BitsFromListTest, ByLevel) {
  const rocksdb::BlockBasedTableOptions table;
  FilterOptions options;
  options.level_bits_per_key = {20, 16, 0, 0.7, 8};
  const auto bits_of = [&](int level) {
    rocksdb::FilterBuildingContext context(table);
    context.level_at_creation = level;
    return BitsFromList(options, context);
  };
  EXPECT_EQ(bits_of(0), 20);
  EXPECT_EQ(bits_of(1), 16);
  EXPECT_EQ(bits_of(2), 0);
  EXPECT_EQ(bits_of(3), 1);
  EXPECT_EQ(bits_of(4), 8);
  EXPECT_EQ(bits_of(100), 8);
  EXPECT_EQ(bits_of(-1), 8);  // not known
}

}  // namespace
}  // namespace oneline
