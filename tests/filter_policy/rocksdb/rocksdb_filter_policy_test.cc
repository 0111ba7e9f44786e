// Tests of oneline/rocksdb_filter_policy.h in real databases: filters are
// written, loaded and used in every way that RocksDB knows. In each no key may
// be lost, and RocksDB's tickers must count the lookups that filters answered.
// And filters built by RocksDB's own policies are read by ours: the answers are
// those of RocksDB's own readers.

#include "oneline/rocksdb_filter_policy.h"

#include "tests/filter_policy/filter_bits.h"
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

class BuiltinFiltersTest : public testing::TestWithParam<const char*> {
 protected:
  const PolicyPtr builtin_ = PolicyNamed(GetParam());
};

INSTANTIATE_TEST_SUITE_P(
    Policies, BuiltinFiltersTest,
    testing::Values("bloomfilter:10:false", "bloomfilter:1:false",
                    "bloomfilter:20.5:false", "ribbonfilter:10:-1",
                    "ribbonfilter:18.3:-1",
                    "rocksdb.internal.LegacyBloomFilter:9",
                    "rocksdb.internal.FastLocalBloomFilter:9",
                    "rocksdb.internal.Standard128RibbonFilter:9"));

TEST_P(BuiltinFiltersTest, AreReadAsByRocksDB) {
  const Keys absent = MakeKeys("absent", 3000);
  for (size_t n : {1, 2, 100, 5000, 20000}) {
    SCOPED_TRACE(n);
    const Keys keys = MakeKeys("key", n);
    const std::string block = BuildBlock(builtin_, keys);
    const ReaderPtr ours = NewReader(OurPolicy(10), block);
    const ReaderPtr theirs = NewReader(builtin_, block);
    EXPECT_EQ(CountMatches(keys, ours.get()), keys.size());
    size_t passed = 0;
    for (const std::string& key : absent) {
      const bool answer = ours->MayMatch(key);
      passed += answer;
      ASSERT_EQ(answer, theirs->MayMatch(key)) << key;
    }
    // Not all answers are "maybe".
    EXPECT_LT(passed, absent.size() * 3 / 4);
    for (size_t size = 1; size <= 32; ++size) {
      Keys batch(absent.begin(), absent.begin() + size);
      batch[size / 2] = keys[size % n];
      ASSERT_EQ(MatchBatch(batch, ours.get()), MatchBatch(batch, theirs.get()));
    }
  }
}

// RocksDB reads a filter cut off to 5 bytes or less as one without keys.
TEST_P(BuiltinFiltersTest, CutOffFiltersHideNoKey) {
  const Keys keys = MakeKeys("key", 1000);
  const std::string block = BuildBlock(builtin_, keys);
  for (size_t size = 0; size <= 5; ++size) {
    const ReaderPtr reader =
        NewReader(OurPolicy(10), rocksdb::Slice(block.data(), size));
    EXPECT_EQ(CountMatches(keys, reader.get()), keys.size()) << size;
  }
}

// RocksDB's readers live in the block cache, too.
TEST_P(BuiltinFiltersTest, TheirReadersOutliveThePolicy) {
  const Keys keys = MakeKeys("key", 1000);
  const std::string block = BuildBlock(builtin_, keys);
  PolicyPtr policy = OurPolicy(10);
  const ReaderPtr reader = NewReader(policy, block);
  policy.reset();
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
}

}  // namespace
}  // namespace oneline
