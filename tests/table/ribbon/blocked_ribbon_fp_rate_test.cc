// Measured false positives of blocked Ribbon filters against the model of
// tools/models/ribbon_model.h: within 3 %, or the statistical error where that
// is larger.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>

#include "table/block/filter_kind.h"
#include "table/simd/lookups.h"
#include "tests/random_keys.h"
#include "tests/sanitizers.h"
#include "tests/table/measured_filter.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

class RibbonFpRateTest
    : public testing::TestWithParam<std::tuple<double, int>> {};

TEST_P(RibbonFpRateTest, IsThatOfTheModel) {
  constexpr uint64_t kProbes = kBatchKeys * (kSlow ? 10000 : 200000);
  const auto [bits_per_key, effort] = GetParam();
  // The more bits, the more depends on the few lines that are the fullest.
  const size_t keys =
      (kSlow ? 60000u : 600000u) * (bits_per_key < 8 || kSlow ? 1 : 5);
  MeasuredFilter(*FindKind(kRibbonId), KeySet::kRandom, TestRandom()(), keys,
                 bits_per_key, effort)
      .ExpectRateOfModel(kProbes, 0.03);
}

std::string CaseName(
    const testing::TestParamInfo<std::tuple<double, int>>& param) {
  return std::to_string(static_cast<int>(std::get<0>(param.param) * 10)) +
         "TenthsEffort" + std::to_string(std::get<1>(param.param));
}

INSTANTIATE_TEST_SUITE_P(Efforts, RibbonFpRateTest,
                         testing::Combine(testing::Values(4.0, 5.0, 7.1, 10.0,
                                                          16.0),
                                          testing::Values(1, 2, 4)),
                         CaseName);
INSTANTIATE_TEST_SUITE_P(
    DefaultEffort, RibbonFpRateTest,
    testing::Combine(testing::Values(2.2, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5,
                                     6.0, 6.5, 7.0, 7.5, 8.0, 9.0, 10.0, 11.0,
                                     12.0, 13.0, 14.0, 16.0, 18.0, 20.0, 22.0,
                                     24.0),
                     testing::Values(kDefaultEffort)),
    CaseName);

}  // namespace
}  // namespace oneline
