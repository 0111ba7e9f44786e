// Tests of membership/filters/blocked_bloom_filter.h, and what it costs
// compared with the classic filter.

#include "membership/filters/blocked_bloom_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "membership/filters/classic_model.h"
#include "table/block/line_count.h"
#include "table/bloom/blocked_bloom.h"
#include "table/bloom/bloom_model.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"
#include "tests/random_keys.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

BlockedBloomFilter Filter(absl::StatusOr<BlockedBloomFilter> filter) {
  EXPECT_TRUE(filter.ok()) << filter.status();
  return *std::move(filter);
}

TEST(BlockedBloomFilterTest, HasNoFalseNegatives) {
  const uint64_t seed = TestRandom()();
  for (uint64_t expected : {uint64_t{1}, uint64_t{100}, uint64_t{20000}}) {
    BlockedBloomFilter filter =
        Filter(BlockedBloomFilter::ForKeys(expected, 0.01, seed));
    for (uint64_t i = 0; i < 20000; ++i) {
      const IntegerKey key(KeySet::kRandom, seed, i);
      const bool was_there = filter.MayContain(key);
      ASSERT_EQ(filter.Add(key), !was_there);
      ASSERT_TRUE(filter.MayContain(key));
    }
    for (uint64_t i = 0; i < 20000; ++i) {
      ASSERT_TRUE(filter.MayContain(IntegerKey(KeySet::kRandom, seed, i)));
    }
  }
}

// Lines filled key by key are the same as those of a filter block, which are
// built at once.
TEST(BlockedBloomFilterTest, AnswersAsTheLinesOfAFilterBlock) {
  const uint64_t seed = TestRandom()();
  constexpr uint64_t kKeys = 10000;
  BlockedBloomFilter filter =
      Filter(BlockedBloomFilter::ForBitsPerKey(kKeys, 9, seed));
  const uint32_t num_lines = LinesFor(kKeys, 9);
  ASSERT_EQ(filter.num_bytes(), num_lines * kLineBytes);
  HashList hashes;
  for (uint64_t i = 0; i < kKeys; ++i) {
    const IntegerKey key(KeySet::kRandom, seed, i);
    filter.Add(key);
    hashes.Append(KeyHash(key, seed));
  }
  const auto probes = static_cast<uint8_t>(filter.num_probes());
  std::vector<uint8_t> lines(filter.num_bytes());
  blocked_bloom::Build(hashes, probes, 1, lines.data(), num_lines);
  const LineContext context = blocked_bloom::ContextFor(probes, kLineBytes);
  for (uint64_t i = 0; i < 5 * kKeys; ++i) {
    const IntegerKey key(KeySet::kRandom, seed, i);
    const uint64_t hash = KeyHash(key, seed);
    const uint8_t* line =
        lines.data() + kLineBytes * LineIndex(hash, num_lines);
    ASSERT_EQ(filter.MayContain(key),
              blocked_bloom::kPortableKernel.one(line, hash, context));
  }
}

// Confining a key to one cache line costs false positives: those that
// docs/membership.md states, by the models and measured.
TEST(BlockedBloomFilterTest, PriceInFalsePositives) {
  constexpr uint64_t kKeys = kSlow ? 100000 : 1000000;
  struct Price {
    double bits_per_key, ratio;
  };
  for (const Price& price : {Price{10, 1.18}, {16, 1.84}, {20, 2.95}}) {
    const uint64_t seed = TestRandom()();
    BlockedBloomFilter filter = Filter(
        BlockedBloomFilter::ForBitsPerKey(kKeys, price.bits_per_key, seed));
    const double blocked =
        BlockedBloomFpRate(price.bits_per_key, filter.num_probes());
    const double classic = ClassicBloomFpRate(
        price.bits_per_key, ClassicBloomProbes(price.bits_per_key));
    EXPECT_NEAR(blocked / classic, price.ratio, 0.05) << price.bits_per_key;
    for (uint64_t i = 0; i < kKeys; ++i) {
      filter.Add(IntegerKey(KeySet::kRandom, seed, i));
    }
    uint64_t passed = 0;
    for (uint64_t i = kKeys; i < 3 * kKeys; ++i) {
      passed += filter.MayContain(IntegerKey(KeySet::kRandom, seed, i));
    }
    const double rate = static_cast<double>(passed) / (2 * kKeys);
    EXPECT_NEAR(rate, blocked,
                6 * std::sqrt(blocked / (2 * kKeys)) + 0.02 * blocked);
  }
}

// For the rate that is asked for, it costs bits.
TEST(BlockedBloomFilterTest, PriceInBits) {
  constexpr uint64_t kKeys = 1000000;
  for (double rate : {0.1, 0.01, 0.001, 0.0001}) {
    const BlockedBloomFilter filter =
        Filter(BlockedBloomFilter::ForKeys(kKeys, rate));
    const double bits = 8.0 * static_cast<double>(filter.num_bytes()) / kKeys;
    EXPECT_LE(BlockedBloomFpRate(bits, filter.num_probes()), rate);
    const double more = bits / ClassicBloomBitsPerKey(rate);
    EXPECT_GT(more, 1.0) << rate;
    EXPECT_LT(more, rate < 0.001 ? 1.2 : 1.1) << rate;
  }
}

TEST(BlockedBloomFilterTest, BadSizesAreRefused) {
  const auto error = [](const absl::StatusOr<BlockedBloomFilter>& filter) {
    EXPECT_EQ(filter.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(filter.status().message());
  };
  EXPECT_EQ(error(BlockedBloomFilter::ForKeys(0, 0.01)),
            "a filter needs room for at least 1 key, not 0");
  for (double rate : {0.0, -1.0, 0.6, 1e-10, std::nan("")}) {
    EXPECT_NE(error(BlockedBloomFilter::ForKeys(1, rate))
                  .find("rate of a blocked filter must be 1e-9 to 0.5, not "),
              std::string::npos);
  }
  for (double bits : {0.0, 0.9, 100.1, std::nan("")}) {
    EXPECT_NE(error(BlockedBloomFilter::ForBitsPerKey(1, bits))
                  .find("bits per key must be 1 to 100, not "),
              std::string::npos);
  }
  EXPECT_EQ(error(BlockedBloomFilter::ForBitsPerKey(4000000000, 10)),
            "4000000000 keys at 10 bits per key need more than 4 GiB, the most "
            "that a blocked filter can have");
}

}  // namespace
}  // namespace oneline
