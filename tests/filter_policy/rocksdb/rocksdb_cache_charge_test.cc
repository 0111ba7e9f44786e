// Tests of cache_usage_options for filter construction: of
// filter_policy/rocksdb/rocksdb_cache_charge.h, and of what the builders of the
// policy charge.

#include "filter_policy/rocksdb/rocksdb_cache_charge.h"

#include "table/block/filter_block.h"
#include "table/block/line_count.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/lines_logged.h"

namespace oneline {
namespace {

using CachePtr = std::shared_ptr<rocksdb::Cache>;
using Decision = rocksdb::CacheEntryRoleOptions::Decision;
using rocksdb::BlockBasedTableOptions;
using rocksdb::CacheEntryRole;

constexpr size_t kUnit = CacheCharge::kUnitBytes;

CachePtr NewCache(size_t capacity, bool strict = false) {
  rocksdb::LRUCacheOptions options;
  options.capacity = capacity;
  options.strict_capacity_limit = strict;
  options.num_shard_bits = 0;
  // Otherwise each entry is charged with its own bytes besides.
  options.metadata_charge_policy = rocksdb::kDontChargeCacheMetadata;
  return rocksdb::NewLRUCache(options);
}

TEST(CacheChargeTest, ChargesUnitsAndGivesThemBack) {
  for (const CachePtr& cache :
       {NewCache(100 * kUnit),
        rocksdb::HyperClockCacheOptions(100 * kUnit, kUnit)
            .MakeSharedCache()}) {
    const size_t before = cache->GetPinnedUsage();
    {
      CacheCharge charge(cache);
      EXPECT_EQ(cache->GetPinnedUsage(), before);
      for (const size_t units : {1, 7, 3, 3, 0, 12}) {
        EXPECT_TRUE(charge.Set(units * kUnit));
        // A cache may charge its own bytes for an entry.
        EXPECT_NEAR(cache->GetPinnedUsage() - before, units * kUnit, 4096);
      }
      EXPECT_TRUE(charge.Set(kUnit + 1));
      EXPECT_GE(cache->GetPinnedUsage() - before, 2 * kUnit);
      EXPECT_LT(cache->GetPinnedUsage() - before, 3 * kUnit);
    }
    EXPECT_EQ(cache->GetPinnedUsage(), before);
  }
}

TEST(CacheChargeTest, StopsAtAStrictLimit) {
  const CachePtr cache = NewCache(10 * kUnit, /*strict=*/true);
  CacheCharge charge(cache);
  EXPECT_TRUE(charge.Set(10 * kUnit));
  EXPECT_FALSE(charge.Set(1000 * kUnit));
  EXPECT_EQ(cache->GetPinnedUsage(), 10 * kUnit);
  EXPECT_TRUE(charge.Set(4 * kUnit));
  EXPECT_EQ(cache->GetPinnedUsage(), 4 * kUnit);
}

BlockBasedTableOptions ChargedTo(const CachePtr& cache) {
  BlockBasedTableOptions table;
  table.optimize_filters_for_memory = false;
  table.block_cache = cache;
  table.cache_usage_options
      .options_overrides[CacheEntryRole::kFilterConstruction]
      .charged = Decision::kEnabled;
  return table;
}

// The rule that is in rocksdb/table.h.
TEST(CacheChargeTest, OnlyIfTheOptionsSaySo) {
  const CachePtr cache = NewCache(kUnit);
  BlockBasedTableOptions table;
  table.block_cache = cache;
  EXPECT_EQ(CacheChargedForBuilds(table), nullptr);
  for (const Decision general :
       {Decision::kEnabled, Decision::kDisabled, Decision::kFallback}) {
    for (const Decision own :
         {Decision::kEnabled, Decision::kDisabled, Decision::kFallback}) {
      for (const bool given : {true, false}) {
        table.cache_usage_options.options.charged = general;
        auto& overrides = table.cache_usage_options.options_overrides;
        overrides.clear();
        overrides[CacheEntryRole::kBlockBasedTableReader].charged =
            Decision::kEnabled;
        if (given) overrides[CacheEntryRole::kFilterConstruction] = {own};
        const Decision decision =
            given && own != Decision::kFallback ? own : general;
        EXPECT_EQ(CacheChargedForBuilds(table),
                  decision == Decision::kEnabled ? cache : nullptr);
      }
    }
  }
  table = ChargedTo(cache);
  table.no_block_cache = true;
  EXPECT_EQ(CacheChargedForBuilds(table), nullptr);
}

class ChargedBuilderTest : public testing::TestWithParam<Kind> {
 protected:
  BuilderPtr NewBuilderOf(const BlockBasedTableOptions& table,
                          rocksdb::Logger* log = nullptr) {
    return NewBuilder(OurPolicy(10, GetParam()), table, log);
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, ChargedBuilderTest,
                         testing::Values(Kind::kRibbon, Kind::kBloom));

constexpr uint64_t kManyKeys = 200000;

std::string KeyOf(uint64_t i) {
  return std::string(std::string_view(IntegerKey(KeySet::kRandom, 1, i)));
}

double Pinned(const CachePtr& cache) {
  return static_cast<double>(cache->GetPinnedUsage());
}

// Adds many keys. The charge must follow: 8 bytes for each key.
void AddManyKeys(const CachePtr& cache, double before,
                 rocksdb::FilterBitsBuilder* builder) {
  for (uint64_t i = 0; i < kManyKeys; ++i) {
    builder->AddKey(KeyOf(i));
    if (i % 10000 != 0) continue;
    ASSERT_NEAR(Pinned(cache) - before, 8.0 * static_cast<double>(i), kUnit);
  }
}

TEST_P(ChargedBuilderTest, KeysThenTheBlockThenNothing) {
  for (const bool verify : {false, true}) {
    const CachePtr cache = NewCache(64 << 20);
    BlockBasedTableOptions table = ChargedTo(cache);
    table.detect_filter_construct_corruption = verify;
    BuilderPtr builder = NewBuilderOf(table);
    double blocks = 0;
    for (int partition = 0; partition < 2; ++partition) {
      AddManyKeys(cache, blocks, builder.get());
      std::unique_ptr<const char[]> owner;
      const rocksdb::Slice block = builder->Finish(&owner);
      blocks += static_cast<double>(block.size());
      EXPECT_NEAR(Pinned(cache), (verify ? 8 * kManyKeys : 0) + blocks,
                  1.5 * kUnit);
      EXPECT_TRUE(builder->MaybePostVerify(block).ok());
      EXPECT_NEAR(Pinned(cache), blocks, kUnit);
      EXPECT_TRUE(NewReader(OurPolicy(10), block)->MayMatch(KeyOf(7)));
    }
    // A table is abandoned.
    AddManyKeys(cache, blocks, builder.get());
    builder.reset();
    EXPECT_EQ(cache->GetPinnedUsage(), 0u);
    EXPECT_EQ(cache->GetUsage(), 0u);
  }
}

// As with RocksDB's Bloom filter, the table has its filter, and the cache is
// charged with as much as it has room for. The memory that solving takes is
// charged, too. Of a table whose memory was not, the LOG has one line.
TEST_P(ChargedBuilderTest, AFullCacheDoesNotStopABuild) {
  // 6 units for the keys, 1 for the block, 4 for solving.
  for (const size_t units : {0, 3, 9, 12}) {
    SCOPED_TRACE(units);
    const CachePtr cache = NewCache(units * kUnit, /*strict=*/true);
    LinesLogged log;
    BuilderPtr builder = NewBuilderOf(ChargedTo(cache), &log);
    for (const uint64_t keys : {kManyKeys, uint64_t{1000}}) {
      for (uint64_t i = 0; i < keys; ++i) builder->AddKey(KeyOf(i));
      EXPECT_LE(cache->GetPinnedUsage(), units * kUnit);
      if (units <= 3 && keys == kManyKeys) {
        EXPECT_EQ(cache->GetPinnedUsage(), units * kUnit);
      }
      rocksdb::Status status = rocksdb::Status::Aborted();
      std::unique_ptr<const char[]> owner;
      const rocksdb::Slice block = builder->Finish(&owner, &status);
      EXPECT_TRUE(status.ok());
      EXPECT_EQ(block.size(), kLineBytes * LinesFor(keys, 10) + kTrailerBytes);
      const ReaderPtr reader = NewReader(OurPolicy(10), block);
      for (uint64_t i = 0; i < keys; ++i) {
        ASSERT_TRUE(reader->MayMatch(KeyOf(i)));
      }
      EXPECT_LT(CountMatches(MakeKeys("absent", 100), reader.get()), 20u);
    }
    ASSERT_EQ(log.lines.size(), units < 12 ? 1u : 0u);
    if (units < 12) {
      EXPECT_NE(log.lines[0].find("[family] oneline: the block cache is full"),
                std::string::npos)
          << log.lines[0];
    }
    builder.reset();
    EXPECT_EQ(cache->GetPinnedUsage(), 0u);
  }
}

}  // namespace
}  // namespace oneline
