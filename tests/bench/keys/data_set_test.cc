// Tests of bench/keys/data_set.h: records are sorted, and absent keys are
// absent.

#include "bench/keys/data_set.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr size_t kRecords = 3200;
constexpr size_t kAbsent = 500;

class DataSetTest : public testing::Test {
 protected:
  static std::set<std::string> Keys(const DataSet& data) {
    std::set<std::string> keys;
    for (size_t i = 0; i < data.records->size(); ++i) {
      keys.emplace(data.records->key(i));
    }
    return keys;
  }

  static void Check(const DataSet& data, size_t num_absent) {
    const Records& records = *data.records;
    ASSERT_EQ(records.size(), kRecords);
    for (size_t i = 1; i < records.size(); ++i) {
      ASSERT_LT(records.key(i - 1), records.key(i));
    }
    const std::set<std::string> keys = Keys(data);
    std::set<std::string> absent(data.absent.begin(), data.absent.end());
    EXPECT_EQ(absent.size(), num_absent);
    for (const std::string& key : absent) EXPECT_EQ(keys.count(key), 0u);
  }
};

TEST_F(DataSetTest, RandomKeys) {
  const DataSet data = RandomDataSet(kRecords, 100, kAbsent);
  Check(data, kAbsent);
  EXPECT_EQ(data.records->key(0).size(), 16u);
  EXPECT_EQ(data.records->value(0).size(), 100u);
  EXPECT_NE(data.records->value(0), data.records->value(1));
}

TEST_F(DataSetTest, CountersHavePrefixes) {
  const DataSet data = CounterDataSet(kRecords, 10, kAbsent);
  Check(data, kAbsent);
  ASSERT_EQ(data.absent_prefixes.size(), kRecords / 16);
  std::set<std::string> prefixes;
  for (const std::string& key : Keys(data)) prefixes.insert(key.substr(0, 8));
  EXPECT_EQ(prefixes.size(), kRecords / 16);
  for (const std::string& key : data.absent_prefixes) {
    EXPECT_EQ(prefixes.count(key.substr(0, 8)), 0u);
  }
  for (const Lookup& lookup : PrefixLookups(data, Presence::kPresent, 100, 1)) {
    EXPECT_EQ(lookup.key.substr(8), std::string(4, '\0'));
    EXPECT_TRUE(lookup.value.has_value());
  }
}

TEST_F(DataSetTest, PathsAreTakenAtEqualDistances) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("paths.tsv");
  std::ofstream text(file);
  for (size_t i = 0; i < 2 * kRecords; ++i) {
    text << "usr/bin/" << 100000 + i << "\tpackage\n";
  }
  text.close();
  const auto list =
      std::make_shared<const PathList>(PathList::Load(file).value());
  const DataSet data = PathDataSet(list, kRecords, kAbsent);
  EXPECT_GE(data.absent.size(), 100u);  // only one of the five families has any
  Check(data, data.absent.size());
  EXPECT_EQ(data.records->key(1), "usr/bin/100002");
}

TEST_F(DataSetTest, LookupsHaveThePresenceAskedFor) {
  const DataSet data = RandomDataSet(kRecords, 100, kAbsent);
  const auto present_of = [&](Presence presence, size_t count) {
    size_t present = 0;
    const auto lookups = KeyLookups(data, presence, count, 1);
    for (const Lookup& lookup : lookups) present += lookup.value.has_value();
    return std::make_pair(present, lookups.size());
  };
  using Pair = std::pair<size_t, size_t>;
  EXPECT_EQ(present_of(Presence::kAbsent, 100), Pair(0, 100));
  EXPECT_EQ(present_of(Presence::kHalf, 100), Pair(50, 100));
  EXPECT_EQ(present_of(Presence::kPresent, 2000), Pair(2000, 2000));
  // No absent key is looked up twice.
  EXPECT_EQ(present_of(Presence::kAbsent, 2000), Pair(0, kAbsent));
  EXPECT_EQ(present_of(Presence::kHalf, 2000), Pair(kAbsent, 2 * kAbsent));
}

}  // namespace
}  // namespace oneline
