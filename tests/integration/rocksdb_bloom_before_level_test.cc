// Tests of the option bloom_before_level: it means the same as in RocksDB's own
// Ribbon policy.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

using Kinds = std::vector<std::string>;

using rocksdb::TableFileCreationReason;

PolicyPtr BloomBefore(int level, Kind kind = Kind::kRibbon) {
  FilterOptions options;
  options.kind = kind;
  options.bloom_before_level = level;
  return PolicyWith(options);
}

PolicyPtr RocksDBsBloomBefore(int level) {
  return PolicyNamed("ribbonfilter:10:" + std::to_string(level));
}

std::string KindBuilt(const PolicyPtr& policy,
                      const rocksdb::FilterBuildingContext& context) {
  const BuilderPtr builder(policy->GetBuilderWithContext(context));
  // For very few keys RocksDB always builds a Bloom filter.
  static const Keys keys = MakeKeys("key", 500);
  AddKeys(keys, builder.get());
  return KindOfFilter(FinishBlock(builder.get()));
}

// Tables of every style, reason and level.
TEST(BloomBeforeLevelTest, EachTableGetsTheKindThatRocksDBGivesIt) {
  const rocksdb::BlockBasedTableOptions table;
  for (const auto style :
       {rocksdb::kCompactionStyleLevel, rocksdb::kCompactionStyleUniversal,
        rocksdb::kCompactionStyleFIFO, rocksdb::kCompactionStyleNone}) {
    for (const auto reason :
         {TableFileCreationReason::kFlush, TableFileCreationReason::kCompaction,
          TableFileCreationReason::kRecovery, TableFileCreationReason::kMisc}) {
      for (int level = -1; level <= 8; ++level) {
        // A flush is always to level 0.
        if (reason == TableFileCreationReason::kFlush && level != 0) continue;
        rocksdb::FilterBuildingContext context(table);
        context.compaction_style = style;
        context.reason = reason;
        context.level_at_creation = level;
        for (int before : {-1, 0, 1, 2, 7, 1000}) {
          EXPECT_EQ(KindBuilt(BloomBefore(before), context),
                    KindBuilt(RocksDBsBloomBefore(before), context))
              << "style " << style << ", reason " << static_cast<int>(reason)
              << ", level " << level << ", bloom_before_level " << before;
          EXPECT_EQ(KindBuilt(BloomBefore(before, Kind::kBloom), context),
                    "bloom");
        }
      }
    }
  }
}

// Bloom needs more bits per key for a rate than Ribbon.
TEST(BloomBeforeLevelTest, EachKindGetsTheBitsForTheRate) {
  FilterOptions options;
  options.fp_rate = 0.01;
  options.bloom_before_level = 0;
  ScratchDatabase database(OptionsWith(PolicyWith(options)), 20000);
  EXPECT_EQ(KindsOfTables(database), Kinds{"L0 bloom"});
  EXPECT_NEAR(database.FilterBitsPerKey(), 9.9, 0.1);
  database.CompactAll();
  EXPECT_EQ(KindsOfTables(database), Kinds{"L1 ribbon"});
  EXPECT_NEAR(database.FilterBitsPerKey(), 7.05, 0.1);
  // Both can be set while the database is open.
  ASSERT_TRUE(
      IsOk(SetFilterOptions(database, "bloom_before_level=2", Form::kDotted)));
  database.CompactAll();
  EXPECT_EQ(KindsOfTables(database), Kinds{"L1 bloom"});
  EXPECT_NEAR(database.FilterBitsPerKey(), 9.9, 0.1);
  ASSERT_TRUE(IsOk(SetFilterOptions(database, "fp_rate=0.001", Form::kDotted)));
  database.CompactAll();
  EXPECT_NEAR(database.FilterBitsPerKey(), 15.57, 0.1);
}

}  // namespace
}  // namespace oneline
