// Filters at the limits: 2^32 keys and more in a block that stays under 4 GiB.
// Sizes are computed, no such block is made.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/line_count.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;
constexpr double kBits[] = {1, 2.5, 10, 100};
constexpr size_t kManyKeys[] = {
    (size_t{1} << 31) + 1, (size_t{1} << 32) - 1,
    size_t{1} << 32,       (size_t{1} << 32) + 1,
    size_t{1} << 40,       std::numeric_limits<size_t>::max()};

class FilterLimitsTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, FilterLimitsTest, testing::ValuesIn(AllKinds()),
                         [](const auto& test) { return test.param->name; });

TEST_P(FilterLimitsTest, BlocksStayUnder4GiB) {
  for (const double bits : kBits) {
    const FilterBlockBuilder builder(kind(), bits, 0);
    size_t before = 0;
    for (const size_t keys : kManyKeys) {
      SCOPED_TRACE(testing::Message() << keys << " keys, " << bits << " bits");
      const size_t bytes = builder.BlockBytes(keys);
      EXPECT_LT(bytes, 4 * kGiB);
      EXPECT_GE(bytes, before);
      before = bytes;
      // Under the limit all bits are there.
      if (static_cast<double>(keys) * bits / 8 < 3.9 * kGiB) {
        EXPECT_GE(static_cast<double>(bytes),
                  static_cast<double>(keys) * bits / 8);
      } else {
        EXPECT_GT(bytes, 3 * kGiB);
      }
    }
  }
}

// RocksDB may ask for the rate of many keys in few bytes.
TEST_P(FilterLimitsTest, RatesOfTooManyKeysAreRates) {
  const FilterBlockBuilder builder(kind(), 10, 0);
  for (const size_t keys :
       {size_t{1} << 32, std::numeric_limits<size_t>::max()}) {
    EXPECT_EQ(builder.FpRate(keys, 0), 1);
    EXPECT_NEAR(builder.FpRate(keys, 96), 1, 1e-6);
    const double rate = builder.FpRate(keys, builder.BlockBytes(keys));
    EXPECT_GT(rate, 0);
    EXPECT_LE(rate, 1);
    EXPECT_EQ(builder.FpRate(keys, std::numeric_limits<size_t>::max()), rate);
  }
}

TEST_P(FilterLimitsTest, NoMoreKeysFitMoreBytesThanABlockCanHave) {
  for (const double bits : kBits) {
    const FilterBlockBuilder builder(kind(), bits, 0);
    for (const size_t bytes : {size_t{1} << 32, size_t{1} << 40,
                               std::numeric_limits<size_t>::max()}) {
      const size_t keys = builder.MaxKeys(bytes);
      EXPECT_EQ(keys, KeysFor(kMaxLines, bits));
      EXPECT_LT(builder.BlockBytes(keys), 4 * kGiB);
    }
  }
}

// What a trailer cannot say is refused. More keys than it can say is said.
TEST_P(FilterLimitsTest, TrailersOfTheLargestBlocks) {
  Trailer trailer;
  trailer.kind = kind().id;
  trailer.num_lines = kMaxLines;
  trailer.num_keys = std::numeric_limits<uint32_t>::max();
  trailer.parameter =
      kind().choose_parameter(1, size_t{1} << 40, trailer.num_lines);
  EXPECT_TRUE(kind().valid_parameter(trailer.parameter));
  std::string block(kTrailerBytes, '\0');
  EncodeTrailer(trailer, reinterpret_cast<uint8_t*>(block.data()));
  // The block is shorter than its lines: a reader must not go to them.
  std::string error;
  EXPECT_FALSE(DecodeTrailer(block, &error).has_value());
  EXPECT_NE(error.find("lines"), std::string::npos) << error;
  const FilterBlockReader reader(block);
  for (uint64_t hash = 0; hash < 100; ++hash) {
    EXPECT_TRUE(reader.MayMatchHash(hash * 0x9e3779b97f4a7c15u));
  }
}

}  // namespace
}  // namespace oneline
