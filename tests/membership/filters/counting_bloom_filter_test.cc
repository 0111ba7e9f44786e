// Tests of membership/filters/counting_bloom_filter.h: removing a key that is
// there never causes a false negative, as simpler ways to remove do.

#include "membership/filters/counting_bloom_filter.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "membership/filters/bloom_filter.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr int kCounterBits[] = {4, 8, 16};

CountingBloomFilter Filter(absl::StatusOr<CountingBloomFilter> filter) {
  EXPECT_TRUE(filter.ok()) << filter.status();
  return *std::move(filter);
}

std::string Key(uint64_t i) { return std::to_string(i); }

TEST(CountingBloomFilterTest, TakesCounterBitsTimesTheMemory) {
  const size_t plain = BloomFilter::ForKeys(100000, 0.01)->num_bytes();
  for (int bits : kCounterBits) {
    const CountingBloomFilter filter =
        Filter(CountingBloomFilter::ForKeys(100000, 0.01, bits));
    EXPECT_EQ(filter.shape().num_positions, 958506u);
    EXPECT_EQ(filter.shape().num_hashes, 7);
    EXPECT_NEAR(filter.num_bytes(), plain * static_cast<size_t>(bits), bits);
  }
  EXPECT_EQ(CountingBloomFilter::ForKeys(100000, 0.01)->num_bytes(), 479253u);
}

TEST(CountingBloomFilterTest, AnswersAsTheBloomFilterOfItsShape) {
  const FilterShape shape = {5003, 4, Hasher::kDouble, TestRandom()()};
  for (int bits : kCounterBits) {
    CountingBloomFilter counting =
        Filter(CountingBloomFilter::ForShape(shape, bits));
    BloomFilter plain = *BloomFilter::ForShape(shape);
    for (uint64_t i = 0; i < 1000; ++i) {
      counting.Add(Key(i));
      plain.Add(Key(i));
    }
    for (uint64_t i = 0; i < 10000; ++i) {
      ASSERT_EQ(counting.MayContain(Key(i)), plain.MayContain(Key(i))) << i;
    }
  }
}

TEST(CountingBloomFilterTest, RemovedKeysAreGone) {
  for (Hasher hasher : {Hasher::kDouble, Hasher::kPolynomial, Hasher::kMd5}) {
    for (int bits : kCounterBits) {
      CountingBloomFilter filter =
          Filter(CountingBloomFilter::ForShape({1 << 14, 5, hasher, 0}, bits));
      for (uint64_t i = 0; i < 1000; ++i) filter.Add(Key(i));
      for (uint64_t i = 0; i < 1000; ++i) {
        ASSERT_TRUE(filter.Remove(Key(i)));
        for (uint64_t j = i + 1; j < 1000; j += 97) {
          ASSERT_TRUE(filter.MayContain(Key(j)));
        }
      }
      // With polynomials keys as similar as these share positions so often that
      // counters become full.
      if (hasher == Hasher::kPolynomial) continue;
      ASSERT_EQ(filter.num_full(), 0u);
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
      Filter(CountingBloomFilter::ForShape({1, 8, Hasher::kMd5, 0}));
  for (uint64_t i = 0; i < 14; ++i) one.Add(Key(i));
  EXPECT_EQ(one.num_full(), 0u);
  for (uint64_t i = 0; i < 14; ++i) EXPECT_TRUE(one.Remove(Key(i)));
  EXPECT_FALSE(one.MayContain(Key(0)));
  for (uint64_t i = 0; i < 100; ++i) {
    CountingBloomFilter filter =
        Filter(CountingBloomFilter::ForShape({4, 8, Hasher::kMd5, 0}));
    filter.Add(Key(i));
    EXPECT_EQ(filter.num_full(), 0u);
    EXPECT_TRUE(filter.Remove(Key(i)));
    EXPECT_FALSE(filter.MayContain(Key(i)));
  }
}

// Adds and removes keys, also some that are not there, in filters so small that
// counters become full all the time, and keeps a list of what is there.
TEST(CountingBloomFilterTest, NoRemovalMakesAFalseNegative) {
  std::mt19937_64 random = TestRandom();
  for (int bits : kCounterBits) {
    for (uint64_t positions : {1u, 7u, 100u, kSlow ? 200u : 1000u}) {
      CountingBloomFilter filter = Filter(CountingBloomFilter::ForShape(
          {positions, 3, Hasher::kDouble, random()}, bits));
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
      for (uint64_t i = 0; i < there.size(); ++i) {
        ASSERT_TRUE(there[i] == 0 || filter.MayContain(Key(i)));
      }
      EXPECT_TRUE(bits > 4 || filter.num_full() > 0) << positions;
    }
  }
}

TEST(CountingBloomFilterTest, AFullCounterStaysForEver) {
  for (int bits : {4, 8}) {
    CountingBloomFilter filter =
        Filter(CountingBloomFilter::ForShape({1, 1}, bits));
    const uint64_t highest = (uint64_t{1} << bits) - 1;
    for (uint64_t i = 0; i + 1 < highest; ++i) filter.Add(Key(i));
    EXPECT_EQ(filter.num_full(), 0u);
    filter.Add(Key(highest - 1));
    EXPECT_EQ(filter.num_full(), 1u);
    filter.Add(Key(highest));
    filter.Add(Key(highest + 1));
    EXPECT_EQ(filter.num_full(), 1u);
    // All keys but the last one.
    for (uint64_t i = 0; i <= highest; ++i) EXPECT_TRUE(filter.Remove(Key(i)));
    EXPECT_TRUE(filter.MayContain(Key(highest + 1)));
  }
}

// 16-bit counters count past one byte.
TEST(CountingBloomFilterTest, SixteenBits) {
  CountingBloomFilter filter =
      Filter(CountingBloomFilter::ForShape({1, 1}, 16));
  for (uint64_t i = 0; i < 65534; ++i) filter.Add(Key(i));
  EXPECT_EQ(filter.num_full(), 0u);
  for (uint64_t i = 0; i < 65534; ++i) {
    ASSERT_TRUE(filter.MayContain(Key(i)));
    ASSERT_TRUE(filter.Remove(Key(i)));
  }
  EXPECT_FALSE(filter.MayContain(Key(0)));
  for (uint64_t i = 0; i < 65535; ++i) filter.Add(Key(i));
  EXPECT_EQ(filter.num_full(), 1u);
}

// Neighbouring counters of 4 bits share a byte.
TEST(CountingBloomFilterTest, NeighboursDoNotDisturbEachOther) {
  CountingBloomFilter filter = Filter(CountingBloomFilter::ForShape({2, 1}));
  std::string even, odd;
  for (uint64_t i = 0; even.empty() || odd.empty(); ++i) {
    uint64_t position = 0;
    KeyPositions(filter.shape(), Key(i), &position);
    (position == 0 ? even : odd) = Key(i);
  }
  for (int i = 0; i < 14; ++i) filter.Add(even);
  EXPECT_FALSE(filter.MayContain(odd));
  for (int i = 0; i < 14; ++i) filter.Add(odd);
  for (int i = 0; i < 14; ++i) EXPECT_TRUE(filter.Remove(even));
  EXPECT_FALSE(filter.MayContain(even));
  EXPECT_TRUE(filter.MayContain(odd));
  EXPECT_EQ(filter.num_full(), 0u);
}

TEST(CountingBloomFilterTest, BadCountersAreRefused) {
  for (int bits : {0, 1, 5, 32, -4}) {
    const absl::Status status =
        CountingBloomFilter::ForKeys(10, 0.1, bits).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "counters must have 4, 8 or 16 bits, not " +
                                    std::to_string(bits));
  }
  EXPECT_EQ(CountingBloomFilter::ForKeys(0, 0.1).status().message(),
            "a filter needs room for at least 1 key, not 0");
  EXPECT_EQ(CountingBloomFilter::ForShape({8, 65}).status().message(),
            "the number of hashes must be 1 to 64, not 65");
}

// The limit of all counting filters, including this one: a key that passes but
// was never added cannot be told from one that was. Hence what Remove REQUIRES.
TEST(CountingBloomFilterTest, AFalsePositiveCanBeRemoved) {
  CountingBloomFilter filter = Filter(CountingBloomFilter::ForShape({64, 2}));
  for (uint64_t i = 0; i < 20; ++i) filter.Add(Key(i));
  uint64_t absent = 20;
  while (!filter.MayContain(Key(absent))) ++absent;
  EXPECT_TRUE(filter.Remove(Key(absent)));
}

}  // namespace
}  // namespace oneline
