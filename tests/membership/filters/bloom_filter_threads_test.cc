// Tests of membership/filters/bloom_filter.h with threads.

#include "membership/filters/bloom_filter.h"
#include "tests/testing.h"

namespace oneline {
namespace {

// Writers add keys while readers look them up: every key added is found, no bit
// is lost or counted twice, and a key that all writers add is new to one at
// least. The filter is small, so that threads meet in the same bytes.
TEST(BloomFilterThreadsTest, ThreadsAddAndLookUpAtOnce) {
  constexpr int kWriters = 4;
  constexpr uint64_t kKeys = kSlow ? 5000 : 50000;  // of each writer
  const uint64_t seed = TestRandom()();
  BloomFilter filter = *BloomFilter::ForKeys(3 * kKeys, 1e-10, seed);
  std::atomic<uint64_t> added[kWriters] = {};
  std::atomic<uint64_t> not_found{0};
  std::atomic<int> writing{kWriters};
  std::vector<std::atomic<bool>> was_new(kKeys);
  // Half of the keys are the writer's own, the others are common to all.
  const auto key_of = [&](uint64_t writer, uint64_t i) {
    return IntegerKey(KeySet::kRandom, seed,
                      i % 2 == 0 ? i : i + kKeys * (1 + writer));
  };
  std::vector<std::thread> threads;
  for (uint64_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (uint64_t i = 0; i < kKeys; ++i) {
        if (filter.Add(key_of(writer, i))) was_new[i] = true;
        added[writer].store(i + 1, std::memory_order_release);
      }
      --writing;
    });
  }
  for (uint64_t reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&, reader] {
      std::mt19937_64 random(seed + reader);
      while (writing > 0) {
        const uint64_t writer = random() % kWriters;
        const uint64_t n = added[writer].load(std::memory_order_acquire);
        if (n == 0) continue;
        not_found += !filter.MayContain(key_of(writer, random() % n));
        if (filter.EstimatedFpRate() > 1) ++not_found;
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(not_found, 0u);
  BloomFilter alone = *BloomFilter::ForShape(filter.shape());
  for (uint64_t writer = 0; writer < kWriters; ++writer) {
    for (uint64_t i = 0; i < kKeys; ++i) {
      ASSERT_TRUE(was_new[i]);
      ASSERT_TRUE(filter.MayContain(key_of(writer, i)));
      alone.Add(key_of(writer, i));
    }
  }
  EXPECT_EQ(filter.bits_set(), alone.bits_set());
}

}  // namespace
}  // namespace oneline
