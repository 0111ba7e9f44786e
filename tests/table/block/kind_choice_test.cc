// Tests of table/block/kind_choice.h: bits per key for a rate, and the kind
// that is written where there are few bits.

#include "table/block/kind_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/block/line_count.h"
#include "tests/random_keys.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

const KindTraits& Bloom() { return *FindKind("bloom"); }
const KindTraits& Ribbon() { return *FindKind("ribbon"); }

// By the kind's own model, whichever kind would be written.
double ModelRate(const KindTraits& kind, double bits_per_key, int effort) {
  constexpr uint32_t kLines = 1 << 20;
  const uint8_t parameter = kind.choose_parameter(
      bits_per_key, KeysFor(kLines, bits_per_key), kLines);
  return kind.fp_rate(bits_per_key, parameter, effort);
}

bool RibbonIsBetter(int hundredths, int effort) {
  const double bits = hundredths / 100.0;
  return ModelRate(Ribbon(), bits, effort) < ModelRate(Bloom(), bits, effort);
}

bool RibbonIsBetterAtEveryEffort(int hundredths) {
  for (int effort = kMinEffort; effort <= kMaxEffort; ++effort) {
    if (!RibbonIsBetter(hundredths, effort)) return false;
  }
  return true;
}

// The limit is the smallest number of hundredths from which Ribbon is better at
// every effort: up to 90 bits per key, where 32 columns are all that a line can
// have.
TEST(EffectiveKindTest, RibbonIsWrittenFromWhereItIsBetter) {
  const int limit = static_cast<int>(std::lround(100 * kMinRibbonBitsPerKey));
  ASSERT_EQ(limit / 100.0, kMinRibbonBitsPerKey);
  constexpr int kStep = kSlow ? 10 : 1;
  EXPECT_FALSE(RibbonIsBetterAtEveryEffort(limit - 1));
  for (int hundredths = limit; hundredths <= 9000;
       hundredths += hundredths < 400 ? kStep : 100) {
    EXPECT_TRUE(RibbonIsBetterAtEveryEffort(hundredths)) << hundredths;
  }
  EXPECT_EQ(EffectiveKind(Ribbon(), limit / 100.0).id, Ribbon().id);
  EXPECT_EQ(EffectiveKind(Ribbon(), limit / 100.0 - 1e-9).id, Bloom().id);
}

// Efforts do not differ so much that another limit would be better for one.
TEST(EffectiveKindTest, BloomIsWrittenWhereItIsBetter) {
  for (int effort : {1, 2, 4, 8}) {
    for (double bits = 1; bits < kMinRibbonBitsPerKey; bits += 0.0625) {
      EXPECT_EQ(EffectiveKind(Ribbon(), bits).id, Bloom().id) << bits;
      EXPECT_LE(ModelRate(Bloom(), bits, effort),
                1.06 * ModelRate(Ribbon(), bits, effort))
          << bits << " bits per key, effort " << effort;
    }
  }
}

TEST(EffectiveKindTest, BloomIsAlwaysBloom) {
  for (double bits : {0.0, 1.0, 2.0, 10.0, 100.0}) {
    EXPECT_EQ(EffectiveKind(Bloom(), bits).id, Bloom().id);
  }
}

// What the builder really writes: the kind, no false negative, and about as
// many false positives as it says.
TEST(EffectiveKindTest, BuilderWritesIt) {
  constexpr size_t kKeys = kSlow ? 20000 : 200000;
  for (double bits : {1.0, 1.5, 2.1, 2.2, 2.5, 3.0}) {
    FilterBlockBuilder builder(Ribbon(), bits, 1);
    for (size_t i = 0; i < kKeys; ++i) {
      builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
    }
    const FilterBlock block = builder.Finish();
    EXPECT_TRUE(builder.Verify(block.view()));
    EXPECT_EQ(block.size, builder.BlockBytes(kKeys));
    EXPECT_EQ(DecodeTrailer(block.view())->kind,
              bits < kMinRibbonBitsPerKey ? Bloom().id : Ribbon().id);
    const FilterBlockReader reader(block.view());
    size_t passed = 0;
    for (size_t i = kKeys; i < 2 * kKeys; ++i) {
      passed += reader.MayMatch(IntegerKey(KeySet::kRandom, 1, i));
    }
    const double rate = static_cast<double>(passed) / kKeys;
    EXPECT_NEAR(rate, builder.FpRate(kKeys, block.size), 0.05 * rate) << bits;
    EXPECT_LT(rate, 1.05 * ModelRate(Bloom(), bits, kDefaultEffort)) << bits;
  }
}

// Few keys share a line that has room for many: then the bits asked for say
// nothing, those that are there do.
TEST(EffectiveKindTest, BuilderCountsTheBitsThatAreThere) {
  FilterBlockBuilder builder(Ribbon(), 1, 1);
  for (size_t i = 0; i < 20; ++i) {
    builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
  }
  const FilterBlock block = builder.Finish();
  EXPECT_EQ(DecodeTrailer(block.view())->kind, Ribbon().id);
  EXPECT_TRUE(builder.Verify(block.view()));
}

class BitsPerKeyForTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }
};

TEST_P(BitsPerKeyForTest, IsTheLeastThatReachesTheRate) {
  for (int effort : {1, 4, 8}) {
    for (double rate = 0.4; rate > 1e-7; rate /= kSlow ? 50 : 3) {
      const double bits = BitsPerKeyFor(kind(), rate, effort);
      if (bits == 100) continue;
      EXPECT_LE(LargeFilterFpRate(kind(), bits, effort), rate);
      EXPECT_GT(LargeFilterFpRate(kind(), bits - 0.001, effort), rate) << bits;
      // In thousandths.
      EXPECT_NEAR(bits * 1000, std::round(bits * 1000), 1e-6);
    }
  }
}

TEST_P(BitsPerKeyForTest, StaysWithin1And100) {
  for (double rate : {1.0, 2.0, 0.99}) {
    EXPECT_EQ(BitsPerKeyFor(kind(), rate), 1);
  }
  for (double rate : {0.0, -1.0, 1e-300, std::nan("")}) {
    EXPECT_EQ(BitsPerKeyFor(kind(), rate), 100);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BitsPerKeyForTest, testing::ValuesIn(AllKinds()),
                         [](const auto& kind) {
                           return std::string(kind.param->name);
                         });

TEST(BitsPerKeyForTest, KnownValues) {
  EXPECT_NEAR(BitsPerKeyFor(Bloom(), 0.01), 9.918, 0.0015);
  EXPECT_NEAR(BitsPerKeyFor(Ribbon(), 0.01), 6.985, 0.0015);
  EXPECT_NEAR(BitsPerKeyFor(Ribbon(), 0.001), 10.769, 0.0015);
}

}  // namespace
}  // namespace oneline
