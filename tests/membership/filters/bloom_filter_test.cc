// Tests of membership/filters/bloom_filter.h: sizes and figures. What
// all filters have in common is tested in
// tests/membership/filters/every_filter_test.cc.

#include "membership/filters/bloom_filter.h"

#include "membership/filters/classic_model.h"
#include "tests/testing.h"

namespace oneline {
namespace {

// A billion URLs at 0.01 % take 2.4 GB, whose positions need more than 32 bits.
TEST(BloomFilterTest, ABillionKeys) {
  BloomFilter filter = *BloomFilter::ForKeys(1000000000, 0.0001);
  EXPECT_TRUE(filter.shape() == (FilterShape{19170116755, 13}));
  EXPECT_EQ(filter.num_bytes(), 2396264595u);
  // Only a few, because each touches 13 pages, which may be huge.
  const char *const keys[] = {"a", "b", "c"};
  for (const char *key : keys) EXPECT_FALSE(filter.MayContain(key));
  for (const char *key : keys) EXPECT_TRUE(filter.Add(key));
  for (const char *key : keys) EXPECT_TRUE(filter.MayContain(key));
  EXPECT_EQ(filter.bits_set(), 39u);
  EXPECT_NEAR(filter.EstimatedKeys(), 3, 1e-6);
}

TEST(BloomFilterTest, FromBytesHashesAndSeed) {
  EXPECT_TRUE(BloomFilter::ForBytes(256, 3, 42)->shape() ==
              (FilterShape{2048, 3, Hasher::kDouble, 42}));
}

// After each insertion, from the first key to three times as many as expected,
// the estimates are within 1 % or a few keys.
TEST(BloomFilterTest, EstimatesItsKeysAndItsRate) {
  constexpr uint64_t kKeys = 100000;
  BloomFilter filter = *BloomFilter::ForKeys(kKeys, 0.01);
  EXPECT_EQ(filter.EstimatedKeys(), 0);
  const uint64_t seed = TestRandom()();
  for (uint64_t i = 0; i < 3 * kKeys; ++i) {
    filter.Add(IntegerKey(KeySet::kRandom, seed, i));
    ASSERT_NEAR(filter.EstimatedKeys(), i + 1, 3 + 0.01 * i);
    if (i % 1000 != 999) continue;
    const double bits_per_key = 9.585 * kKeys / static_cast<double>(i + 1);
    ASSERT_NEAR(filter.FillRatio(), -std::expm1(-7 / bits_per_key), 0.005);
    const double rate = ClassicBloomFpRate(bits_per_key, 7);
    ASSERT_NEAR(filter.EstimatedFpRate(), rate, 1e-5 + 0.05 * rate);
  }
  // Keys that were added before change nothing.
  const double estimate = filter.EstimatedKeys();
  for (uint64_t i = 0; i < kKeys; ++i) {
    filter.Add(IntegerKey(KeySet::kRandom, seed, i));
  }
  EXPECT_EQ(filter.EstimatedKeys(), estimate);
}

TEST(BloomFilterTest, AFullFilterHasNoEstimate) {
  BloomFilter filter = *BloomFilter::ForBytes(1, 3, 0);
  for (uint64_t i = 0; i < 1000; ++i) {
    filter.Add(IntegerKey(KeySet::kRandom, 0, i));
  }
  EXPECT_EQ(filter.EstimatedFpRate(), 1);
  EXPECT_TRUE(std::isinf(filter.EstimatedKeys()));
}

}  // namespace
}  // namespace oneline
