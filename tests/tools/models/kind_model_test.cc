// Tests of the models of the kinds, and of what table/block/kind_choice.h says
// by them: the rates of the table, and the kind that is written where there are
// few bits. Measured rates are held to the table in
// tests/tools/size/filter_models_test.cc.

#include "tools/models/kind_model.h"

#include "table/block/kind_choice.h"
#include "tests/table/all_kinds.h"
#include "tests/testing.h"

namespace oneline {
namespace {

const KindTraits& Bloom() { return *FindKind("bloom"); }
const KindTraits& Ribbon() { return *FindKind("ribbon"); }

// What kind_choice.h promises, between the points of the table, too.
TEST(FpRatesTest, TableAgreesWithTheModel) {
  for (const KindTraits* kind : AllKinds()) {
    for (double bits = 1; bits <= 100; bits *= kSlow ? 1.05 : 1.0037) {
      const double model = ModelledFpRate(EffectiveKind(*kind, bits), bits);
      EXPECT_NEAR(LargeFilterFpRate(*kind, bits), model,
                  (bits < 6 ? 0.02 : 0.003) * model)
          << kind->name << " " << bits;
    }
  }
}

TEST(BlockedRibbonFpRateTest, KnownValues) {
  EXPECT_NEAR(ModelledFpRate(Ribbon(), 5), 0.036250, 5e-6);
  EXPECT_NEAR(ModelledFpRate(Ribbon(), 10), 0.0015689, 5e-7);
}

// However many keys share a line, the answer comes at once. Lines that hold
// more keys than there can be rows for answer "maybe", and a line has at most
// 32 columns.
TEST(ModelledFpRateTest, OfFullAndOfNearlyEmptyLines) {
  for (const int k : {1, 6, 24}) {
    for (const double bits : {1e-300, 1e-9, 1e-3, 0.02}) {
      EXPECT_NEAR(BlockedBloomFpRate(bits, k), 1, 1e-10) << bits << " " << k;
    }
    EXPECT_NEAR(BlockedBloomFpRate(0.05, 1), -std::expm1(-20), 1e-10);
  }
  EXPECT_NEAR(BlockedRibbonFpRate(0.01, 192), 1, 1e-6);
  EXPECT_NEAR(BlockedRibbonFpRate(1, 192), 1, 1e-6);
  EXPECT_GE(ModelledFpRate(Ribbon(), 100), std::exp2(-32) * 0.9);
}

// From the limit on it is better, up to 90 bits per key, where 32 columns are
// all that a line can have.
TEST(EffectiveKindTest, RibbonIsWrittenFromWhereItIsBetter) {
  const int limit = static_cast<int>(std::lround(100 * kMinRibbonBitsPerKey));
  ASSERT_EQ(limit / 100.0, kMinRibbonBitsPerKey);
  constexpr int kStep = kSlow ? 10 : 1;
  for (int hundredths = limit; hundredths <= 9000;
       hundredths += hundredths < 400 ? kStep : 100) {
    const double bits = hundredths / 100.0;
    EXPECT_LT(ModelledFpRate(Ribbon(), bits), ModelledFpRate(Bloom(), bits))
        << hundredths;
  }
  EXPECT_EQ(EffectiveKind(Ribbon(), limit / 100.0).id, Ribbon().id);
  EXPECT_EQ(EffectiveKind(Ribbon(), limit / 100.0 - 1e-9).id, Bloom().id);
}

}  // namespace
}  // namespace oneline
