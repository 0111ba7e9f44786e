// Tests of membership/filters/blocked_bloom_filter.h, and what it costs
// compared with the classic filter. What all filters have in common is tested
// in tests/membership/filters/every_filter_test.cc.

#include "membership/filters/blocked_bloom_filter.h"

#include <gtest/gtest.h>

#include <vector>

#include "membership/filters/classic_model.h"
#include "table/block/line_count.h"
#include "table/bloom/blocked_bloom.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"
#include "tests/random_keys.h"
#include "tests/test_seed.h"
#include "tools/models/bloom_model.h"

namespace oneline {
namespace {

// Lines filled key by key are the same as those of a filter block, which are
// built at once.
TEST(BlockedBloomFilterTest, AnswersAsTheLinesOfAFilterBlock) {
  const uint64_t seed = TestRandom()();
  constexpr uint64_t kKeys = 10000;
  BlockedBloomFilter filter =
      *BlockedBloomFilter::ForBitsPerKey(kKeys, 9, seed);
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
    const uint8_t *line =
        lines.data() + kLineBytes * LineIndex(hash, num_lines);
    ASSERT_EQ(filter.MayContain(key), blocked_bloom::portable::kKernel.hash(
                                          {line, 1, 0, context}, hash));
  }
}

// Confining a key to one cache line costs false positives: those that
// membership/README.md states.
TEST(BlockedBloomFilterTest, PriceInFalsePositives) {
  const double prices[][2] = {{10, 1.18}, {16, 1.84}, {20, 2.95}};
  for (const auto &[bits_per_key, ratio] : prices) {
    const int probes =
        BlockedBloomFilter::ForBitsPerKey(100, bits_per_key)->num_probes();
    const double classic =
        ClassicBloomFpRate(bits_per_key, ClassicBloomProbes(bits_per_key));
    EXPECT_NEAR(BlockedBloomFpRate(bits_per_key, probes) / classic, ratio,
                0.05);
  }
}

}  // namespace
}  // namespace oneline
