// Tests of table/block/kind_choice.h: bits per key for a rate, and the kind
// that is written where there are few bits.

#include "table/block/kind_choice.h"

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "tests/table/all_kinds.h"
#include "tests/testing.h"

namespace oneline {
namespace {

const KindTraits& Bloom() { return *FindKind("bloom"); }
const KindTraits& Ribbon() { return *FindKind("ribbon"); }

TEST(EffectiveKindTest, RibbonBeginsAtItsLeastBits) {
  EXPECT_EQ(EffectiveKind(Ribbon(), kMinRibbonBitsPerKey).id, Ribbon().id);
  EXPECT_EQ(EffectiveKind(Ribbon(), kMinRibbonBitsPerKey - 1e-9).id,
            Bloom().id);
}

// What the builder really writes. Few keys share a line that has room for many:
// then the bits asked for say nothing, those that are there do.
TEST(EffectiveKindTest, BuilderWritesIt) {
  for (const size_t keys : {20, 20000}) {
    for (double bits : {1.0, 1.5, 2.1, 2.2, 2.5, 3.0}) {
      FilterBlockBuilder builder(Ribbon(), bits, 1);
      for (size_t i = 0; i < keys; ++i) {
        builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
      }
      const FilterBlock block = builder.Finish();
      EXPECT_TRUE(builder.Verify(block.view()));
      EXPECT_EQ(
          DecodeTrailer(block.view())->kind,
          keys > 20 && bits < kMinRibbonBitsPerKey ? Bloom().id : Ribbon().id);
      if (keys == 20) continue;
      const double rate = BlockFpRate(block.view());
      EXPECT_NEAR(rate, builder.FpRate(keys, block.size), 0.05 * rate) << bits;
      EXPECT_LT(rate, 1.05 * LargeFilterFpRate(Bloom(), bits)) << bits;
    }
  }
}

TEST(BitsPerKeyForTest, IsTheLeastThatReachesTheRate) {
  for (const KindTraits* kind : AllKinds()) {
    SCOPED_TRACE(kind->name);
    for (double rate = 0.45; rate > 1e-9; rate /= 1.1) {
      const double bits = BitsPerKeyFor(*kind, rate);
      ASSERT_LT(bits, 100) << rate;
      EXPECT_LE(LargeFilterFpRate(*kind, bits), rate * (1 + 1e-6));
      EXPECT_GT(LargeFilterFpRate(*kind, bits - 0.001), rate) << bits;
      // In thousandths.
      EXPECT_NEAR(bits * 1000, std::round(bits * 1000), 1e-6);
    }
    for (double rate : {0.99, 2.0}) EXPECT_EQ(BitsPerKeyFor(*kind, rate), 1);
    for (double rate : {0.0, -1.0, 1e-300, std::nan("")}) {
      EXPECT_EQ(BitsPerKeyFor(*kind, rate), 100);
    }
  }
}

TEST(BitsPerKeyForTest, KnownValues) {
  EXPECT_NEAR(BitsPerKeyFor(Bloom(), 0.01), 9.918, 0.0015);
  EXPECT_NEAR(BitsPerKeyFor(Ribbon(), 0.01), 6.985, 0.0015);
  EXPECT_NEAR(BitsPerKeyFor(Ribbon(), 0.001), 10.769, 0.0015);
}

}  // namespace
}  // namespace oneline
