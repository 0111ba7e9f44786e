// Tests of bench/databases/database_filters.h: each name has the filter that it
// says.

#include "bench/databases/database_filters.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/match.h"

namespace oneline {
namespace {

TEST(DatabaseFiltersTest, EveryOptionMakesItsPolicy) {
  for (const RocksDBFilter& filter : RocksDBFilters(10)) {
    const auto policy = MakePolicy(filter);
    ASSERT_TRUE(policy.ok()) << policy.status();
    if (filter.name == "none") {
      EXPECT_EQ(*policy, nullptr);
      continue;
    }
    ASSERT_NE(*policy, nullptr) << filter.option;
    EXPECT_EQ((*policy)->Name(), absl::StartsWith(filter.name, "oneline")
                                     ? "oneline"
                                     : filter.name + "filter");
  }
}

// In an OPTIONS file RocksDB would take them for no filter.
TEST(DatabaseFiltersTest, UnknownPoliciesAreErrors) {
  for (const char* option : {"nosuchfilter:10", "{id=oneline;kind=no}"}) {
    EXPECT_FALSE(MakePolicy({"ours", option}).ok()) << option;
  }
}

TEST(DatabaseFiltersTest, LevelDBHasItsBloomAndOurs) {
  const auto filters = LevelDBFilters(10);
  ASSERT_EQ(filters.size(), 4u);
  EXPECT_EQ(filters[0].policy, nullptr);
  EXPECT_EQ(filters[1].name, kBaseFilter);
  EXPECT_STREQ(filters[1].policy->Name(), "leveldb.BuiltinBloomFilter2");
  EXPECT_STRNE(filters[2].policy->Name(), filters[1].policy->Name());
}

}  // namespace
}  // namespace oneline
