#include "tools/sst/filter_walk.h"

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

constexpr int kPartitions = 20;
constexpr int kKeysOfPartition = 100;

std::string BlockOf(const std::vector<std::string>& keys) {
  FilterBlockBuilder builder(*FindKind("bloom"), 8, /*seed=*/7, 1);
  for (const std::string& key : keys) builder.AddKey(key);
  const FilterBlock block = builder.Finish();
  return std::string(block.bytes.get(), block.size);
}

std::vector<std::string> KeysOfPartition(int partition) {
  std::vector<std::string> keys;
  for (int i = 0; i < kKeysOfPartition; ++i) {
    keys.push_back(KeyAt(partition * kKeysOfPartition + i));
  }
  return keys;
}

std::vector<std::string> Blocks() {
  std::vector<std::string> blocks;
  for (int p = 0; p < kPartitions; ++p) {
    blocks.push_back(BlockOf(KeysOfPartition(p)));
  }
  return blocks;
}

rocksdb::TableProperties Properties(const std::string& extractor,
                                    const char* whole_keys,
                                    const char* prefixes) {
  rocksdb::TableProperties properties;
  properties.prefix_extractor_name = extractor;
  properties.user_collected_properties = {
      {"rocksdb.block.based.table.whole.key.filtering", whole_keys},
      {"rocksdb.block.based.table.prefix.filtering", prefixes}};
  return properties;
}

// The number of keys of the table that the walk finds missing.
int Missing(const std::vector<std::string>& blocks) {
  FilterWalk walk({}, blocks);
  int missing = 0;
  for (int i = 0; i < kPartitions * kKeysOfPartition; ++i) {
    missing += walk.MayMatch(KeyAt(i)) ? 0 : 1;
  }
  return missing;
}

TEST(FilterWalkTest, EachKeyFindsItsPartition) {
  const std::vector<std::string> blocks = Blocks();
  FilterWalk walk({}, blocks);
  int late = 0;
  for (int i = 0; i < kPartitions * kKeysOfPartition; ++i) {
    ASSERT_TRUE(walk.MayMatch(KeyAt(i))) << i;
    // The first key of a partition may pass the partition before by chance.
    const auto own = static_cast<size_t>(i / kKeysOfPartition);
    EXPECT_LE(walk.partition(), own);
    late += walk.partition() == own ? 0 : 1;
  }
  EXPECT_LE(late, 5);
  EXPECT_EQ(walk.partition(), kPartitions - 1u);
}

// A key may belong to the current partition or the next, and to no later one.
// (By chance it passes the next.)
TEST(FilterWalkTest, AKeyThatIsInALaterPartitionIsMissing) {
  const std::vector<std::string> blocks = Blocks();
  int missing = 0;
  for (int i = 2 * kKeysOfPartition; i < 12 * kKeysOfPartition; ++i) {
    FilterWalk walk({}, blocks);
    missing += walk.MayMatch(KeyAt(i)) ? 0 : 1;
  }
  EXPECT_GT(missing, 9 * kKeysOfPartition);
}

// If a missing key passes the next partition by chance, the keys after it are
// found missing.
TEST(FilterWalkTest, AMissingKeyThatPassesTheNextPartitionIsFoundByOthers) {
  int tried = 0;
  for (int p = 0; p + 1 < kPartitions; ++p) {
    std::vector<std::string> blocks = Blocks();
    const auto next = NewFilterReader(blocks[p + 1]);
    for (int i = 0; i + 1 < kKeysOfPartition; ++i) {
      std::vector<std::string> of_partition = KeysOfPartition(p);
      if (!next->MayMatch(of_partition[i])) continue;
      of_partition.erase(of_partition.begin() + i);
      blocks[p] = BlockOf(of_partition);
      ++tried;
      EXPECT_TRUE(NewFilterReader(blocks[p])->MayMatch(
                      KeyAt(p * kKeysOfPartition + i)) ||
                  Missing(blocks) > 0)
          << p << " " << i;
    }
  }
  EXPECT_GT(tried, 5);
}

TEST(FilterWalkTest, PartitionsInAnotherOrderAreFound) {
  for (int p = 0; p + 1 < kPartitions; ++p) {
    std::vector<std::string> blocks = Blocks();
    std::swap(blocks[p], blocks[p + 1]);
    EXPECT_GT(Missing(blocks), 10);
    blocks = Blocks();
    blocks.erase(blocks.begin() + p);
    EXPECT_GT(Missing(blocks), 10);
  }
}

// Both the key and its prefix must be there.
TEST(FilterWalkTest, APrefixAloneIsNotEnough) {
  std::vector<std::string> in_filter = {KeyAt(0).substr(0, 2)};
  for (int i = 0; i < 1000; i += 2) in_filter.push_back(KeyAt(i));
  const std::vector<std::string> blocks = {BlockOf(in_filter)};
  FilterWalk walk(Properties("rocksdb.FixedPrefix.2", "1", "1"), blocks);
  int passed = 0;
  for (int i = 0; i < 1000; i += 2) {
    EXPECT_TRUE(walk.MayMatch(KeyAt(i))) << i;
    passed += walk.MayMatch(KeyAt(i + 1)) ? 1 : 0;
  }
  EXPECT_LT(passed, 50);
}

// A partition whose keys have no prefix contains the last prefix before it.
TEST(FilterWalkTest, PartitionsWithoutAPrefixArePassedOver) {
  std::vector<std::string> blocks = Blocks();
  for (int p = 1; p < kPartitions; ++p) {
    if (p % 3 == 0) continue;
    blocks[p] = BlockOf({KeysOfPartition(p - p % 3).back()});
  }
  FilterWalk walk(Properties("rocksdb.FixedPrefix.12", "0", "1"), blocks);
  for (int i = 0; i < kPartitions * kKeysOfPartition; ++i) {
    const bool has_prefix = i / kKeysOfPartition % 3 == 0;
    EXPECT_TRUE(walk.MayMatch(has_prefix ? KeyAt(i) : "short")) << i;
  }
  EXPECT_FALSE(walk.MayMatch("absent but as long"));
}

TEST(FilterWalkTest, KeysAndPrefixesAreThoseOfTheProperties) {
  const std::vector<std::string> blocks = {BlockOf({"key"})};
  constexpr std::optional<std::string_view> kNone;
  const std::string fixed = "rocksdb.FixedPrefix.3";
  struct Case {
    rocksdb::TableProperties properties;
    std::optional<std::string_view> of_long, of_short;  // "abcdef", "ab"
    bool whole_keys = true;
    const char* unknown = "";
  };
  for (const Case& c : std::vector<Case>{
           {{}, kNone, kNone},
           {Properties("nullptr", "1", "0"), kNone, kNone},
           {Properties("", "1", "1"), kNone, kNone},
           {Properties(fixed, "1", "0"), kNone, kNone},
           {Properties(fixed, "1", "1"), "abc", kNone},
           {Properties("rocksdb.CappedPrefix.3", "1", "1"), "abc", "ab"},
           {Properties(fixed, "0", "1"), "abc", kNone, false},
           {Properties("mine", "1", "1"), kNone, kNone, true, "mine"}}) {
    SCOPED_TRACE(c.properties.prefix_extractor_name);
    const FilterWalk walk(c.properties, blocks);
    EXPECT_EQ(walk.PrefixOf("abcdef"), c.of_long);
    EXPECT_EQ(walk.PrefixOf("ab"), c.of_short);
    EXPECT_EQ(walk.has_whole_keys(), c.whole_keys);
    EXPECT_EQ(walk.unknown_extractor(), c.unknown);
  }
}

}  // namespace
}  // namespace oneline
