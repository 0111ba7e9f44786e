// Tests of membership/filters/bloom_filter.h. Those of saving and loading are
// in tests/membership/filters/bloom_filter_file_test.cc.

#include "membership/filters/bloom_filter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bitset>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "membership/filters/classic_model.h"
#include "tests/random_keys.h"
#include "tests/run_program.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

BloomFilter Filter(absl::StatusOr<BloomFilter> filter) {
  EXPECT_TRUE(filter.ok()) << filter.status();
  return *std::move(filter);
}

void AddKeys(BloomFilter& filter, uint64_t seed, uint64_t first,
             uint64_t last) {
  for (uint64_t i = first; i < last; ++i) {
    filter.Add(IntegerKey(KeySet::kRandom, seed, i));
  }
}

// Counts the bits of the saved filter, which are between a header of 48 bytes
// and a checksum of 8.
uint64_t BitsSetIn(const BloomFilter& filter) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("saved");
  EXPECT_TRUE(filter.Save(path).ok());
  const std::string bytes = ReadWholeFile(path);
  uint64_t count = 0;
  for (size_t i = 48; i + 8 < bytes.size(); ++i) {
    count += std::bitset<8>(static_cast<uint8_t>(bytes[i])).count();
  }
  return count;
}

TEST(BloomFilterTest, KeysAndRateDetermineBitsAndHashes) {
  const BloomFilter one_percent = Filter(BloomFilter::ForKeys(1000000, 0.01));
  EXPECT_EQ(one_percent.shape().num_positions, 9585059u);
  EXPECT_EQ(one_percent.shape().num_hashes, 7);
  EXPECT_EQ(one_percent.num_bytes(), 1198133u);
  const BloomFilter rare = Filter(BloomFilter::ForKeys(1, 0x1p-64));
  EXPECT_EQ(rare.shape().num_positions, 93u);
  EXPECT_EQ(rare.shape().num_hashes, 64);
}

// A billion URLs at 0.01 % take 2.4 GB, whose positions need more than 32 bits.
TEST(BloomFilterTest, ABillionKeys) {
  BloomFilter filter = Filter(BloomFilter::ForKeys(1000000000, 0.0001));
  EXPECT_EQ(filter.shape().num_positions, 19170116755u);
  EXPECT_EQ(filter.shape().num_hashes, 13);
  EXPECT_EQ(filter.num_bytes(), 2396264595u);
  // Only a few, because each touches 13 pages, which may be huge.
  const char* const keys[] = {"a", "b", "c"};
  for (const char* key : keys) EXPECT_FALSE(filter.MayContain(key));
  for (const char* key : keys) EXPECT_TRUE(filter.Add(key));
  for (const char* key : keys) EXPECT_TRUE(filter.MayContain(key));
  EXPECT_EQ(filter.bits_set(), 39u);
  EXPECT_NEAR(filter.EstimatedKeys(), 3, 1e-6);
}

TEST(BloomFilterTest, FromBytesHashesAndSeed) {
  BloomFilter filter = Filter(BloomFilter::ForBytes(256, 3, 42));
  EXPECT_EQ(filter.shape().num_positions, 2048u);
  EXPECT_EQ(filter.shape().num_hashes, 3);
  EXPECT_EQ(filter.shape().seed, 42u);
  // The data may hold any byte.
  const char data[] = {'k', '\0', '\xff', 'y'};
  filter.Add({data, sizeof(data)});
  EXPECT_TRUE(filter.MayContain({data, sizeof(data)}));
  EXPECT_FALSE(filter.MayContain({data, 3}));
  EXPECT_FALSE(filter.MayContain(""));
}

TEST(BloomFilterTest, BadSizesAreRefused) {
  const auto error = [](const absl::StatusOr<BloomFilter>& filter) {
    EXPECT_EQ(filter.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(filter.status().message());
  };
  EXPECT_EQ(error(BloomFilter::ForKeys(0, 0.01)),
            "a filter needs room for at least 1 key, not 0");
  for (double rate :
       {0.0, -1.0, 1.0, 1e-20, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(error(BloomFilter::ForKeys(1, rate))
                  .find("a false-positive rate is at least 2^-64"),
              std::string::npos);
  }
  EXPECT_EQ(error(BloomFilter::ForKeys(uint64_t{1} << 45, 0.001)),
            "35184372088832 keys at a rate of 0.001 need more than 2^48 bits");
  EXPECT_EQ(error(BloomFilter::ForBytes(0, 1, 0)),
            "a filter must have 1 to 2^48 bits or counters, not 0");
  EXPECT_EQ(
      error(BloomFilter::ForBytes(std::numeric_limits<size_t>::max(), 1, 0)),
      "a filter can have at most 2^45 bytes, not 18446744073709551615");
  EXPECT_EQ(error(BloomFilter::ForShape({100, 0})),
            "the number of hashes must be 1 to 64, not 0");
}

TEST(BloomFilterTest, HasNoFalseNegatives) {
  const uint64_t seed = TestRandom()();
  for (Hasher hasher : {Hasher::kDouble, Hasher::kPolynomial, Hasher::kMd5}) {
    // From nearly empty to full, and in the smallest filters.
    for (uint64_t bits : {uint64_t{1}, uint64_t{2}, uint64_t{64},
                          uint64_t{4096}, uint64_t{1} << 17}) {
      BloomFilter filter = Filter(BloomFilter::ForShape({bits, 7, hasher, 0}));
      for (uint64_t i = 0; i < 5000; ++i) {
        const IntegerKey key(KeySet::kRandom, seed, i);
        const bool was_there = filter.MayContain(key);
        ASSERT_EQ(filter.Add(key), !was_there);
        ASSERT_TRUE(filter.MayContain(key));
      }
      for (uint64_t i = 0; i < 5000; ++i) {
        ASSERT_TRUE(filter.MayContain(IntegerKey(KeySet::kRandom, seed, i)));
      }
      EXPECT_EQ(filter.bits_set(), BitsSetIn(filter));
    }
  }
}

// The rate is (1 - e^(-kn/m))^k within six standard deviations of the lookups,
// and 1 % because the number of bits set varies, too.
TEST(BloomFilterTest, MeasuredRateIsThatOfTheFormula) {
  const uint64_t seed = TestRandom()();
  constexpr uint64_t kKeys = kSlow ? 50000 : 500000;
  constexpr uint64_t kLookups = 4 * kKeys;
  for (double bits_per_key : {5.0, 9.585, 20.0}) {
    for (int k : {1, 4, 7, 10}) {
      FilterShape shape;
      shape.num_positions = static_cast<uint64_t>(kKeys * bits_per_key);
      shape.num_hashes = k;
      shape.seed = seed;
      BloomFilter filter = Filter(BloomFilter::ForShape(shape));
      AddKeys(filter, seed, 0, kKeys);
      uint64_t passed = 0;
      for (uint64_t i = kKeys; i < kKeys + kLookups; ++i) {
        passed += filter.MayContain(IntegerKey(KeySet::kRandom, seed, i));
      }
      const double expected = ClassicBloomFpRate(bits_per_key, k);
      const double rate = static_cast<double>(passed) / kLookups;
      EXPECT_NEAR(rate, expected,
                  6 * std::sqrt(expected / kLookups) + 0.01 * expected)
          << bits_per_key << " bits per key, k = " << k;
      EXPECT_NEAR(filter.EstimatedFpRate(), expected, 0.02 * expected);
      EXPECT_NEAR(filter.FillRatio(), -std::expm1(-k / bits_per_key), 0.005);
    }
  }
}

// After each insertion, from the first key to three times as many as expected,
// the estimate is within 1 % or a few keys.
TEST(BloomFilterTest, EstimatesItsKeys) {
  constexpr uint64_t kKeys = 100000;
  BloomFilter filter = Filter(BloomFilter::ForKeys(kKeys, 0.01));
  EXPECT_EQ(filter.EstimatedKeys(), 0);
  const uint64_t seed = TestRandom()();
  for (uint64_t i = 0; i < 3 * kKeys; ++i) {
    filter.Add(IntegerKey(KeySet::kRandom, seed, i));
    ASSERT_NEAR(filter.EstimatedKeys(), i + 1, 3 + 0.01 * i);
  }
  // Keys that were added before change nothing.
  const double estimate = filter.EstimatedKeys();
  AddKeys(filter, seed, 0, kKeys);
  EXPECT_EQ(filter.EstimatedKeys(), estimate);
  EXPECT_EQ(filter.bits_set(), BitsSetIn(filter));
}

TEST(BloomFilterTest, AFullFilterHasNoEstimate) {
  BloomFilter filter = Filter(BloomFilter::ForBytes(1, 3, 0));
  AddKeys(filter, 0, 0, 1000);
  EXPECT_EQ(filter.FillRatio(), 1);
  EXPECT_EQ(filter.EstimatedFpRate(), 1);
  EXPECT_TRUE(std::isinf(filter.EstimatedKeys()));
}

// Writers add keys while readers look them up: every key added is found, and no
// bit is lost or counted twice. ThreadSanitizer runs this test, too. The filter
// is small, so that threads meet in the same bytes.
TEST(BloomFilterTest, ThreadsAddAndLookUpAtOnce) {
  constexpr int kWriters = 4;
  constexpr uint64_t kKeys = kSlow ? 20000 : 200000;
  const uint64_t seed = TestRandom()();
  BloomFilter filter = Filter(BloomFilter::ForKeys(kKeys, 0.01, seed));
  std::atomic<uint64_t> added[kWriters] = {};
  std::atomic<uint64_t> not_found{0};
  std::atomic<int> writing{kWriters};
  std::vector<std::thread> threads;
  // Half of the keys are the writer's own, the others are common to all
  // writers.
  const auto number = [](int writer, uint64_t i) {
    return i % 2 == 0 ? i : i + kKeys * static_cast<uint64_t>(1 + writer);
  };
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (uint64_t i = 0; i < kKeys / kWriters; ++i) {
        filter.Add(IntegerKey(KeySet::kRandom, seed, number(writer, i)));
        added[writer].store(i + 1, std::memory_order_release);
      }
      --writing;
    });
  }
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&, reader] {
      std::mt19937_64 random(seed + static_cast<uint64_t>(reader));
      while (writing > 0) {
        const int writer = static_cast<int>(random() % kWriters);
        const uint64_t n = added[writer].load(std::memory_order_acquire);
        if (n == 0) continue;
        const uint64_t i = random() % n;
        not_found += !filter.MayContain(
            IntegerKey(KeySet::kRandom, seed, number(writer, i)));
        if (filter.EstimatedFpRate() > 1) ++not_found;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(not_found, 0u);
  BloomFilter alone = Filter(BloomFilter::ForShape(filter.shape()));
  for (int writer = 0; writer < kWriters; ++writer) {
    for (uint64_t i = 0; i < kKeys / kWriters; ++i) {
      const IntegerKey key(KeySet::kRandom, seed, number(writer, i));
      ASSERT_TRUE(filter.MayContain(key));
      alone.Add(key);
    }
  }
  EXPECT_EQ(filter.bits_set(), alone.bits_set());
  EXPECT_EQ(filter.bits_set(), BitsSetIn(filter));
}

// When threads add a new key at the same time, at least one of them is told
// that it is new, and no later one is.
TEST(BloomFilterTest, ANewKeyIsNewToAtLeastOneThread) {
  const uint64_t seed = TestRandom()();
  BloomFilter filter = Filter(BloomFilter::ForKeys(100000, 1e-9, seed));
  constexpr uint64_t kKeys = kSlow ? 1000 : 20000;
  std::vector<std::atomic<int>> times_new(kKeys);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < kKeys; ++i) {
        times_new[i] += filter.Add(IntegerKey(KeySet::kRandom, seed, i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint64_t i = 0; i < kKeys; ++i) {
    ASSERT_GE(times_new[i], 1);
    ASSERT_FALSE(filter.Add(IntegerKey(KeySet::kRandom, seed, i)));
  }
}

}  // namespace
}  // namespace oneline
