// Tests of tools/sst/distinct_keys.h on the tables of real databases. Those of
// verify and inspect visit the keys of every layout, and keys that do not pass.

#include "tools/sst/distinct_keys.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

void ForEachKeyOf(const std::string& file,
                  const std::function<void(const DistinctKey&)>& visit) {
  const auto table = SstReader::Open(file);
  ASSERT_TRUE(IsOk(table.status()));
  EXPECT_TRUE(IsOk(ForEachDistinctKey(
      **table, FilteredKeys((*table)->properties()), [](uint64_t, uint64_t) {},
      [&](const DistinctKey& key) {
        visit(key);
        return true;
      })));
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
  std::vector<std::string> keys;
  ForEachKeyOf(database.TableFiles()[0], [&](const DistinctKey& key) {
    keys.emplace_back(key.key);
    ASSERT_EQ(key.entries.n, 1u);
    EXPECT_EQ(key.entries.view[0], key.key);
    EXPECT_TRUE(key.passes);
    EXPECT_EQ(key.partition, 0u);
    EXPECT_FALSE(key.repeats_prefix);
  });
  EXPECT_EQ(keys, (std::vector<std::string>{"", "a", "b", "c"}));
}

TEST(DistinctKeysTest, RepeatedPrefixesAreMarked) {
  const TableLayout layout = MakeLayout("prefixes", {&TableLayout::prefixes});
  ScratchDatabase database(OptionsFor(layout, PolicyFor(layout)));
  // Keys of fewer than 7 bytes have no prefix.
  const std::vector<std::pair<std::string, bool>> expected = {
      {"prefix0", false}, {"prefix01", true},  {"prefix02", true},
      {"prefix1", false}, {"prefix10", true},  {"short", false},
      {"t", false},       {"the last", false}, {"the last key", true}};
  for (const auto& [key, repeats] : expected) {
    ASSERT_TRUE(database->Put({}, key, "value").ok());
  }
  ASSERT_TRUE(database->Flush({}).ok());
  std::vector<std::pair<std::string, bool>> keys;
  ForEachKeyOf(database.TableFiles()[0], [&keys](const DistinctKey& key) {
    keys.emplace_back(key.key, key.repeats_prefix);
  });
  EXPECT_EQ(keys, expected);
}

}  // namespace
}  // namespace oneline
