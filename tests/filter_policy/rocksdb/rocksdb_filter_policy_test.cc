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
  constexpr int kFirst = 0, kLast = 12000, kMore = 12200;
  const rocksdb::Options options = OptionsFor(layout(), PolicyFor(layout()));
  ScratchDatabase database(options);
  database.WriteTable(kFirst, kLast / 2);
  database.WriteTable(kLast / 2, kLast);
  ExpectFiltered(database, kFirst, kLast);
  // Partitions always go through the cache, unless they are pinned or lie in a
  // mapped file.
  EXPECT_EQ(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_HIT) > 0,
            (layout().cached || layout().partitioned) && !layout().pinned &&
                !layout().mmap);
  EXPECT_EQ(database.Ticker(rocksdb::SECONDARY_CACHE_HITS) > 0,
            layout().evicted);
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

TEST_P(LayoutTest, SeeksAreFiltered) {
  if (!layout().prefixes) GTEST_SKIP() << "no prefixes in filters";
  const rocksdb::Options options = OptionsFor(layout(), PolicyFor(layout()));
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

}  // namespace
}  // namespace oneline
