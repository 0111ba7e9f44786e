// Tests of tools/sst/distinct_keys.h on the tables of real databases. Those of
// verify and inspect visit the keys of every layout, also keys that do not pass.

#include "tools/sst/distinct_keys.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

// A copy of a DistinctKey, which is valid after the visit.
struct Visit {
  std::string key;
  std::vector<std::string> entries;
  bool passes;
  size_t partition;
  bool repeats_prefix;
};

std::vector<Visit> VisitsOf(const std::string& file) {
  std::vector<Visit> visits;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(file);
  EXPECT_TRUE(IsOk(table.status()));
  if (!table.ok()) return visits;
  EXPECT_TRUE(IsOk(ForEachDistinctKey(
      **table, FilteredKeys((*table)->properties()), [](uint64_t, uint64_t) {},
      [&](const DistinctKey& key) {
        visits.push_back({std::string(key.key),
                          {},
                          key.passes,
                          key.partition,
                          key.repeats_prefix});
        for (size_t i = 0; i < key.entries.n; ++i) {
          visits.back().entries.emplace_back(key.entries.view[i]);
        }
        return true;
      })));
  return visits;
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
  for (const Visit& visit : VisitsOf(database.TableFiles()[0])) {
    keys.push_back(visit.key);
    EXPECT_EQ(visit.entries, std::vector<std::string>{visit.key});
    EXPECT_TRUE(visit.passes);
    EXPECT_EQ(visit.partition, 0u);
    EXPECT_FALSE(visit.repeats_prefix);
  }
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
  const std::vector<Visit> keys = VisitsOf(database.TableFiles()[0]);
  ASSERT_EQ(keys.size(), expected.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i].key, expected[i].first);
    EXPECT_EQ(keys[i].repeats_prefix, expected[i].second) << keys[i].key;
  }
}

}  // namespace
}  // namespace oneline
