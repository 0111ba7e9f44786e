// Tests of membership/filters/key_hashers.h: positions against independent
// implementations, and shapes that are refused. membership/examples/hashers.cc
// measures the rates of the hashers, and its test pins them.

#include "membership/filters/key_hashers.h"

#include "absl/status/status.h"
#include "tests/testing.h"

namespace oneline {
namespace {

std::vector<uint64_t> Positions(const FilterShape &shape,
                                std::string_view key) {
  std::vector<uint64_t> positions(shape.num_hashes);
  KeyPositions(shape, key, positions.data());
  return positions;
}

using Vector = std::vector<uint64_t>;

// Pinned, because saved filters depend on them.
TEST(DoubleHashingTest, NeverChanges) {
  EXPECT_EQ(Positions({1000, 5, Hasher::kDouble, 0}, "key"),
            Vector({643, 377, 111, 845, 579}));
  EXPECT_EQ(Positions({19170116754, 3, Hasher::kDouble, 12345}, "key"),
            Vector({11734612052, 2917652723, 13270810148}));
  EXPECT_EQ(Positions({kMaxPositions, 4, Hasher::kDouble, 1}, "key"),
            Vector({74847228624974, 88277645620335, 101708062615696,
                    115138479611057}));
  // More hashes than bits.
  EXPECT_EQ(Positions({3, 5, Hasher::kDouble, 0}, "key"),
            Vector({1, 0, 2, 2, 1}));
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

// The worked example: 654321 = 16 * 40895 + 1, 40895 = 16 * 2555 + 15,
// 2555 = 16 * 159 + 11.
TEST(Md5HashingTest, RepeatedDivision) {
  unsigned __int128 x = 654321;
  for (const uint64_t position : {1, 15, 11}) {
    EXPECT_EQ(TakeRemainder(x, 16), position);
  }
  EXPECT_EQ(x, 159u);
}

// Computed with Python's hashlib and its integers of any size.
TEST(Md5HashingTest, KnownPositions) {
  EXPECT_EQ(Positions({100, 3, Hasher::kMd5, 0}, ""), Vector({5, 74, 67}));
  EXPECT_EQ(Positions({16, 3, Hasher::kMd5, 0}, "a"), Vector({13, 1, 1}));
  EXPECT_EQ(
      Positions({19170116754, 14, Hasher::kMd5, 0}, "http://example.com/"),
      Vector({6069563868, 10690481261, 4847435725, 5925142096, 5000080900,
              17569149869, 2493655574, 18111020114, 17889970570, 15147572148,
              5069897289, 19093575319, 18965634058, 11008011528}));
  EXPECT_EQ(Positions({uint64_t{1} << 48, 4, Hasher::kMd5, 0}, "x"),
            Vector({103701024639889, 164277903954538, 101269932420955,
                    256225589279792}));
}

// Computed with Java's int arithmetic, in 2^25 bits.
TEST(PolynomialHashingTest, KnownPositions) {
  const FilterShape shape = {1 << 25, 7, Hasher::kPolynomial, 0};
  EXPECT_EQ(Positions(shape, "http://example.com/"),
            Vector({6248128, 14106020, 12401812, 7008672, 26101732, 26381120,
                    26874464}));
  EXPECT_EQ(Positions(shape, "\xff\x80"),
            Vector({1403, 1913, 2933, 3443, 8033, 9563, 15683}));
}

TEST(CheckShapeTest, RefusesWhatIsWrong) {
  for (const FilterShape &shape : std::initializer_list<FilterShape>{
           {0, 3},
           {8, 0},
           {8, 65},
           {8, 3, static_cast<Hasher>(4)},
           {8, 3, Hasher::kMd5, 1},
           {uint64_t{1} << 33, 3, Hasher::kPolynomial},
           {12, 3, Hasher::kPolynomial},
           {8, 8, Hasher::kPolynomial}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckShape(shape)));
  }
  EXPECT_TRUE(CheckShape({1, 1}).ok());
  EXPECT_TRUE(CheckShape({kMaxPositions, kMaxHashes, Hasher::kMd5}).ok());
  EXPECT_TRUE(CheckShape({uint64_t{1} << 32, 7, Hasher::kPolynomial}).ok());
}

}  // namespace
}  // namespace oneline
