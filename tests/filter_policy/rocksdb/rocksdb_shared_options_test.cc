// Tests of the options that a policy shares, and of what was refused.

#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <gtest/gtest.h>

#include <string>

#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "oneline/version.h"
#include "tests/filter_policy/filter_bits.h"

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

// Neither those of a policy that stands in for another one.
TEST(SharedOptionsTest, OtherVersionsDoNotFindThem) {
  const std::string version = ONELINE_VERSION;
  for (const char* saved_as : {"oneline", "bloomfilter:10:false"}) {
    const PolicyPtr policy(MakeRocksDBFilterPolicy(FilterOptions(), saved_as));
    EXPECT_EQ(policy->GetOptions<void>("oneline"), nullptr);
    EXPECT_NE(policy->GetOptions<void>("oneline." + version), nullptr);
  }
}

}  // namespace
}  // namespace oneline
