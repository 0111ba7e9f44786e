// Tests of the default policy in real databases that grow under RocksDB's own
// compactions, with restarts: the memory of the filters is what was asked for,
// and they pass nearly as few absent keys as the best filters of that memory.

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/allocation/level_allocation.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_kind.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr double kAverage = 10;
constexpr int kKeys = 250000;

PolicyPtr ByDefault() {
  FilterOptions options;
  options.bits_per_key = kAverage;
  return NewRocksDBFilterPolicy(options);
}

// So small that 250,000 keys make a tree of four levels. A new policy each
// time knows nothing of the tree, as after a restart.
rocksdb::Options SmallTables(rocksdb::CompactionStyle style, bool dynamic) {
  rocksdb::Options options = OptionsWith(ByDefault());
  options.compaction_style = style;
  options.level_compaction_dynamic_level_bytes = dynamic;
  options.disable_auto_compactions = false;
  options.write_buffer_size = 128 << 10;
  options.max_bytes_for_level_base = 512 << 10;
  options.target_file_size_base = 256 << 10;
  options.max_bytes_for_level_multiplier = 5;
  options.compression = rocksdb::kNoCompression;
  return options;
}

// False positives of a lookup of an absent key: of the filters as they are, and
// of the best ones of the same memory; and the memory, in bits for each key.
struct TreeFilters {
  double expected = 0, best = 0, bits_per_key = 0;
};

TreeFilters FiltersOf(const ScratchDatabase& database) {
  rocksdb::ColumnFamilyMetaData metadata;
  database->GetColumnFamilyMetaData(&metadata);
  std::vector<TreeLevel> runs;
  TreeFilters result;
  double bits = 0, keys = 0;
  for (const rocksdb::LevelMetaData& level : metadata.levels) {
    double of_level = 0, rates = 0;
    for (const rocksdb::SstFileMetaData& file : level.files) {
      const double n = static_cast<double>(file.num_entries);
      const double of_table = BitsInFile(file.db_path + file.name);
      const double rate = ExpectedFalsePositives({{n}}, {of_table}, 8);
      if (level.level == 0) {
        runs.push_back({n});
        result.expected += rate;
      }
      of_level += n;
      rates += n * rate;
      bits += n * of_table;
    }
    keys += of_level;
    if (level.level > 0 && of_level > 0) {
      runs.push_back({of_level});
      result.expected += rates / of_level;
    }
  }
  result.bits_per_key = bits / keys;
  result.best = ExpectedFalsePositives(
      runs, AllocateBits(runs, result.bits_per_key, 8), 8);
  return result;
}

struct Case {
  const char* name;
  rocksdb::CompactionStyle style;
  bool dynamic;
};

class GrowingTreeDatabaseTest : public testing::TestWithParam<Case> {};

TEST_P(GrowingTreeDatabaseTest, GrowsWithRestarts) {
  const auto [name, style, dynamic] = GetParam();
  ScratchDatabase database(SmallTables(style, dynamic));
  auto random = TestRandom();
  constexpr int kRestarts = 8;
  const std::string value(16, 'v');
  double beside_the_best = 0;
  for (int restart = 0; restart < kRestarts; ++restart) {
    for (int i = 0; i < kKeys / kRestarts; ++i) {
      const int key = 2 * static_cast<int>(random() % kKeys);
      ASSERT_TRUE(
          database->Put(rocksdb::WriteOptions(), KeyAt(key), value).ok());
    }
    database.WaitForCompactions();
    const TreeFilters filters = FiltersOf(database);
    std::string tree;
    for (const auto& [level, bits] : BitsOfTables(database)) {
      tree += " L" + std::to_string(level) + ":";
      for (const double b : bits) tree += " " + std::to_string(b).substr(0, 5);
    }
    SCOPED_TRACE(testing::Message() << "restart " << restart << tree);
    if (restart >= kRestarts / 2) {
      EXPECT_LE(filters.bits_per_key, 1.05 * kAverage);
      EXPECT_GE(filters.bits_per_key, 0.88 * kAverage);
      beside_the_best += filters.expected / filters.best / (kRestarts / 2);
    }
    database.Reopen(SmallTables(style, dynamic));
  }
  // When RocksDB compacts depends on how busy the machine is.
  EXPECT_LE(beside_the_best, 1.5);
  // What was in the log is in level 0 now. Under universal compaction larger
  // runs may have taken the memory.
  const auto bits = BitsOfTables(database);
  ASSERT_EQ(bits.count(0), 1u);
  const bool leveled = style == rocksdb::kCompactionStyleLevel;
  EXPECT_GE(bits.at(0)[0], leveled ? kAverage + 2 : kAverage - 0.5);
}

INSTANTIATE_TEST_SUITE_P(
    Trees, GrowingTreeDatabaseTest,
    testing::Values(Case{"Static", rocksdb::kCompactionStyleLevel, false},
                    Case{"Dynamic", rocksdb::kCompactionStyleLevel, true},
                    Case{"Universal", rocksdb::kCompactionStyleUniversal,
                         false}),
    [](const auto& of) { return of.param.name; });

// A sorted load moves tables from level 0 to the last level without writing
// them again.
TEST(GrowingTreeDatabaseSortedTest, ASortedLoadTakesTheMemoryAskedFor) {
  ScratchDatabase database(SmallTables(rocksdb::kCompactionStyleLevel, true));
  for (int i = 0; i < 2 * kKeys; i += 2) {
    ASSERT_TRUE(
        database->Put(rocksdb::WriteOptions(), KeyAt(i), ValueAt(i)).ok());
  }
  database.WaitForCompactions();
  const double bits = FiltersOf(database).bits_per_key;
  EXPECT_LE(bits, 1.03 * kAverage);
  EXPECT_GE(bits, 0.9 * kAverage);
}

}  // namespace
}  // namespace oneline
