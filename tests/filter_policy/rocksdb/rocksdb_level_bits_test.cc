// Tests of filter_policy/rocksdb/rocksdb_level_bits.h: the bits per key of
// tables of every level, reason and compaction style, and what matters of
// options.

#include "filter_policy/rocksdb/rocksdb_level_bits.h"

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include "filter_policy/options/requested_bits.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/testing.h"

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
  double BitsOf(const Table& table, Reason reason) {
    const std::optional<NewFilter> filter =
        bits_.BeginTable(options_, ContextOf(table, reason));
    return filter.has_value() ? filter->bits_per_key : 0;
  }
  double Flush(const Table& table = {0}) {
    return BitsOf(table, Reason::kFlush);
  }
  double Compact(const Table& table) {
    return BitsOf(table, Reason::kCompaction);
  }
  // Opens a column family.
  void Open(double size_ratio, bool dynamic = true, int compaction_runs = 4) {
    ColumnFamilyOptions options;
    options.max_bytes_for_level_multiplier = size_ratio;
    options.level_compaction_dynamic_level_bytes = dynamic;
    options.level0_file_num_compaction_trigger = compaction_runs;
    bits_.ObserveOptions(options);
  }
  // Of tables so many levels above the last of a tree with dynamic sizes.
  double Above(double levels, double size_ratio) {
    return RoundedBitsPerKey(TreeBits(RuleFor(options_, 10), size_ratio,
                                      TreeBits::PaidIfFull(size_ratio))
                                 .Above(levels));
  }

  rocksdb::BlockBasedTableOptions table_;
  FilterOptions options_;
  LevelBits bits_;
};

TEST_F(LevelBitsTest, DynamicLevelsCountFromTheLastOfAll) {
  Open(4);
  EXPECT_EQ(Compact({6, true}), 9.184);
  EXPECT_EQ(Compact({5}), 11.494);
  EXPECT_EQ(Compact({4}), 13.805);
  EXPECT_EQ(Compact({3}), 16);
  EXPECT_EQ(Compact({0}), 14);  // a compaction within level 0
  EXPECT_EQ(Flush(), 14);
  // For its keys it is the last level.
  EXPECT_EQ(Compact({3, true}), 9.184);
  options_.hits = 1;
  EXPECT_EQ(Compact({6, true}), 0);
}

// The last level of static sizes is not known, and may just have begun to fill.
TEST_F(LevelBitsTest, StaticLevelsCountAPartOfALevel) {
  Open(10, /*dynamic=*/false);
  const double step = std::log(10) / 0.6;
  for (const int level : {1, 2, 3, 6}) {
    EXPECT_NEAR(Compact({level, true}), 10 - step / 6, 0.001) << level;
  }
  EXPECT_NEAR(Compact({1}), 10 - step / 6 + step, 0.001);
  for (const int level : {2, 3, 5}) {
    EXPECT_NEAR(Compact({level}), 10 - step / 6 + 0.3 * step, 0.001) << level;
  }
  EXPECT_EQ(Flush(), 14);
}

// RocksDB moves the tables of a load in key order to the last level.
TEST_F(LevelBitsTest, FlushesWithoutACompactionGetWhatWasRequested) {
  Open(10);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Flush(), 10) << i;
  Compact({6, true});
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Flush(), 14) << i;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Flush(), 10) << i;
  EXPECT_EQ(BitsOf({0}, Reason::kRecovery), 10);
  Compact({6, true});
  EXPECT_EQ(BitsOf({0}, Reason::kRecovery), 14);
  // Level 0 has up to so many runs.
  Open(10, true, 20);
  Compact({6, true});
  for (int i = 0; i < 40; ++i) EXPECT_EQ(Flush(), 14) << i;
  EXPECT_EQ(Flush(), 10);
}

TEST_F(LevelBitsTest, FlushesOfALoadInBulkGetWhatWasRequested) {
  rocksdb::Options options;
  options.PrepareForBulkLoad();
  bits_.ObserveOptions(options);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Flush(), 10) << i;
}

TEST_F(LevelBitsTest, LoadsOfFamiliesAndDatabasesAreToldApart) {
  LinesLogged logs[2];
  const Table table = {0, false, "default", rocksdb::kCompactionStyleLevel,
                       &logs[0]};
  Table compacted = table;
  compacted.level = 4;
  Compact(compacted);
  Table other_family = table;
  other_family.family = "other";
  EXPECT_EQ(Flush(other_family), 10);
  Table other_database = table;
  other_database.log = &logs[1];
  EXPECT_EQ(Flush(other_database), 10);
  EXPECT_EQ(Flush(table), 14);
}

TEST_F(LevelBitsTest, TheSmallestSizeRatioIsTaken) {
  Open(6);
  EXPECT_EQ(Compact({5}), Above(1, 6));
  Open(10);
  EXPECT_EQ(Compact({5}), Above(1, 6));
  Open(4);
  EXPECT_EQ(Compact({5}), Above(1, 4));
  Open(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Compact({5}), 10);
  EXPECT_EQ(Compact({6, true}), 10);
}

// CreateColumnFamily shows no options.
TEST_F(LevelBitsTest, WithoutOptionsRocksDBsDefaultsAreTaken) {
  LevelBits shown;
  shown.ObserveOptions({});
  for (const int level : {1, 3, 6}) {
    EXPECT_EQ(
        Compact({level}),
        shown.BeginTable(options_, ContextOf({level}, Reason::kCompaction))
            ->bits_per_key);
  }
}

// They have no filters in the last level, which others have; or no levels.
TEST_F(LevelBitsTest, FamiliesOfAnotherSortDoNotMatter) {
  Open(10);
  const double before = Compact({5});
  ColumnFamilyOptions for_hits;
  for_hits.optimize_filters_for_hits = true;
  ColumnFamilyOptions universal;
  universal.compaction_style = rocksdb::kCompactionStyleUniversal;
  for (ColumnFamilyOptions& options :
       {std::ref(for_hits), std::ref(universal)}) {
    options.max_bytes_for_level_multiplier = 2;
    options.level_compaction_dynamic_level_bytes = false;
    bits_.ObserveOptions(options);
    EXPECT_EQ(Compact({5}), before);
  }
}

TEST_F(LevelBitsTest, UniversalCompaction) {
  Open(10);
  const auto table = [](int level, bool bottommost = false) {
    return Table{level, bottommost, "default",
                 rocksdb::kCompactionStyleUniversal};
  };
  const double step = std::log(4) / 0.6, last = 10 - step / 6;
  EXPECT_NEAR(Compact(table(6, true)), last, 0.001);
  EXPECT_NEAR(Compact(table(5)), last, 0.001);
  EXPECT_NEAR(Compact(table(4)), last + step / 3, 0.001);
  EXPECT_NEAR(Compact(table(3)), last + 2 * step / 3, 0.001);
  EXPECT_NEAR(Compact(table(5, true)), last, 0.001);
  EXPECT_EQ(Flush(table(0)), 14);
}

TEST_F(LevelBitsTest, OtherStylesAndFilesFromOutsideGetWhatWasRequested) {
  for (const auto style :
       {rocksdb::kCompactionStyleFIFO, rocksdb::kCompactionStyleNone}) {
    EXPECT_EQ(Flush({0, false, "default", style}), 10);
    EXPECT_EQ(Compact({0, false, "default", style}), 10);
    EXPECT_EQ(Compact({5, false, "default", style}), 10);
  }
  EXPECT_EQ(BitsOf({-1}, Reason::kMisc), 10);
}

TEST_F(LevelBitsTest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 1000; ++i) {
        Open(4 + t);
        EXPECT_GE(Flush(), 9);
        EXPECT_GE(Compact({1 + i % 6, i % 2 == 0}), 9);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Compact({5}), Above(1, 4));
}

TEST_F(LevelBitsTest, ListsOfBits) {
  options_.level_bits_per_key = {20, 16, 0, 0.7, 8};
  for (const auto& [level, bits] :
       {std::pair(0, 20), {1, 16}, {2, 0}, {3, 1}, {4, 8}, {100, 8}}) {
    EXPECT_EQ(Compact({level}), bits) << level;
  }
  EXPECT_EQ(BitsOf({-1}, Reason::kMisc), 8);  // not known
  options_.level_bits_per_key.clear();
  EXPECT_EQ(Flush(), 14);  // the compactions were counted
}

TEST_F(LevelBitsTest, QueriesCountNothing) {
  Open(10);
  const auto flush = ContextOf({0}, Reason::kFlush);
  const auto compaction = ContextOf({5}, Reason::kCompaction);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bits_.BitsPerKey(options_, compaction, false), Above(1, 10));
    EXPECT_EQ(bits_.BitsPerKey(options_, flush, false), 14);
    EXPECT_EQ(bits_.BitsPerKey(options_, flush, true), 10);
    EXPECT_EQ(Flush(), 10);  // no compaction was counted
  }
}

}  // namespace
}  // namespace oneline
