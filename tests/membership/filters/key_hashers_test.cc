// Tests of membership/filters/key_hashers.h: positions against independent
// implementations, and the measured false-positive rates of the hashers.

#include "membership/filters/key_hashers.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "membership/filters/bloom_filter.h"
#include "tests/random_keys.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

std::vector<uint64_t> Positions(const FilterShape& shape,
                                std::string_view key) {
  std::vector<uint64_t> positions(shape.num_hashes);
  KeyPositions(shape, key, positions.data());
  return positions;
}

std::vector<uint64_t> Vector(std::initializer_list<uint64_t> list) {
  return list;
}

// Pinned, because saved filters depend on them.
TEST(DoubleHashingTest, NeverChanges) {
  EXPECT_EQ(Positions({1000, 5, Hasher::kDouble, 0}, "key"),
            Vector({643, 377, 111, 845, 579}));
  EXPECT_EQ(Positions({19170116754, 3, Hasher::kDouble, 12345}, "key"),
            Vector({11734612052, 2917652723, 13270810148}));
}

// h1 + i * h2 modulo m, unless the sequence comes back to its first position.
TEST(DoubleHashingTest, IsAnArithmeticProgression) {
  std::mt19937_64 random = TestRandom();
  for (uint64_t m : {uint64_t{1} << 20, uint64_t{1000003}, kMaxPositions}) {
    for (int key = 0; key < 1000; ++key) {
      const FilterShape shape = {m, 20, Hasher::kDouble, random()};
      const std::vector<uint64_t> p = Positions(shape, std::to_string(key));
      const uint64_t step = (p[1] + m - p[0]) % m;
      if (m != 1000003 && (step % (m >> 5) == 0)) continue;  // comes back
      for (size_t i = 0; i < p.size(); ++i) {
        ASSERT_EQ(p[i],
                  static_cast<uint64_t>(
                      (p[0] + static_cast<unsigned __int128>(i) * step) % m));
      }
    }
  }
}

// No two positions of a key are equal, however small the filter. In filters
// this small every h2 occurs, even 0.
TEST(DoubleHashingTest, PositionsOfAKeyAreDifferent) {
  for (uint64_t m = 1; m <= 70; ++m) {
    const int k = static_cast<int>(std::min<uint64_t>(m, kMaxHashes));
    for (int key = 0; key < 1000; ++key) {
      const std::vector<uint64_t> p =
          Positions({m, k, Hasher::kDouble, 0}, std::to_string(key));
      const std::set<uint64_t> different(p.begin(), p.end());
      ASSERT_EQ(different.size(), p.size()) << m << " bits, key " << key;
      ASSERT_LT(*different.rbegin(), m);
    }
  }
}

TEST(DoubleHashingTest, MoreHashesThanBits) {
  for (uint64_t p : Positions({3, 64, Hasher::kDouble, 0}, "key")) {
    EXPECT_LT(p, 3u);
  }
}

TEST(DoubleHashingTest, DependsOnTheSeed) {
  EXPECT_NE(Positions({1 << 20, 5, Hasher::kDouble, 1}, "key"),
            Positions({1 << 20, 5, Hasher::kDouble, 2}, "key"));
}

// The worked example: 654321 = 16 * 40895 + 1, 40895 = 16 * 2555 + 15,
// 2555 = 16 * 159 + 11.
TEST(Md5HashingTest, RepeatedDivision) {
  unsigned __int128 x = 654321;
  EXPECT_EQ(TakeRemainder(x, 16), 1u);
  EXPECT_EQ(x, 40895u);
  EXPECT_EQ(TakeRemainder(x, 16), 15u);
  EXPECT_EQ(x, 2555u);
  EXPECT_EQ(TakeRemainder(x, 16), 11u);
  EXPECT_EQ(x, 159u);
}

// Computed with Python's hashlib and its integers of any size.
TEST(Md5HashingTest, KnownPositions) {
  EXPECT_EQ(Positions({100, 3, Hasher::kMd5, 0}, ""), Vector({5, 74, 67}));
  EXPECT_EQ(Positions({16, 3, Hasher::kMd5, 0}, "a"), Vector({13, 1, 1}));
  EXPECT_EQ(Positions({100, 3, Hasher::kMd5, 0}, "3"), Vector({30, 27, 37}));
  EXPECT_EQ(Positions({1 << 25, 7, Hasher::kMd5, 0}, "http://example.com/"),
            Vector({20485450, 27708409, 6014547, 32815895, 18385716, 12545164,
                    14136891}));
  EXPECT_EQ(
      Positions({19170116754, 14, Hasher::kMd5, 0}, "http://example.com/"),
      Vector({6069563868, 10690481261, 4847435725, 5925142096, 5000080900,
              17569149869, 2493655574, 18111020114, 17889970570, 15147572148,
              5069897289, 19093575319, 18965634058, 11008011528}));
  EXPECT_EQ(Positions({uint64_t{1} << 48, 4, Hasher::kMd5, 0}, "x"),
            Vector({103701024639889, 164277903954538, 101269932420955,
                    256225589279792}));
  EXPECT_EQ(Positions({1, 3, Hasher::kMd5, 0}, "x"), Vector({0, 0, 0}));
}

// Computed with Java's int arithmetic, in 2^25 bits.
TEST(PolynomialHashingTest, KnownPositions) {
  const FilterShape shape = {1 << 25, 7, Hasher::kPolynomial, 0};
  EXPECT_EQ(Positions(shape, ""), Vector({0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Positions(shape, "a"), Vector({97, 97, 97, 97, 97, 97, 97}));
  EXPECT_EQ(Positions(shape, "http://example.com/"),
            Vector({6248128, 14106020, 12401812, 7008672, 26101732, 26381120,
                    26874464}));
  EXPECT_EQ(Positions(shape, "\xff\x80"),
            Vector({1403, 1913, 2933, 3443, 8033, 9563, 15683}));
}

// 5, 13, 37 and 61 are equal modulo 8, and so are 7 and 31. So the positions
// with these bases have the same last three bits, whatever the key. Those of
// independent hashes would not.
TEST(PolynomialHashingTest, SevenHashesAreNotIndependent) {
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i < 1000; ++i) {
    const std::vector<uint64_t> p = Positions(
        {1 << 25, 7, Hasher::kPolynomial, 0}, std::to_string(random()));
    ASSERT_EQ(p[0] % 8, p[3] % 8);
    ASSERT_EQ(p[0] % 8, p[5] % 8);
    ASSERT_EQ(p[0] % 8, p[6] % 8);
    ASSERT_EQ(p[1] % 8, p[4] % 8);
  }
}

// Pseudorandom keys of six letters and digits, different for each i. The two
// halves of i change each other by turns, which is a bijection (Luby, Rackoff,
// "How to Construct Pseudorandom Permutations", 1988).
std::string ShortKey(uint64_t seed, uint64_t i) {
  constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr uint64_t kHalf = 36 * 36 * 36;
  uint64_t halves[2] = {i / kHalf % kHalf, i % kHalf};
  for (uint64_t round = 0; round < 4; ++round) {
    uint64_t& changed = halves[round % 2];
    const uint64_t other = halves[1 - round % 2];
    changed = (changed + Scramble(Scramble(seed + round) ^ other)) % kHalf;
  }
  std::string key;
  for (uint64_t half : halves) {
    for (int digit = 0; digit < 3; ++digit, half /= 36) {
      key.push_back(kAlphabet[half % 36]);
    }
  }
  return key;
}

// The share of absent keys that pass after `num_keys` were added. `fill`
// becomes the share of the bits that are set.
double MeasuredRate(const FilterShape& shape, uint64_t num_keys, uint64_t seed,
                    double* fill) {
  absl::StatusOr<BloomFilter> filter = BloomFilter::ForShape(shape);
  EXPECT_TRUE(filter.ok()) << filter.status();
  for (uint64_t i = 0; i < num_keys; ++i) filter->Add(ShortKey(seed, i));
  uint64_t passed = 0;
  for (uint64_t i = num_keys; i < 2 * num_keys; ++i) {
    passed += filter->MayContain(ShortKey(seed, i));
  }
  *fill = filter->FillRatio();
  return static_cast<double>(passed) / static_cast<double>(num_keys);
}

// A million short keys in 2^25 bits with 7 hashes should have 0.00084 % false
// positives. The polynomials have 14 times as many although they set fewer
// bits, because their positions cluster and depend on each other.
TEST(KeyHashersTest, FalsePositiveRatesOfAllHashers) {
  constexpr uint64_t kKeys = kSlow ? 125000 : 1000000;
  constexpr uint64_t kBits = kSlow ? 1 << 22 : 1 << 25;
  const uint64_t seed = TestRandom()();
  const double theory = std::pow(-std::expm1(-7.0 * kKeys / kBits), 7);
  for (Hasher hasher : {Hasher::kDouble, Hasher::kPolynomial, Hasher::kMd5}) {
    double fill = 0;
    const double rate = MeasuredRate({kBits, 7, hasher, 0}, kKeys, seed, &fill);
    std::printf("%-10s  %.5f %% pass, %.5f %% in theory; fill %.3f\n",
                HasherName(hasher), 100 * rate, 100 * theory, fill);
    if (hasher == Hasher::kPolynomial) {
      // The small filters under sanitizers have too few false positives to
      // tell.
      if (kSlow) continue;
      EXPECT_GT(rate, 8 * theory);
      EXPECT_LT(fill, -0.98 * std::expm1(-7.0 * kKeys / kBits));
    } else {
      EXPECT_NEAR(rate, theory, 6 * std::sqrt(theory / kKeys));
      EXPECT_NEAR(fill, -std::expm1(-7.0 * kKeys / kBits), 0.001);
    }
  }
}

TEST(CheckShapeTest, ErrorsNameWhatIsWrong) {
  struct Case {
    FilterShape shape;
    const char* error;
  };
  const Case cases[] = {
      {{0, 3}, "a filter must have 1 to 2^48 bits or counters, not 0"},
      {{(uint64_t{1} << 48) + 1, 3},
       "a filter must have 1 to 2^48 bits or counters, not 281474976710657"},
      {{8, 0}, "the number of hashes must be 1 to 64, not 0"},
      {{8, -1}, "the number of hashes must be 1 to 64, not -1"},
      {{8, 65}, "the number of hashes must be 1 to 64, not 65"},
      {{8, 3, static_cast<Hasher>(0)}, "there is no hasher 0"},
      {{8, 3, static_cast<Hasher>(4)}, "there is no hasher 4"},
      {{8, 3, Hasher::kMd5, 1}, "hasher md5 takes no seed"},
      {{8, 3, Hasher::kPolynomial, 1}, "hasher polynomial takes no seed"},
      {{12, 3, Hasher::kPolynomial},
       "with polynomial hashes the size of a filter must be a power of two up "
       "to 2^32, not 12 bits"},
      {{uint64_t{1} << 33, 3, Hasher::kPolynomial},
       "with polynomial hashes the size of a filter must be a power of two up "
       "to 2^32, not 8589934592 bits"},
      {{8, 8, Hasher::kPolynomial},
       "there are only 7 polynomial hashes, not 8"},
  };
  for (const Case& c : cases) {
    const absl::Status status = CheckShape(c.shape);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), c.error);
  }
  EXPECT_TRUE(CheckShape({1, 1}).ok());
  EXPECT_TRUE(CheckShape({kMaxPositions, kMaxHashes, Hasher::kMd5}).ok());
  EXPECT_TRUE(CheckShape({uint64_t{1} << 32, 7, Hasher::kPolynomial}).ok());
}

}  // namespace
}  // namespace oneline
