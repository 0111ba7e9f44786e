// Tests of FilterBlockBuilder::AddKeyAndPrefix
// (table/block/filter_block_builder.h): keys and prefixes pass, and count once.
// All kinds are tested.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

class FilterBlockPrefixesTest
    : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(All, FilterBlockPrefixesTest,
                         testing::ValuesIn(AllKinds()), [](const auto& kind) {
                           return std::string(kind.param->name);
                         });

// As from a prefix extractor: sorted keys, each with its prefix, where the
// prefix of one may be the whole of another, or empty.
TEST_P(FilterBlockPrefixesTest, KeysAndPrefixes) {
  const std::vector<std::pair<std::string, std::string>> keys = {
      {"", ""},    {"", ""},      {"a", "a"}, {"ab", "a"},
      {"ab", "a"}, {"abc", "ab"}, {"b", "b"}, {"b1", "b"},
      {"b2", "b"}, {"b2", "b2"},  {"c1", ""}, {"c2", ""},
  };
  FilterBlockBuilder builder(kind(), 10, 6);
  for (int times = 1; times <= 2; ++times) {
    for (const auto& [key, prefix] : keys) {
      builder.AddKeyAndPrefix(key, prefix);
    }
    const FilterBlock block = builder.Finish();
    EXPECT_TRUE(builder.Verify(block.view()));
    const FilterBlockReader reader(block.view());
    for (const auto& [key, prefix] : keys) {
      EXPECT_TRUE(reader.MayMatch(key)) << key;
      EXPECT_TRUE(reader.MayMatch(prefix)) << prefix;
    }
    // A builder that has forgotten its keys has forgotten the last prefix.
    builder.Reset();
    builder.AddKeyAndPrefix("c3", "");
    const FilterBlock second = builder.Finish();
    EXPECT_EQ(builder.num_keys(), 2u);
    EXPECT_TRUE(FilterBlockReader(second.view()).MayMatch(""));
    EXPECT_TRUE(FilterBlockReader(second.view()).MayMatch("c3"));
    builder.Reset();
  }
}

// Each prefix counts once, however many keys come between.
TEST_P(FilterBlockPrefixesTest, PrefixesThatRepeatCountOnce) {
  constexpr size_t kPrefixes = 1000, kKeysEach = 7;
  FilterBlockBuilder builder(kind(), 10, 6);
  const auto prefix = [](size_t i) { return std::to_string(100000 + i); };
  for (size_t i = 0; i < kPrefixes; ++i) {
    for (size_t j = 0; j < kKeysEach; ++j) {
      builder.AddKeyAndPrefix(prefix(i) + std::to_string(j), prefix(i));
    }
  }
  EXPECT_EQ(builder.num_keys(), kPrefixes * (kKeysEach + 1));
  const FilterBlock block = builder.Finish();
  const FilterBlockReader reader(block.view());
  for (size_t i = 0; i < kPrefixes; ++i) {
    EXPECT_TRUE(reader.MayMatch(prefix(i)));
    for (size_t j = 0; j < kKeysEach; ++j) {
      EXPECT_TRUE(reader.MayMatch(prefix(i) + std::to_string(j)));
    }
  }
}

// Whatever came before it.
TEST_P(FilterBlockPrefixesTest, AKeyThatIsItsPrefixCountsOnce) {
  FilterBlockBuilder builder(kind(), 10, 6);
  builder.AddKeyAndPrefix("ab1", "ab");
  builder.AddKeyAndPrefix("ab", "ab");
  EXPECT_EQ(builder.num_keys(), 2u);
  builder.AddKeyAndPrefix("cd", "cd");
  builder.AddKeyAndPrefix("cd", "cd");
  EXPECT_EQ(builder.num_keys(), 3u);
  // And one that is the next key's prefix.
  builder.AddKeyAndPrefix("ce", "c");
  builder.AddKeyAndPrefix("cef", "ce");
  EXPECT_EQ(builder.num_keys(), 6u);
  const FilterBlock block = builder.Finish();
  const FilterBlockReader reader(block.view());
  for (const char* key : {"ab", "ab1", "cd", "c", "ce", "cef"}) {
    EXPECT_TRUE(reader.MayMatch(key));
  }
}

}  // namespace
}  // namespace oneline
