// Keys of 64 KiB and 1 MiB, with each layout on disk.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

class KeySizesTest : public testing::TestWithParam<TableLayout> {};

INSTANTIATE_TEST_SUITE_P(Layouts, KeySizesTest,
                         testing::ValuesIn(LayoutsOnDisk()), LayoutName);

// Keys that differ at the beginning, and others that differ only at the end.
TEST_P(KeySizesTest, LongKeys) {
  std::vector<std::string> present, absent;
  for (const size_t bytes : {65535, 65536, 65537, 1 << 20}) {
    const std::string filling(bytes - KeyAt(0).size(), 'k');
    for (int i = 0; i < 8; ++i) {
      std::vector<std::string>& keys = i % 2 == 0 ? present : absent;
      keys.push_back(KeyAt(i) + filling);
      keys.push_back(filling + KeyAt(i));
    }
  }
  const rocksdb::Options options =
      OptionsFor(GetParam(), PolicyFor(GetParam()));
  ScratchDatabase database(options);
  for (const std::string& key : present) {
    ASSERT_TRUE(IsOk(database->Put({}, key, "v")));
  }
  ASSERT_TRUE(IsOk(database->Flush({})));
  database.Reopen(options);
  std::string value;
  for (const std::string& key : present) {
    EXPECT_TRUE(IsOk(database->Get({}, key, &value)));
  }
  for (const std::string& key : absent) {
    EXPECT_TRUE(database->Get({}, key, &value).IsNotFound());
  }
  // Of the prefixes of absent keys, half are those of keys that are present.
  EXPECT_GE(
      database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) + database.PrefixUseful(),
      absent.size() * (GetParam().whole_keys ? 0.8 : 0.4));
}

}  // namespace
}  // namespace oneline
