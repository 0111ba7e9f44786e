// What every filter promises: no false negative, the rate of its formula, and
// bad sizes refused. The counting filter answers as a Bloom filter does:
// tests/membership/filters/counting_bloom_filter_test.cc.

#include "absl/status/status.h"
#include "membership/filters/blocked_bloom_filter.h"
#include "membership/filters/bloom_filter.h"
#include "membership/filters/classic_model.h"
#include "membership/filters/counting_bloom_filter.h"
#include "tests/testing.h"
#include "tools/models/kind_model.h"

namespace oneline {
namespace {

struct Case {
  const char* name;
  double bits_per_key;
  int num_hashes;  // 0: the blocked filter, which chooses
  Hasher hasher = Hasher::kDouble;
};

struct AnyFilter {
  std::function<bool(std::string_view)> add;  // true: it was not there before
  std::function<bool(std::string_view)> may_contain;
  // Of the formula, when it has the keys it was made for; none: not a number.
  double fp_rate;
};

template <typename Filter>
AnyFilter Any(Filter made, double fp_rate) {
  const auto filter = std::make_shared<Filter>(std::move(made));
  return {[filter](std::string_view key) { return filter->Add(key); },
          [filter](std::string_view key) { return filter->MayContain(key); },
          fp_rate};
}

AnyFilter Make(const Case& c, uint64_t num_keys, uint64_t seed) {
  if (c.num_hashes == 0) {
    auto filter =
        *BlockedBloomFilter::ForBitsPerKey(num_keys, c.bits_per_key, seed);
    const int probes = filter.num_probes();
    return Any(std::move(filter), BlockedBloomFpRate(c.bits_per_key, probes));
  }
  FilterShape shape = {
      static_cast<uint64_t>(static_cast<double>(num_keys) * c.bits_per_key),
      c.num_hashes, c.hasher};
  double fp_rate = ClassicBloomFpRate(c.bits_per_key, c.num_hashes);
  if (c.hasher == Hasher::kDouble) shape.seed = seed;
  if (c.hasher == Hasher::kPolynomial) {
    shape.num_positions = uint64_t{1} << std::ilogb(shape.num_positions);
    fp_rate = std::nan("");  // It depends on the keys.
  }
  return Any(*BloomFilter::ForShape(shape), fp_rate);
}

class EveryFilterTest : public testing::TestWithParam<Case> {};

// From nearly empty to full, and in the smallest filters.
TEST_P(EveryFilterTest, HasNoFalseNegatives) {
  const uint64_t seed = TestRandom()();
  for (uint64_t expected : {1, 100, 20000}) {
    const AnyFilter filter = Make(GetParam(), expected, seed);
    for (uint64_t i = 0; i < 20000; ++i) {
      const IntegerKey key(KeySet::kRandom, seed, i);
      const bool was_there = filter.may_contain(key);
      ASSERT_EQ(filter.add(key), !was_there);
      ASSERT_TRUE(filter.may_contain(key));
    }
    for (uint64_t i = 0; i < 20000; ++i) {
      ASSERT_TRUE(filter.may_contain(IntegerKey(KeySet::kRandom, seed, i)));
    }
  }
}

// Within six standard deviations of the lookups, and 2 % because the number of
// bits set varies, too.
TEST_P(EveryFilterTest, HasTheRateOfItsFormula) {
  constexpr uint64_t kKeys = kSlow ? 50000 : 300000;
  constexpr uint64_t kLookups = 4 * kKeys;
  const uint64_t seed = TestRandom()();
  const AnyFilter filter = Make(GetParam(), kKeys, seed);
  if (std::isnan(filter.fp_rate)) GTEST_SKIP() << "has no formula";
  for (uint64_t i = 0; i < kKeys; ++i) {
    filter.add(IntegerKey(KeySet::kRandom, seed, i));
  }
  double passed = 0;
  for (uint64_t i = kKeys; i < kKeys + kLookups; ++i) {
    passed += filter.may_contain(IntegerKey(KeySet::kRandom, seed, i));
  }
  EXPECT_NEAR(passed / kLookups, filter.fp_rate,
              6 * std::sqrt(filter.fp_rate / kLookups) + 0.02 * filter.fp_rate);
}

std::string NameOf(const testing::TestParamInfo<Case>& c) {
  return c.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryFilterTest,
    testing::Values(Case{"Bloom1", 5, 1}, Case{"Bloom7", 9.585, 7},
                    Case{"Bloom10", 20, 10},
                    Case{"Md5", 9.585, 7, Hasher::kMd5},
                    Case{"Polynomial", 9.585, 7, Hasher::kPolynomial},
                    Case{"Blocked10", 10, 0}, Case{"Blocked20", 20, 0}),
    NameOf);

// Confining a key to one cache line costs false positives: those that
// membership/README.md states.
TEST(BlockedBloomFilterTest, PriceInFalsePositives) {
  const double prices[][2] = {{10, 1.18}, {16, 1.84}, {20, 2.95}};
  for (const auto& [bits_per_key, ratio] : prices) {
    const int probes =
        BlockedBloomFilter::ForBitsPerKey(100, bits_per_key)->num_probes();
    const double classic =
        ClassicBloomFpRate(bits_per_key, ClassicBloomProbes(bits_per_key));
    EXPECT_NEAR(BlockedBloomFpRate(bits_per_key, probes) / classic, ratio,
                0.05);
  }
}

TEST(FilterSizesTest, BadOnesAreRefused) {
  const double kNan = std::nan("");
  const std::pair<absl::Status, const char*> kErrors[] = {
      {BloomFilter::ForKeys(0, 0.01).status(), "at least 1 key, not 0"},
      {BlockedBloomFilter::ForKeys(0, 0.01).status(), "at least 1 key, not 0"},
      {BloomFilter::ForKeys(1, 0).status(), "rate is at least 2^-64"},
      {BloomFilter::ForKeys(1, kNan).status(), "rate is at least 2^-64"},
      {BlockedBloomFilter::ForKeys(1, 1e-20).status(), "must be 1e-9 to 0.5"},
      {BlockedBloomFilter::ForKeys(1, kNan).status(), "must be 1e-9 to 0.5"},
      {BlockedBloomFilter::ForBitsPerKey(1, kNan).status(), "must be 1 to 100"},
      {CountingBloomFilter::ForKeys(10, 0.1, 5).status(),
       "counters must have 4, 8 or 16 bits, not 5"},
      {BloomFilter::ForKeys(uint64_t{1} << 45, 0.001).status(),
       "35184372088832 keys at a rate of 0.001 need more than 2^48 bits"},
      {BlockedBloomFilter::ForBitsPerKey(4000000000, 10).status(),
       "4000000000 keys at 10 bits per key need more than 4 GiB"},
      {BloomFilter::ForBytes(std::numeric_limits<size_t>::max(), 1, 0).status(),
       "at most 2^45 bytes, not 18446744073709551615"}};
  for (const auto& [status, part] : kErrors) {
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << part;
    EXPECT_NE(status.ToString().find(part), std::string::npos) << status;
  }
  EXPECT_TRUE(absl::IsResourceExhausted(
      ZeroedBytes::Allocate(size_t{1} << 60).status()));
}

}  // namespace
}  // namespace oneline
