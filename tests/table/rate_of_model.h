// The false-positive rate of a large filter of any kind, against the model's:
// by what stands in its lines. (That as many absent keys pass as the lines say:
// tests/table/block/filter_block_test.cc.)

#ifndef ONELINE_TESTS_TABLE_RATE_OF_MODEL_H_
#define ONELINE_TESTS_TABLE_RATE_OF_MODEL_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "tests/random_keys.h"
#include "tools/models/kind_model.h"

namespace oneline {

// Expects the rate within 3 %, or five standard errors if that is more. These
// are of lines with independent numbers of keys; but the sum of all is fixed,
// so the true error is smaller.
inline void ExpectRateOfModel(const KindTraits& kind, KeySet set, uint64_t seed,
                              size_t num_keys, double bits_per_key,
                              int effort) {
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
    const double rate = kind.line_fp_rate(line, trailer.parameter);
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

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_RATE_OF_MODEL_H_
