// Filters that RocksDB's own policies build, read through ours: the answers
// are those of RocksDB's own reader.

#include <gtest/gtest.h>

#include <random>

#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/test_seed.h"

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
    const ReaderPtr ours = NewReader(PolicyWith(10), block);
    const ReaderPtr theirs = NewReader(builtin_, block);
    EXPECT_EQ(CountMatches(keys, ours.get()), keys.size());
    size_t passed = 0;
    for (const std::string& key : absent) {
      const bool answer = ours->MayMatch(key);
      passed += answer;
      ASSERT_EQ(answer, theirs->MayMatch(key)) << key;
    }
    // They filter: the answers are not just all "maybe".
    EXPECT_LT(passed, absent.size() * 3 / 4);
  }
}

TEST_P(BuiltinFiltersTest, AreReadAsByRocksDBInBatches) {
  const Keys present = MakeKeys("key", 1000);
  const Keys absent = MakeKeys("absent", 1000);
  const std::string block = BuildBlock(builtin_, present);
  const ReaderPtr ours = NewReader(PolicyWith(10), block);
  const ReaderPtr theirs = NewReader(builtin_, block);
  std::mt19937_64 random = TestRandom();
  for (size_t n = 1; n <= 32; ++n) {
    Keys batch;
    for (size_t i = 0; i < n; ++i) {
      batch.push_back((random() % 2 ? present : absent)[random() % 1000]);
    }
    ASSERT_EQ(MatchBatch(batch, ours.get()), MatchBatch(batch, theirs.get()));
  }
}

// The name of each policy gave the filter that it says: byte 5 from the end
// tells them apart.
TEST_P(BuiltinFiltersTest, AreOfTheirKind) {
  const std::string block = BuildBlock(builtin_, MakeKeys("key", 1000));
  const int kind = static_cast<signed char>(block[block.size() - 5]);
  const std::string name = GetParam();
  if (name.find("Legacy") != std::string::npos) {
    EXPECT_GT(kind, 0);
  } else if (name.find("ibbon") != std::string::npos) {
    EXPECT_EQ(kind, -2);
  } else {
    EXPECT_EQ(kind, -1);
  }
}

// Where RocksDB read the first bytes of a cut off filter as an empty one.
TEST_P(BuiltinFiltersTest, RemainsHideNoKey) {
  const Keys keys = MakeKeys("key", 1000);
  const std::string block = BuildBlock(builtin_, keys);
  for (size_t size = 0; size <= 5; ++size) {
    const ReaderPtr reader =
        NewReader(PolicyWith(10), rocksdb::Slice(block.data(), size));
    EXPECT_EQ(CountMatches(keys, reader.get()), keys.size()) << size;
  }
}

// Their reader, too, lives in the block cache.
TEST_P(BuiltinFiltersTest, TheirReadersOutliveThePolicy) {
  const Keys keys = MakeKeys("key", 1000);
  const std::string block = BuildBlock(builtin_, keys);
  PolicyPtr policy = PolicyWith(10);
  const ReaderPtr reader = NewReader(policy, block);
  policy.reset();
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
}

}  // namespace
}  // namespace oneline
