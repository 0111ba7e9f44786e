// The false-positive rates of large filters of every kind are those of the
// models, by what stands in their lines. (That as many absent keys pass as the
// lines say: filter_block_test.cc.)

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "tests/table/all_kinds.h"
#include "tests/testing.h"
#include "tools/models/kind_model.h"

namespace oneline {
namespace {

// Expects the rate within 3 %, or five standard errors if that is more. These
// are of lines with independent numbers of keys; but the sum of all is fixed,
// so the true error is smaller.
void ExpectRateOfModel(const KindTraits& kind, KeySet set, size_t num_keys,
                       double bits_per_key, int effort) {
  const uint64_t seed = TestRandom()();
  FilterBlockBuilder builder(kind, bits_per_key, seed, kUnknownLevel, effort);
  for (uint64_t i = 0; i < num_keys; ++i) {
    builder.AddKey(IntegerKey(set, seed, i));
  }
  const FilterBlock block = builder.Finish();
  const Trailer trailer = *DecodeTrailer(block.view());
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < trailer.num_lines; ++i) {
    const auto* line =
        reinterpret_cast<const uint8_t*>(block.bytes.get()) + kLineBytes * i;
    const double rate = kind.lines->fp_rate(line, trailer.parameter);
    sum += rate;
    squares += rate * rate;
  }
  const double n = trailer.num_lines;
  const double rate = sum / n;
  const double error = std::sqrt((squares / n - rate * rate) / n);
  const double model =
      ModelledFpRate(kind, kLineBits * n / static_cast<double>(num_keys),
                     trailer.parameter, effort);
  EXPECT_NEAR(rate, model, std::max(0.03 * model, 5 * error));
}

class RateOfModelTest
    : public testing::TestWithParam<std::tuple<const KindTraits*, double>> {};

// Bloom filters of every set of keys, which takes no effort; Ribbon filters at
// every effort. The more bits, the more depends on the few lines that are the
// fullest.
TEST_P(RateOfModelTest, Agrees) {
  const auto [kind, bits_per_key] = GetParam();
  const size_t keys =
      (kSlow ? 60000u : 600000u) * (bits_per_key < 8 || kSlow ? 1 : 5);
  if (kind->id == kBloomId) {
    for (const KeySet set :
         {KeySet::kRandom, KeySet::kLittleEndian, KeySet::kBigEndian}) {
      ExpectRateOfModel(*kind, set, keys, bits_per_key, 1);
    }
  } else {
    for (const int effort : {1, 2, 4, 8}) {
      ExpectRateOfModel(*kind, KeySet::kRandom, keys, bits_per_key, effort);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RateOfModelTest,
                         testing::Combine(testing::ValuesIn(AllKinds()),
                                          testing::Values(2.2, 3.0, 4.0, 5.0,
                                                          7.1, 10.0, 16.0,
                                                          24.0)));

}  // namespace
}  // namespace oneline
