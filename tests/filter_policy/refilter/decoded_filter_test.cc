// Tests of filter_policy/refilter/decoded_filter.h: blocks of all kinds, as
// this library and RocksDB build them, and damaged ones.

#include "filter_policy/refilter/decoded_filter.h"

#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

TEST(DecodedFilterTest, EachKindOfOursIsFoundByItsName) {
  for (const KindTraits* kind : AllKinds()) {
    const std::string name = kind->name;
    const auto facts = DecodeFilter(
        BlockOfKeys(PolicyNamed("{id=oneline;kind=" + name + "}"), 1000));
    ASSERT_TRUE(facts.has_value()) << name;
    EXPECT_EQ(NameOf(facts->kind), name);
    EXPECT_TRUE(IsOurs(facts->kind)) << name;
  }
  EXPECT_EQ(DecodeFilter("")->kind, FoundKind::kNoKeys);
  EXPECT_EQ(DecodeFilter(std::string(5, '\0'))->kind, FoundKind::kNoKeys);
  EXPECT_EQ(DecodeFilter(std::string(6, '\0'))->kind, FoundKind::kAlwaysMaybe);
}

TEST(DecodedFilterTest, WhatIsNoFilterIsRefused) {
  const std::string bloom =
      BlockOfKeys(PolicyNamed("bloomfilter:10:false"), 1000);
  const std::string ribbon =
      BlockOfKeys(PolicyNamed("ribbonfilter:10:-1"), 3000);
  const std::string old =
      BlockOfKeys(PolicyNamed("bloomfilter:10:false"), 1000, 4);
  const std::string ours = BlockOfKeys(OurPolicy(10), 1000);
  for (const std::string& block : {bloom, ribbon, old, ours}) {
    ASSERT_TRUE(DecodeFilter(block).has_value());
    // One byte too short or too long at the beginning; the end is intact.
    EXPECT_FALSE(DecodeFilter(block.substr(1)).has_value());
    EXPECT_FALSE(DecodeFilter("x" + block).has_value());
  }
  // Replaces the byte that is `from_end` bytes from the end (1 is the last).
  // Each of these bytes must have the value that it has.
  const auto with = [](std::string block, size_t from_end, char byte) {
    block[block.size() - from_end] = byte;
    return block;
  };
  for (const std::string& wrong :
       {with(bloom, 1, 1), with(bloom, 2, 1), with(bloom, 3, 0),
        with(bloom, 3, 31), with(bloom, 3, 0x26), with(bloom, 4, 1),
        with(bloom, 5, 0), with(bloom, 5, '\x80'), with(bloom, 5, -3),
        with(ribbon, 3, 1), with(ribbon, 5, 0), with(old, 4, 0x7f),
        with(old, 5, 0), with(ours, 1, 0), with(ours, 16, 9),
        with(ours, kTrailerBytes, ours[ours.size() - kTrailerBytes] ^ 1),
        std::string("xx"), std::string(100, 'x')}) {
    std::string error;
    EXPECT_FALSE(DecodeFilter(wrong, &error).has_value());
    EXPECT_NE(error, "");
  }
}

}  // namespace
}  // namespace oneline
