// Tests of membership/filters/counting_bloom_filter.h: removing a key that is
// there never causes a false negative, as simpler ways to remove do.

#include "membership/filters/counting_bloom_filter.h"

#include "membership/filters/bloom_filter.h"
#include "tests/testing.h"

namespace oneline {
namespace {

constexpr int kCounterBits[] = {4, 8, 16};

std::string Key(uint64_t i) { return std::to_string(i); }

// And takes `bits` times its memory. When all keys are removed, none is left.
TEST(CountingBloomFilterTest, AnswersAsTheBloomFilterOfItsShape) {
  EXPECT_EQ(CountingBloomFilter::ForKeys(100000, 0.01)->num_bytes(), 479253u);
  for (Hasher hasher : {Hasher::kDouble, Hasher::kPolynomial, Hasher::kMd5}) {
    for (int bits : kCounterBits) {
      const FilterShape shape = {1 << 14, 5, hasher};
      BloomFilter plain = *BloomFilter::ForShape(shape);
      CountingBloomFilter filter = *CountingBloomFilter::ForShape(shape, bits);
      EXPECT_EQ(filter.num_bytes(),
                plain.num_bytes() * static_cast<size_t>(bits));
      for (uint64_t i = 0; i < 1000; ++i) {
        filter.Add(Key(i));
        plain.Add(Key(i));
      }
      for (uint64_t i = 0; i < 10000; ++i) {
        ASSERT_EQ(filter.MayContain(Key(i)), plain.MayContain(Key(i))) << i;
      }
      for (uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(filter.Remove(Key(i)));
      // With polynomials keys as similar as these share positions so often that
      // counters become full.
      if (hasher == Hasher::kPolynomial) continue;
      for (uint64_t i = 0; i < 1000; ++i) {
        ASSERT_FALSE(filter.MayContain(Key(i)));
        ASSERT_FALSE(filter.Remove(Key(i)));
      }
    }
  }
}

// MD5 can give a key the same position twice. The key is counted there once, so
// that its removal subtracts no more than it added.
TEST(CountingBloomFilterTest, RepeatedPositionsCountOnce) {
  CountingBloomFilter one =
      *CountingBloomFilter::ForShape({1, 8, Hasher::kMd5, 0});
  for (uint64_t i = 0; i < 14; ++i) one.Add(Key(i));
  EXPECT_EQ(one.num_full(), 0u);
  for (uint64_t i = 0; i < 14; ++i) EXPECT_TRUE(one.Remove(Key(i)));
  EXPECT_FALSE(one.MayContain(Key(0)));
}

// Adds and removes keys, also some that are not there, in filters so small that
// counters become full all the time, and keeps a list of what is there.
TEST(CountingBloomFilterTest, NoRemovalMakesAFalseNegative) {
  std::mt19937_64 random = TestRandom();
  for (int bits : kCounterBits) {
    for (uint64_t positions : {1u, 7u, 100u, kSlow ? 200u : 1000u}) {
      CountingBloomFilter filter = *CountingBloomFilter::ForShape(
          {positions, 3, Hasher::kDouble, random()}, bits);
      std::vector<int> there(300);
      for (int step = 0; step < (kSlow ? 3000 : 20000); ++step) {
        const uint64_t i = random() % there.size();
        if (random() % 2 == 0) {
          filter.Add(Key(i));
          ++there[i];
        } else if (there[i] > 0) {
          ASSERT_TRUE(filter.Remove(Key(i)));
          --there[i];
        } else if (!filter.MayContain(Key(i))) {
          ASSERT_FALSE(filter.Remove(Key(i)));
        }
        const uint64_t j = random() % there.size();
        ASSERT_TRUE(there[j] == 0 || filter.MayContain(Key(j)));
      }
      EXPECT_TRUE(bits > 4 || filter.num_full() > 0) << positions;
      for (size_t i = 0; i < there.size(); ++i) {
        for (; there[i] > 0; --there[i]) ASSERT_TRUE(filter.Remove(Key(i)));
      }
    }
  }
}

}  // namespace
}  // namespace oneline
