// Tests of table/block/filter_block_builder.h, first of all the promise of a
// filter: never a false negative; and of Verify: damage of the block or of the
// collected hashes is caught. All kinds are tested.

#include "table/block/filter_block_builder.h"

#include "table/block/filter_block.h"
#include "table/hash/hash_list.h"
#include "tests/table/all_kinds.h"
#include "tests/testing.h"

namespace oneline {
namespace {

class FilterBlockBuilderTest
    : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(All, FilterBlockBuilderTest,
                         testing::ValuesIn(AllKinds()),
                         [](const auto& kind) { return kind.param->name; });

// 0, 1, 2, then each power of two to 2^18 and its neighbours.
std::vector<size_t> Sizes() {
  std::vector<size_t> sizes = {0, 1, 2};
  for (size_t power = 4; power <= (kSlow ? 1u << 13 : 1u << 18); power *= 2) {
    for (size_t size : {power - 1, power, power + 1}) sizes.push_back(size);
  }
  return sizes;
}

// All whole numbers to 30, the limit, and some between: the points where the
// blocked Bloom filter takes one probe more, and what is no binary fraction.
std::vector<double> BitsPerKey() {
  std::vector<double> all = {1.5,    2.082, 3.3,  7.7, 9.9,
                             10.058, 13.37, 99.9, 100};
  for (int bits = 1; bits <= 30; ++bits) all.push_back(bits);
  return all;
}

// How many of the first `n` keys of a set the block denies, asked one by one
// and in batches, whose sizes go through 1 to 64.
size_t CountDenied(const FilterBlock& block, uint64_t set_seed, size_t n) {
  const FilterBlockReader reader(block.view());
  std::array<uint64_t, 64> hashes;
  std::array<bool, 64> answers;
  size_t passed = 0, passed_in_batch = 0, batch = 1;
  for (size_t i = 0; i < n; i += batch, batch = batch % 64 + 1) {
    batch = std::min(batch, n - i);
    for (size_t j = 0; j < batch; ++j) {
      const IntegerKey key(KeySet::kRandom, set_seed, i + j);
      passed += reader.MayMatch(key);
      hashes[j] = KeyHash(key, reader.seed());
    }
    answers.fill(false);
    reader.MayMatchHashes(hashes.data(), batch, answers.data());
    passed_in_batch += std::count(answers.begin(), answers.end(), true);
  }
  return 2 * n - passed - passed_in_batch;
}

void AddKeys(uint64_t set_seed, size_t n, FilterBlockBuilder* builder) {
  for (size_t i = 0; i < n; ++i) {
    builder->AddKey(IntegerKey(KeySet::kRandom, set_seed, i));
  }
}

// One builder makes all the blocks of a number of bits per key.
TEST_P(FilterBlockBuilderTest, NoFalseNegative) {
  std::mt19937_64 random = TestRandom();
  size_t checks = 0;
  for (double bits_per_key : BitsPerKey()) {
    FilterBlockBuilder builder(kind(), bits_per_key, random());
    for (size_t n : Sizes()) {
      const uint64_t set_seed = random();
      AddKeys(set_seed, n, &builder);
      const FilterBlock block = builder.Finish();
      ASSERT_EQ(builder.num_keys(), n);
      ASSERT_EQ(block.size, builder.BlockBytes(n));
      ASSERT_EQ(CountDenied(block, set_seed, n), 0u)
          << n << " keys, " << bits_per_key << " bits per key";
      ASSERT_TRUE(DecodeTrailer(block.view()).has_value());
      if (n <= 1000) {
        ASSERT_EQ(builder.Finish().view(), block.view());
      }
      builder.Reset();
      checks += n;
    }
  }
  EXPECT_GE(checks, kSlow ? 1000000u : 50000000u);
}

// RocksDB may ask for the rate of many keys in few bytes. (That of usual
// blocks: kind_choice_test.cc.)
TEST_P(FilterBlockBuilderTest, FpRateIsInItsBounds) {
  const FilterBlockBuilder builder(kind(), 10, 1);
  EXPECT_EQ(builder.FpRate(0, kTrailerBytes), 0);
  for (const size_t many : {size_t{1} << 32, ~size_t{0}}) {
    EXPECT_EQ(builder.FpRate(many, kTrailerBytes), 1);
    EXPECT_NEAR(builder.FpRate(many, 96), 1, 1e-6);
    EXPECT_LE(builder.FpRate(many, ~size_t{0}), 1);
  }
  EXPECT_GE(builder.FpRate(1, ~size_t{0}), 0);
}

// Builders may be told how many lines a block is to have: from far too few to
// far too many. Fewer lines pass more absent keys.
TEST_P(FilterBlockBuilderTest, AnyNumberOfLines) {
  constexpr size_t kKeys = 5000;
  for (const double bits_per_key : {1.0, 2.3, 10.0, 30.0}) {
    FilterBlockBuilder builder(kind(), bits_per_key, 1);
    AddKeys(1, kKeys, &builder);
    const uint32_t asked = builder.NumLines();
    EXPECT_EQ(builder.Finish().size, kLineBytes * asked + kTrailerBytes);
    double last_rate = 1;
    for (const uint32_t lines : {1u, 2u, asked / 4, asked - asked / 4, asked,
                                 asked + 1, asked + asked / 3, 3 * asked}) {
      SCOPED_TRACE(testing::Message() << lines << " of " << asked);
      const FilterBlock block = builder.Finish(lines);
      const auto trailer = DecodeTrailer(block.view());
      ASSERT_TRUE(trailer.has_value());
      EXPECT_EQ(trailer->num_lines, lines);
      EXPECT_NEAR(trailer->asked_bits_per_key, bits_per_key, 0.002);
      EXPECT_EQ(CountDenied(block, 1, kKeys), 0u);
      EXPECT_TRUE(builder.Verify(block.view()));
      const double rate = BlockFpRate(block.view());
      EXPECT_LE(rate, 1.01 * last_rate);
      last_rate = rate;
    }
    EXPECT_LT(last_rate, 0.9 * BlockFpRate(builder.Finish().view()));
  }
}

// Prefixes come sorted, and so next to their likes: those count once. Others
// that repeat count each time, and pass all the same.
TEST_P(FilterBlockBuilderTest, Duplicates) {
  constexpr size_t kKeys = 5000;
  for (double bits_per_key : {1.0, 10.0, 100.0}) {
    FilterBlockBuilder once(kind(), bits_per_key, 1);
    FilterBlockBuilder in_runs(kind(), bits_per_key, 1);
    FilterBlockBuilder in_turn(kind(), bits_per_key, 1);
    AddKeys(7, kKeys, &once);
    for (size_t i = 0; i < 3 * kKeys; ++i) {
      in_runs.AddKey(IntegerKey(KeySet::kRandom, 7, i / 3));
    }
    for (int times = 0; times < 3; ++times) AddKeys(7, kKeys, &in_turn);
    EXPECT_EQ(in_runs.num_keys(), kKeys);
    EXPECT_EQ(in_turn.num_keys(), 3 * kKeys);
    EXPECT_EQ(in_runs.Finish().view(), once.Finish().view());
    const FilterBlock block = in_turn.Finish();
    EXPECT_EQ(CountDenied(block, 7, kKeys), 0u);
    EXPECT_TRUE(in_turn.Verify(block.view()));
  }
}

// As from a prefix extractor: sorted keys, each with its prefix. A prefix
// counts once, however many keys come between, and so does a key that is its
// own prefix or that of the next key.
TEST_P(FilterBlockBuilderTest, KeysAndPrefixes) {
  const struct {
    std::string key, prefix;
    size_t num_keys;  // up to here
  } kKeys[] = {{"", "", 1},     {"", "", 1},      {"a", "a", 2}, {"ab", "a", 3},
               {"ab", "a", 3},  {"abc", "ab", 4}, {"b", "b", 5}, {"b1", "b", 6},
               {"b2", "b", 7},  {"b2", "b2", 7},  {"c1", "", 9}, {"c2", "", 10},
               {"de", "d", 12}, {"def", "de", 13}};
  FilterBlockBuilder builder(kind(), 10, 6);
  for (int times = 1; times <= 2; ++times) {
    for (const auto& [key, prefix, num_keys] : kKeys) {
      builder.AddKeyAndPrefix(key, prefix);
      EXPECT_EQ(builder.num_keys(), num_keys) << key << " " << prefix;
    }
    const FilterBlock block = builder.Finish();
    EXPECT_TRUE(builder.Verify(block.view()));
    const FilterBlockReader reader(block.view());
    for (const auto& [key, prefix, num_keys] : kKeys) {
      EXPECT_TRUE(reader.MayMatch(key)) << key;
      EXPECT_TRUE(reader.MayMatch(prefix)) << prefix;
    }
    // A builder that has forgotten its keys has forgotten the last prefix.
    builder.Reset();
    builder.AddKeyAndPrefix("de1", "de");
    EXPECT_EQ(builder.num_keys(), 2u);
    const FilterBlock next = builder.Finish();
    EXPECT_TRUE(FilterBlockReader(next.view()).MayMatch("de"));
    EXPECT_TRUE(FilterBlockReader(next.view()).MayMatch("de1"));
    builder.Reset();
  }
}

// What SECURITY.md says of keys that somebody chose who knows the seed: the few
// lines of them all answer "maybe", the others as ever, and the size stays.
// With another seed they are keys like any.
TEST_P(FilterBlockBuilderTest, KeysChosenForAFewLines) {
  constexpr size_t kKeys = 20000;
  const uint64_t seed = TestRandom()();
  FilterBlockBuilder known(kind(), 10, seed), other(kind(), 10, ~seed);
  const auto num_lines =
      static_cast<uint32_t>(known.BlockBytes(kKeys) / kLineBytes);
  for (uint64_t i = 0; known.num_keys() < kKeys; ++i) {
    const std::string key = "user:" + std::to_string(i);
    if (LineIndex(KeyHash(key, seed), num_lines) >= num_lines / 10) continue;
    known.AddKey(key);
    other.AddKey(key);
  }
  const FilterBlock crowded = known.Finish(), ordinary = other.Finish();
  EXPECT_EQ(crowded.size, known.BlockBytes(kKeys));
  EXPECT_TRUE(known.Verify(crowded.view()));
  EXPECT_NEAR(BlockFpRate(crowded.view()), 0.1, 0.01);
  const double rate = other.FpRate(kKeys, ordinary.size);
  EXPECT_NEAR(BlockFpRate(ordinary.view()), rate, 0.1 * rate);
}

// Seed 0 too, as that is what a reader has that could not read the trailer.
TEST_P(FilterBlockBuilderTest, CatchesADamagedBlock) {
  for (uint64_t seed : {0, 5}) {
    FilterBlockBuilder builder(kind(), 10, seed);
    AddKeys(4, 1000, &builder);
    const std::string sound(builder.Finish().view());
    ASSERT_TRUE(builder.Verify(sound));
    const size_t lines_bytes = sound.size() - kTrailerBytes;
    for (size_t i = 0; i < sound.size(); ++i) {
      std::string damaged = sound;
      // Any damage of the trailer; a line that has lost all it held.
      if (i < lines_bytes) {
        damaged.replace(i / kLineBytes * kLineBytes, kLineBytes, kLineBytes,
                        '\0');
      } else {
        damaged[i] ^= 1;
      }
      EXPECT_FALSE(builder.Verify(damaged)) << i;
    }
    EXPECT_FALSE(builder.Verify(""));
    EXPECT_FALSE(builder.Verify(std::string_view(sound).substr(1)));
  }
}

// A valid block, but not of these keys: of none, and of another seed, under
// which readers would hash them otherwise.
TEST_P(FilterBlockBuilderTest, CatchesABlockOfOtherKeys) {
  FilterBlockBuilder builder(kind(), 10, 5), other(kind(), 10, 5);
  const FilterBlock none = other.Finish();
  AddKeys(4, 1000, &builder);
  EXPECT_FALSE(builder.Verify(none.view()));

  std::string block(builder.Finish().view());
  Trailer trailer = *DecodeTrailer(block);
  uint8_t* end = reinterpret_cast<uint8_t*>(block.data()) + block.size();
  EncodeTrailer(trailer, end - kTrailerBytes);
  EXPECT_TRUE(builder.Verify(block));
  trailer.seed ^= 1;
  EncodeTrailer(trailer, end - kTrailerBytes);
  ASSERT_TRUE(DecodeTrailer(block).has_value());
  EXPECT_FALSE(builder.Verify(block));
}

// A kind that damages a hash before it builds the filter, which then agrees
// with the wrong hash, or after it. (Functions of a LineFormat know nothing but
// their arguments.)
const KindTraits* sound_kind;

template <bool kBefore>
void BuildDamaging(HashList& hashes, uint8_t parameter, uint8_t* lines,
                   uint32_t num_lines) {
  if (kBefore) hashes[hashes.size() / 2] ^= 1 << 7;
  sound_kind->lines->build(hashes, parameter, lines, num_lines);
  if (!kBefore) hashes[hashes.size() / 2] ^= uint64_t{1} << 60;
}

TEST_P(FilterBlockBuilderTest, CatchesADamagedHash) {
  sound_kind = &kind();
  for (auto* build : {&BuildDamaging<true>, &BuildDamaging<false>}) {
    LineFormat lines = *kind().lines;
    lines.build = build;
    KindTraits damaging = kind();
    damaging.lines = &lines;
    for (size_t n : {1, 2, 1000, 20000}) {
      FilterBlockBuilder builder(damaging, 10, 5);
      AddKeys(4, n, &builder);
      const FilterBlock block = builder.Finish();
      EXPECT_TRUE(DecodeTrailer(block.view()).has_value());
      EXPECT_FALSE(builder.Verify(block.view())) << n;
    }
  }
}

}  // namespace
}  // namespace oneline
