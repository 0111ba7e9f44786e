// Tests of tools/models/short_block_model.h, and of the bits per key that short
// blocks get for a rate, by that model. Measured rates are held to the model in
// tests/table/short_block/short_block_test.cc.

#include "tools/models/short_block_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"
#include "tools/models/bisection.h"

namespace oneline {
namespace {

const KindTraits& ShortRibbon() { return *FindKind(kRibbonId); }
const KindTraits& ShortBloom() { return *FindKind(kBloomId); }

// Of one line, the number of whose keys is known: the Ribbon comes near to what
// the bits can do, 2^-bits, where the header and the envelope weigh little.
TEST(ShortBlockFpRateTest, KnownValues) {
  EXPECT_NEAR(ShortBlockFpRate(ShortRibbon(), 20, 10), 0.001938, 0.000005);
  EXPECT_NEAR(ShortBlockFpRate(ShortRibbon(), 51, 10), 0.001318, 0.000005);
  EXPECT_NEAR(ShortBlockFpRate(ShortRibbon(), 200, 10), 0.001566, 0.000005);
  EXPECT_NEAR(ShortBlockFpRate(ShortBloom(), 20, 10), 0.0103, 0.0003);
  // 6 probes in 512 bits, by the usual approximation.
  EXPECT_NEAR(ShortBlockFpRate(ShortBloom(), 52, 10),
              std::pow(1 - std::exp(-6.0 * 52 / 512), 6), 0.0002);
}

double BlockBytes(size_t num_keys, double bits_per_key) {
  return static_cast<double>(
      ShortBlockShapeFor(num_keys, bits_per_key).block_bytes());
}

TEST(ShortBlockBitsPerKeyTest, ReachTheRate) {
  for (const KindTraits* kind : AllKinds()) {
    for (const double rate : {0.5, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4}) {
      const double large = BitsPerKeyFor(*kind, rate);
      for (size_t n = 1; n <= 600; n += n < 60 && !kSlow ? 1 : 17) {
        const double bits = ShortBlockBitsPerKeyFor(*kind, n, large);
        ASSERT_LE(ShortBlockFpRate(*kind, n, bits), 1.05 * rate)
            << kind->name << " " << rate << " " << n;
      }
    }
  }
}

TEST(ShortBlockBitsPerKeyTest, TakeHardlyMoreThanTheLeast) {
  for (const KindTraits* kind : AllKinds()) {
    for (const double rate : {0.1, 0.03, 0.01, 0.003, 0.001}) {
      const double large = BitsPerKeyFor(*kind, rate);
      double taken = 0, least = 0;  // bytes for each key
      for (size_t n = 1; n <= 256; n += n < 60 ? 3 : 17) {
        const double enough = BisectThousandths(1, 100, [&](double bits) {
          return ShortBlockFpRate(*kind, n, bits) <= rate;
        });
        const auto keys = static_cast<double>(n);
        least += BlockBytes(n, enough) / keys;
        taken += BlockBytes(n, ShortBlockBitsPerKeyFor(*kind, n, large)) / keys;
      }
      EXPECT_LE(taken, 1.05 * least) << kind->name << " " << rate;
    }
  }
}

}  // namespace
}  // namespace oneline
