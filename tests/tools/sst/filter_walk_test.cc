#include "tools/sst/filter_walk.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

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

rocksdb::TableProperties PropertiesWithPrefix(const std::string& length,
                                              bool whole_keys) {
  rocksdb::TableProperties properties;
  properties.prefix_extractor_name = "rocksdb.FixedPrefix." + length;
  properties.user_collected_properties = {
      {"rocksdb.block.based.table.whole.key.filtering", whole_keys ? "1" : "0"},
      {"rocksdb.block.based.table.prefix.filtering", "1"}};
  return properties;
}

// The number of keys of the table that the walk finds missing.
int Missing(const std::vector<std::string>& blocks) {
  const FilteredKeys keys{rocksdb::TableProperties()};
  FilterWalk walk(blocks, keys);
  int missing = 0;
  for (int i = 0; i < kPartitions * kKeysOfPartition; ++i) {
    missing += walk.MayMatch(keys.Of(KeyAt(i))) ? 0 : 1;
  }
  return missing;
}

TEST(FilterWalkTest, EachKeyFindsItsPartition) {
  const std::vector<std::string> blocks = Blocks();
  const FilteredKeys keys{rocksdb::TableProperties()};
  FilterWalk walk(blocks, keys);
  int late = 0;
  for (int i = 0; i < kPartitions * kKeysOfPartition; ++i) {
    ASSERT_TRUE(walk.MayMatch(keys.Of(KeyAt(i)))) << i;
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
  const FilteredKeys keys{rocksdb::TableProperties()};
  int missing = 0;
  for (int i = 2 * kKeysOfPartition; i < 12 * kKeysOfPartition; ++i) {
    FilterWalk walk(blocks, keys);
    missing += walk.MayMatch(keys.Of(KeyAt(i))) ? 0 : 1;
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
  const FilteredKeys keys(PropertiesWithPrefix("2", /*whole_keys=*/true));
  std::vector<std::string> in_filter = {KeyAt(0).substr(0, 2)};
  for (int i = 0; i < 1000; i += 2) in_filter.push_back(KeyAt(i));
  const std::vector<std::string> blocks = {BlockOf(in_filter)};
  FilterWalk walk(blocks, keys);
  int passed = 0;
  for (int i = 0; i < 1000; i += 2) {
    EXPECT_TRUE(walk.MayMatch(keys.Of(KeyAt(i)))) << i;
    passed += walk.MayMatch(keys.Of(KeyAt(i + 1))) ? 1 : 0;
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
  const FilteredKeys keys(PropertiesWithPrefix("12", /*whole_keys=*/false));
  FilterWalk walk(blocks, keys);
  for (int i = 0; i < kPartitions * kKeysOfPartition; ++i) {
    const bool has_prefix = i / kKeysOfPartition % 3 == 0;
    EXPECT_TRUE(walk.MayMatch(keys.Of(has_prefix ? KeyAt(i) : "short"))) << i;
  }
  EXPECT_FALSE(walk.MayMatch(keys.Of("absent but as long")));
}

using VisitedKeys = std::vector<std::pair<std::string, bool>>;

// The keys of the only table, and whether they repeat a prefix.
VisitedKeys KeysIn(const ScratchDatabase& database) {
  VisitedKeys keys;
  const auto table = SstReader::Open(database.TableFiles().at(0));
  EXPECT_TRUE(IsOk(table.status()));
  EXPECT_TRUE(IsOk(ForEachDistinctKey(
      **table, FilteredKeys((*table)->properties()), [](uint64_t, uint64_t) {},
      [&](const DistinctKey& key) {
        EXPECT_TRUE(key.passes);
        keys.emplace_back(key.key, key.repeats_prefix);
        return true;
      })));
  return keys;
}

TEST(DistinctKeysTest, VersionsOfAKeyAreOneKey) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  std::deque<rocksdb::ManagedSnapshot> snapshots;
  for (int version = 0; version < 3; ++version) {
    for (const char* key : {"", "a", "b"}) {
      ASSERT_TRUE(database->Put({}, key, "value").ok());
    }
    snapshots.emplace_back(database.get());
  }
  ASSERT_TRUE(database->Delete({}, "b").ok());
  ASSERT_TRUE(database->Delete({}, "c").ok());
  ASSERT_TRUE(database->Flush({}).ok());
  ASSERT_EQ(database.Tables()[0]->num_entries, 11u);
  EXPECT_EQ(
      KeysIn(database),
      (VisitedKeys{{"", false}, {"a", false}, {"b", false}, {"c", false}}));
}

TEST(DistinctKeysTest, RepeatedPrefixesAreMarked) {
  const TableLayout layout = "KeysAndPrefixes";
  ScratchDatabase database(OptionsFor(layout, PolicyFor(layout)));
  // Keys of fewer than 7 bytes have no prefix.
  const VisitedKeys expected = {
      {"prefix0", false}, {"prefix01", true},  {"prefix02", true},
      {"prefix1", false}, {"prefix10", true},  {"short", false},
      {"t", false},       {"the last", false}, {"the last key", true}};
  for (const auto& [key, repeats] : expected) {
    ASSERT_TRUE(database->Put({}, key, "value").ok());
  }
  ASSERT_TRUE(database->Flush({}).ok());
  EXPECT_EQ(KeysIn(database), expected);
}

}  // namespace
}  // namespace oneline
