// Tests of the options that a policy shares, and of what was refused.

#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

// RocksDB makes the policy of a family all the same.
TEST(SharedOptionsTest, AWrongTextLeavesDefaultsThatCanBeSet) {
  SharedOptions options(FilterOptions(), "mistake");
  EXPECT_EQ(options.BeginUse(), "mistake");
  EXPECT_EQ(options.Set("bits_per_key", "12"), "");
  EXPECT_EQ(options.Get().bits_per_key, 12);
  EXPECT_NE(options.Set("bits_per_key", "1000"), "");
  EXPECT_EQ(options.Get().bits_per_key, 12);
}

// RocksDB sets the other options of a text whose name was refused.
TEST(SharedOptionsTest, TheRestOfAWrongTextIsNotTaken) {
  SharedOptions options(FilterOptions(), "mistake");
  EXPECT_EQ(options.SetAll({{"bits_per_key", "14"}}), "mistake");
  EXPECT_FALSE(options.Get().bits_per_key.has_value());
  EXPECT_EQ(options.TakeMistakeToLog(), "mistake");
}

TEST(SharedOptionsTest, ATextReplacesAllOptionsOfADatabaseInUse) {
  SharedOptions options(FilterOptions(), "");
  EXPECT_EQ(options.Set("kind", "bloom"), "");
  EXPECT_EQ(options.SetAll({{"bits_per_key", "14"}}), "");
  EXPECT_EQ(options.Get().kind, Kind::kBloom);
  EXPECT_EQ(options.BeginUse(), "");
  EXPECT_EQ(options.SetAll({{"bits_per_key", "16"}}), "");
  EXPECT_EQ(options.Get().kind, Kind::kRibbon);
  EXPECT_EQ(options.Get().bits_per_key, 16);
}

}  // namespace
}  // namespace oneline
