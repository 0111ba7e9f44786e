// Tests of table/block/filter_block.h: the reader. Its answers are
// pinned in tests/golden. The trailer: trailer_test.cc. Damage of every byte:
// filter_block_damage_test.cc.

#include "table/block/filter_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "tests/golden/test_vectors.h"
#include "tests/random_keys.h"
#include "tests/table/all_kinds.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

TEST(FilterBlockReaderTest, NoKeysMeansNo) {
  const std::string& block = PinnedVector("bloom_empty").bytes;
  ASSERT_EQ(block.size(), kTrailerBytes);
  const FilterBlockReader reader(block);
  EXPECT_FALSE(reader.MayMatch(""));
  EXPECT_FALSE(reader.MayMatch("key"));
  constexpr size_t kKeys = 100;
  const std::vector<uint64_t> hashes(kKeys, ~uint64_t{0});
  std::array<bool, kKeys + 1> answers;
  answers.fill(true);
  reader.MayMatchHashes(hashes.data(), kKeys, answers.data());
  EXPECT_EQ(std::count(answers.begin(), answers.end(), true), 1);
  EXPECT_TRUE(answers[kKeys]);
}

// Five standard deviations of the keys that were asked for.
TEST(BlockFpRateTest, IsThePartOfAbsentKeysThatPass) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (const double bits_per_key : {2.0, 5.0, 9.0}) {
      for (const int num_keys : {1, 30, 5000}) {
        FilterBlockBuilder builder(*kind, bits_per_key, random());
        for (int i = 0; i < num_keys; ++i) {
          builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
        }
        const FilterBlock built = builder.Finish();
        const std::string_view block(built.bytes.get(), built.size);
        const double rate = BlockFpRate(block);
        const FilterBlockReader reader(block);
        constexpr int kProbes = 200000;
        int passed = 0;
        for (int i = 0; i < kProbes; ++i) {
          passed += reader.MayMatchHash(random()) ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(passed) / kProbes, rate,
                    5 * std::sqrt(rate / kProbes) + 0.02 * rate + 1e-4)
            << kind->name << " " << bits_per_key << " " << num_keys;
      }
    }
  }
}

TEST(BlockFpRateTest, OfNoKeysAndOfLinesThatWereNotSolved) {
  EXPECT_EQ(BlockFpRate(PinnedVector("ribbon_empty").bytes), 0);
  // Line 0 says "maybe"; line 1 has one row, and so 32 columns.
  std::string block(2 * kLineBytes + kTrailerBytes, '\0');
  block[0] = static_cast<char>(63 << 2);
  block[kLineBytes] = 1 << 2;
  Trailer trailer;
  trailer.num_lines = 2;
  trailer.num_keys = 1;
  trailer.kind = 2;
  EncodeTrailer(trailer,
                reinterpret_cast<uint8_t*>(block.data()) + 2 * kLineBytes);
  EXPECT_EQ(BlockFpRate(block), (1 + std::exp2(-32)) / 2);
}

}  // namespace
}  // namespace oneline
