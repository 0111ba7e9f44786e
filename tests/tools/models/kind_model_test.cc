// Tests of what table/block/kind_choice.h says of the kinds by their models:
// the rates of the table, and the kind that is written where there are few
// bits.

#include "tools/models/kind_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "table/block/kind_choice.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"

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

bool RibbonIsBetterAtEveryEffort(int hundredths) {
  const double bits = hundredths / 100.0;
  bool is_better = true;
  for (int effort = kMinEffort; effort <= kMaxEffort; ++effort) {
    is_better &= ModelledFpRate(Ribbon(), bits, effort) <
                 ModelledFpRate(Bloom(), bits, effort);
  }
  return is_better;
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

}  // namespace
}  // namespace oneline
