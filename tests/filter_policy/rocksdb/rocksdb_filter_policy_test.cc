// Tests of oneline/rocksdb_filter_policy.h in real databases: filters are
// written, loaded and used in every way that RocksDB knows. In each no key may
// be lost, and RocksDB's tickers must count the lookups that filters answered.

#include "oneline/rocksdb_filter_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using Names = std::vector<std::string>;

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
      // More where the index is cut with the filter, as before 10.6.
      EXPECT_GE(table->index_partitions, 5u);
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

}  // namespace
}  // namespace oneline
