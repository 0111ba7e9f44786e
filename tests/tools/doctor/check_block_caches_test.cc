// `oneline doctor` on databases whose filters and block cache do not fit
// together: tools/doctor/check_block_caches.cc.

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

using rocksdb::PinningTier;
using TableOptions = rocksdb::BlockBasedTableOptions;

const Kinds kTooSmall = {"filters-exceed-cache"};
const Kinds kExceedsShard = {"exceeds-shard"};

// With the filters in the cache.
TableOptions Cached(const std::shared_ptr<rocksdb::Cache>& cache = nullptr) {
  TableOptions table;
  table.cache_index_and_filter_blocks = true;
  table.block_cache = cache;
  return table;
}

void Partition(TableOptions* table, bool on = true) {
  table->partition_filters = on;
  table->index_type =
      on ? TableOptions::kTwoLevelIndexSearch : TableOptions::kBinarySearch;
}

// 9.4 kB of filters.
TEST(CheckBlockCachesTest, FindsFiltersThatExceedTheCache) {
  TableOptions outside, small_blocks = Cached(), partitioned;
  small_blocks.block_size = 256;
  Partition(&partitioned);
  for (const auto& [table, cases] : std::vector<
           std::pair<TableOptions, std::vector<std::pair<const char*, Kinds>>>>{
           {Cached(), {{"7kB", kTooSmall}, {"10MiB", {}}}},
           // What open tables hold outside the cache does not count.
           {outside, {{"7kB", {}}}},
           // Indexes take room where they are cached: here 11 kB.
           {small_blocks, {{"12kB", kTooSmall}, {"40kB", {}}}},
           // Partitions are always cached.
           {partitioned, {{"7kB", kTooSmall}}}}) {
    ScratchDatabase database(OptionsWith(OurPolicy(10), table));
    Fill(database);
    for (const auto& [size, kinds] : cases) {
      EXPECT_EQ(
          RunDoctor(database, std::string("--block_cache=") + size).kinds(),
          kinds)
          << size;
    }
  }
}

// By the LOG: it holds the filters of one of them, but not of both.
TEST(CheckBlockCachesTest, ColumnFamiliesShareACache) {
  for (const bool shared : {true, false}) {
    TableOptions table = Cached(rocksdb::NewLRUCache(10000));
    ScratchDatabase database(OptionsWith(OurPolicy(10), table), 8000);
    if (!shared) table.block_cache = rocksdb::NewLRUCache(10000);
    database.WriteFamily("other", OptionsWith(OurPolicy(10), table), 4000);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), shared ? kTooSmall : Kinds{});
    if (shared) {
      EXPECT_TRUE(Contains(report.what(0), "default, other"));
    }
  }
}

// How often lookups of one key read blocks of this kind into the cache.
uint64_t ReadsOf(const ScratchDatabase& database, rocksdb::Tickers ticker) {
  std::string value;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(database->Get({}, KeyAt(0), &value).ok());
  }
  return database.Ticker(ticker);
}

// A filter of 5 kB and shards of 4 KiB: by the statistics each lookup reads it.
// One shard would keep it, and pinning does.
TEST(CheckShardsTest, FindsAFilter) {
  for (const auto& [shard_bits, is_pinned] :
       {std::pair(4, false), {0, false}, {4, true}}) {
    TableOptions table = Cached(rocksdb::NewLRUCache(64 << 10, shard_bits));
    table.metadata_cache_options.unpartitioned_pinning =
        is_pinned ? PinningTier::kAll : PinningTier::kNone;
    ScratchDatabase database(OptionsWith(OurPolicy(10), table));
    database.WriteTable(0, 8000);
    const bool exceeds = shard_bits > 0 && !is_pinned;
    EXPECT_EQ(ReadsOf(database, rocksdb::BLOCK_CACHE_FILTER_ADD) >= 100,
              exceeds);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), exceeds ? kExceedsShard : Kinds{});
    if (!exceeds) continue;
    EXPECT_TRUE(report.has_fault());
    EXPECT_TRUE(Contains(report.what(0), "64.0 KiB in 16 shards"));
  }
}

// (If the filter has the same shard, the index evicts it as well.)
TEST(CheckShardsTest, FindsAnIndexAlsoInAHyperClockCache) {
  for (const auto& cache :
       {rocksdb::NewLRUCache(64 << 10, 4),
        rocksdb::HyperClockCacheOptions(64 << 10, 6000, 4).MakeSharedCache()}) {
    TableOptions table = Cached(cache);
    table.block_size = 100;
    ScratchDatabase database(OptionsWith(OurPolicy(2), table));
    database.WriteTable(0, 8000);
    EXPECT_GE(ReadsOf(database, rocksdb::BLOCK_CACHE_INDEX_ADD), 100u);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), kExceedsShard);
    EXPECT_TRUE(ContainsAll(report.what(0), {"In 1 table ", ".sst"}));
  }
}

// Options that changed since do not change the tables.
TEST(CheckShardsTest, CountsWhatTablesHave) {
  for (const bool partitioned : {false, true}) {
    TableOptions table = Cached(rocksdb::NewLRUCache(64 << 10, 4));
    table.block_size = 256;
    table.metadata_block_size = 1000;
    Partition(&table, partitioned);
    ScratchDatabase database(OptionsWith(OurPolicy(10), table));
    database.WriteTable(0, 8000);
    Partition(&table, !partitioned);
    database.Reopen(OptionsWith(OurPolicy(10), table));
    EXPECT_EQ(RunDoctor(database).kinds(),
              partitioned ? Kinds{} : kExceedsShard);
  }
}

// Only those of small tables of level 0, as flushes write them.
TEST(CheckShardsTest, PinnedLevel0) {
  TableOptions table = Cached(rocksdb::NewLRUCache(64 << 10, 4));
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  rocksdb::Options options = OptionsWith(OurPolicy(10), table);
  options.write_buffer_size = 64 << 20;
  ScratchDatabase database(options);
  database.WriteTable(0, 24000);
  EXPECT_EQ(RunDoctor(database).kinds(), Kinds{});
  options.write_buffer_size = 64 << 10;
  database.Reopen(options);
  EXPECT_EQ(RunDoctor(database).kinds(), kExceedsShard);
  options.write_buffer_size = 64 << 20;
  database.Reopen(options);
  database.CompactLevel0To(1);
  EXPECT_EQ(RunDoctor(database).kinds(), kExceedsShard);
}

}  // namespace
}  // namespace oneline
