// Tests of membership/filters/bloom_filter.h with threads.

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "membership/filters/bloom_filter.h"
#include "tests/random_keys.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// Writers add keys while readers look them up: every key added is found, and no
// bit is lost or counted twice. The filter is small, so that threads meet in
// the same bytes.
TEST(BloomFilterThreadsTest, ThreadsAddAndLookUpAtOnce) {
  constexpr int kWriters = 4;
  constexpr uint64_t kKeys = kSlow ? 20000 : 200000;
  const uint64_t seed = TestRandom()();
  BloomFilter filter = *BloomFilter::ForKeys(kKeys, 0.01, seed);
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
  BloomFilter alone = *BloomFilter::ForShape(filter.shape());
  for (int writer = 0; writer < kWriters; ++writer) {
    for (uint64_t i = 0; i < kKeys / kWriters; ++i) {
      const IntegerKey key(KeySet::kRandom, seed, number(writer, i));
      ASSERT_TRUE(filter.MayContain(key));
      alone.Add(key);
    }
  }
  EXPECT_EQ(filter.bits_set(), alone.bits_set());
}

// When threads add a new key at the same time, at least one of them is told
// that it is new, and no later one is.
TEST(BloomFilterThreadsTest, ANewKeyIsNewToAtLeastOneThread) {
  const uint64_t seed = TestRandom()();
  BloomFilter filter = *BloomFilter::ForKeys(100000, 1e-9, seed);
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
