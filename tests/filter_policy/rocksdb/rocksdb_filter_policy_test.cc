// Tests of oneline/rocksdb_filter_policy.h in real databases: filters are
// written, loaded and used in every way that RocksDB knows. In each no key may
// be lost, and RocksDB's tickers must count the lookups that filters answered.

#include "oneline/rocksdb_filter_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using Names = std::vector<std::string>;

using rocksdb::Status;

class LayoutTest : public testing::TestWithParam<TableLayout> {
 protected:
  const TableLayout& layout() const { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Layouts, LayoutTest, testing::ValuesIn(kTableLayouts),
                         LayoutName);

TEST_P(LayoutTest, LookupsAreFiltered) {
  constexpr int kFirst = 0, kLast = 6000, kMore = 6200;
  const rocksdb::Options options = OptionsFor(layout(), PolicyFor(layout()));
  ScratchDatabase database(options);
  database.WriteTable(kFirst, kLast / 2);
  database.WriteTable(kLast / 2, kLast);
  ExpectFiltered(database, kFirst, kLast);
  database.CompactAll();
  EXPECT_EQ(database.PolicyNames(), Names{"oneline"});
  ExpectFiltered(database, kFirst, kLast);
  database.Reopen(options);
  ExpectFiltered(database, kFirst, kLast);
  // Keys in memory, beside keys in tables.
  database.Put(kLast, kMore);
  ExpectAllFound(database, kLast - 200, kMore);
  for (const auto& table : database.Tables()) {
    EXPECT_GT(table->filter_size, 0u);
    if (layout().partitioned) {
      EXPECT_GE(table->index_partitions, 10u);
    }
  }
}

class PrefixLayoutTest : public testing::TestWithParam<TableLayout> {};

INSTANTIATE_TEST_SUITE_P(Layouts, PrefixLayoutTest,
                         testing::ValuesIn(LayoutsWithPrefixes()), LayoutName);

TEST_P(PrefixLayoutTest, SeeksAreFiltered) {
  const rocksdb::Options options =
      OptionsFor(GetParam(), PolicyFor(GetParam()));
  ScratchDatabase database(options);
  database.WriteTable(0, 6000);
  ExpectPrefixSeeksFiltered(database, 0, 6000);
  database.Reopen(options);
  ExpectPrefixSeeksFiltered(database, 0, 6000);
  // An iterator over all keys asks no filter.
  rocksdb::ReadOptions all;
  all.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> it(database->NewIterator(all));
  int count = 0;
  for (it->Seek(KeyAt(1)); it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 2999);
}

// RocksDB's tickers show whether filters came from the block cache and from the
// second, compressed one.
TEST_P(LayoutTest, FiltersAreLoadedAsTheLayoutSays) {
  ScratchDatabase database(OptionsFor(layout(), PolicyFor(layout())));
  database.WriteTable(0, 6000);
  database.WriteTable(6000, 12000);
  ExpectFiltered(database, 0, 12000);
  const uint64_t hits = database.Ticker(rocksdb::BLOCK_CACHE_FILTER_HIT);
  // Partitions always go through the cache, unless they are pinned or lie in a
  // mapped file.
  if ((layout().cached || layout().partitioned) && !layout().pinned &&
      !layout().mmap) {
    EXPECT_GT(hits, 0u);
  } else {
    EXPECT_EQ(hits, 0u);
  }
  const uint64_t secondary_hits =
      database.Ticker(rocksdb::SECONDARY_CACHE_HITS);
  if (layout().evicted) {
    EXPECT_GT(secondary_hits, 0u);
  } else {
    EXPECT_EQ(secondary_hits, 0u);
  }
}

TEST(RocksDBFilterPolicyTest, HasItsNames) {
  const auto policy = OurPolicy(10);
  EXPECT_STREQ(policy->Name(), "oneline");
  EXPECT_EQ(policy->GetId(), "oneline");
  EXPECT_STREQ(policy->CompatibilityName(), "rocksdb.BuiltinBloomFilter");
}

TEST(RocksDBFilterPolicyTest, TablesHaveTheBitsAskedFor) {
  for (const auto& [asked, bits] :
       {std::pair(0.499, 0.0), {0.7, 1.0}, {2.5, 2.5}, {20.0, 20.0}}) {
    ScratchDatabase database(OptionsWith(OurPolicy(asked)));
    database.WriteTable(0, 40000);
    EXPECT_NEAR(database.FilterBitsPerKey(), bits, bits == 0 ? 0 : 0.05);
    ExpectAllFound(database, 0, 2000);
  }
}

// Looks up the first `last` keys, of which the even ones must be there. Returns
// the number of lookups that filters answered.
uint64_t UsefulLookups(const ScratchDatabase& database,
                       rocksdb::ColumnFamilyHandle* family, int last) {
  const uint64_t before = database.Ticker(rocksdb::BLOOM_FILTER_USEFUL);
  for (int i = 0; i < last; ++i) {
    std::string value;
    const Status status =
        database->Get(rocksdb::ReadOptions(), family, KeyAt(i), &value);
    EXPECT_EQ(status.ok(), i % 2 == 0) << KeyAt(i) << status.ToString();
    if (status.ok()) {
      EXPECT_EQ(value, ValueAt(i));
    }
  }
  return database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) - before;
}

TEST(RocksDBFilterPolicyTest, EachColumnFamilyHasItsPolicy) {
  constexpr int kLast = 4000;
  ScratchDatabase database(OptionsWith(nullptr));
  const struct {
    PolicyPtr policy;
    double bits;  // of filter for each key
  } kFamilies[] = {{OurPolicy(10), 10},
                   {OurPolicy(10, Kind::kBloom), 10},
                   {OurPolicy(20), 20},
                   {PolicyNamed("bloomfilter:15:false"), 15},
                   {nullptr, 0}};
  int number = 0;
  for (const auto& [policy, bits] : kFamilies) {
    SCOPED_TRACE(bits);
    rocksdb::ColumnFamilyHandle* family = nullptr;
    const Status created = database->CreateColumnFamily(
        OptionsWith(policy), "family " + std::to_string(number++), &family);
    ASSERT_TRUE(created.ok()) << created.ToString();
    for (int i = 0; i < kLast; i += 2) {
      ASSERT_TRUE(
          database->Put(rocksdb::WriteOptions(), family, KeyAt(i), ValueAt(i))
              .ok());
    }
    ASSERT_TRUE(database->Flush(rocksdb::FlushOptions(), family).ok());
    rocksdb::TablePropertiesCollection tables;
    ASSERT_TRUE(database->GetPropertiesOfAllTables(family, &tables).ok());
    ASSERT_EQ(tables.size(), 1u);
    const rocksdb::TableProperties& table = *tables.begin()->second;
    EXPECT_EQ(table.filter_policy_name, policy ? policy->Name() : "");
    EXPECT_NEAR(8.0 * table.filter_size / table.num_entries, bits, 0.5);
    EXPECT_GE(UsefulLookups(database, family, kLast),
              policy ? kLast / 2 * 0.95 : 0);
    ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
  }
}

// The block cache is shared: readers in it outlive their policy and database,
// and the next database that opens the same file gets them.
TEST(RocksDBFilterPolicyTest, CachedReadersOutliveTheirDatabase) {
  for (bool partitioned : {false, true}) {
    rocksdb::BlockBasedTableOptions table;
    table.cache_index_and_filter_blocks = true;
    table.block_cache = rocksdb::NewLRUCache(64 << 20);
    if (partitioned) {
      table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 512;
    }
    ScratchDatabase database(OptionsWith(OurPolicy(10), table));
    database.WriteTable(0, 4000);
    ExpectFiltered(database, 0, 4000);
    // With another policy, which would build other filters.
    database.Reopen(OptionsWith(OurPolicy(5, Kind::kBloom), table));
    ExpectFiltered(database, 0, 4000);
    EXPECT_EQ(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_MISS), 0u);
    EXPECT_GT(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_HIT), 0u);
    // Without a policy the cached filters are not used.
    database.Reopen(OptionsWith(nullptr, table));
    ExpectUnfiltered(database, 0, 4000);
  }
}

}  // namespace
}  // namespace oneline
