// Tests of FilterBlockBuilder::Verify (table/block/filter_block_builder.h):
// damage of the block or of the collected hashes is caught. All kinds are
// tested. Sound blocks pass: filter_block_builder_test.cc.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "tests/random_keys.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

class FilterBlockVerifyTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(All, FilterBlockVerifyTest,
                         testing::ValuesIn(AllKinds()),
                         [](const auto& kind) { return kind.param->name; });

void AddKeys(size_t n, FilterBlockBuilder& builder) {
  for (size_t i = 0; i < n; ++i) {
    builder.AddKey(IntegerKey(KeySet::kRandom, 4, i));
  }
}

// Seed 0 too, as that is what a reader has that could not read the trailer.
TEST_P(FilterBlockVerifyTest, CatchesADamagedBlock) {
  for (uint64_t seed : {0, 5}) {
    FilterBlockBuilder builder(kind(), 10, seed);
    AddKeys(1000, builder);
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
TEST_P(FilterBlockVerifyTest, CatchesABlockOfOtherKeys) {
  FilterBlockBuilder builder(kind(), 10, 5), other(kind(), 10, 5);
  const FilterBlock none = other.Finish();
  AddKeys(1000, builder);
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
// with the wrong hash, or after it. (Functions of a KindTraits know nothing but
// their arguments.)
const KindTraits* sound_kind;

template <bool kBefore>
void BuildDamaging(HashList& hashes, uint8_t parameter, int effort,
                   uint8_t* lines, uint32_t num_lines) {
  if (kBefore) hashes[hashes.size() / 2] ^= 1 << 7;
  sound_kind->build(hashes, parameter, effort, lines, num_lines);
  if (!kBefore) hashes[hashes.size() / 2] ^= uint64_t{1} << 60;
}

TEST_P(FilterBlockVerifyTest, CatchesADamagedHash) {
  sound_kind = &kind();
  for (auto* build : {&BuildDamaging<true>, &BuildDamaging<false>}) {
    KindTraits damaging = kind();
    damaging.build = build;
    for (size_t n : {1, 2, 1000, 20000}) {
      FilterBlockBuilder builder(damaging, 10, 5);
      AddKeys(n, builder);
      const FilterBlock block = builder.Finish();
      EXPECT_TRUE(DecodeTrailer(block.view()).has_value());
      EXPECT_FALSE(builder.Verify(block.view())) << n;
    }
  }
}

}  // namespace
}  // namespace oneline
