// Filters built by RocksDB's own policies and read by ours: the answers are
// those of RocksDB's own readers.

#include <gtest/gtest.h>

#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

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
