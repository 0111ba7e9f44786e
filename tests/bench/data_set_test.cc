// Tests of bench/keys/data_set.h: lookups have the share of absent keys that
// was asked for, and each absent key once.

#include "bench/keys/data_set.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace oneline {
namespace {

TEST(DataSetTest, LookupsHaveTheirShareOfAbsentKeys) {
  const DataSet data = RandomDataSet(100, 10, 18);
  for (const size_t absent_in_ten : {0, 1, 5, 9}) {
    std::set<std::string_view> absent;
    const auto lookups = KeyLookups(data, absent_in_ten, 20, 1);
    for (const Lookup& lookup : lookups) {
      if (!lookup.value.has_value()) absent.insert(lookup.key);
    }
    EXPECT_EQ(lookups.size(), 20u);
    EXPECT_EQ(absent.size(), 2 * absent_in_ten);
  }
  // There are no more.
  EXPECT_EQ(KeyLookups(data, 10, 20, 1).size(), 18u);
}

}  // namespace
}  // namespace oneline
