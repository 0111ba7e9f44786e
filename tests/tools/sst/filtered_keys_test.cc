// Tests of tools/sst/filtered_keys.h.

#include "tools/sst/filtered_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace oneline {
namespace {

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

std::vector<std::string> Of(const FilteredKeys& keys, const std::string& key) {
  const FilteredKeys::Entries entries = keys.Of(key);
  std::vector<std::string> texts;
  for (size_t i = 0; i < entries.n; ++i) texts.emplace_back(entries.view[i]);
  if (entries.has_prefix) texts.push_back("(a prefix)");
  return texts;
}

using Texts = std::vector<std::string>;

TEST(FilteredKeysTest, WholeKeysAlone) {
  for (const rocksdb::TableProperties& properties :
       {rocksdb::TableProperties(), Properties("nullptr", "1", "0"),
        Properties("", "1", "1"),
        Properties("rocksdb.FixedPrefix.3", "1", "0")}) {
    const FilteredKeys keys(properties);
    EXPECT_TRUE(keys.whole_keys());
    EXPECT_EQ(keys.unknown_extractor(), "");
    EXPECT_EQ(Of(keys, "abcdef"), Texts{"abcdef"});
  }
}

TEST(FilteredKeysTest, KeysAndPrefixes) {
  const FilteredKeys keys(Properties("rocksdb.FixedPrefix.3", "1", "1"));
  EXPECT_EQ(Of(keys, "abcdef"), (Texts{"abcdef", "abc", "(a prefix)"}));
  EXPECT_EQ(Of(keys, "ab"), Texts{"ab"});
  EXPECT_EQ(
      Of(FilteredKeys(Properties("rocksdb.CappedPrefix.3", "1", "1")), "ab"),
      (Texts{"ab", "ab", "(a prefix)"}));
}

TEST(FilteredKeysTest, PrefixesAlone) {
  const FilteredKeys keys(Properties("rocksdb.FixedPrefix.3", "0", "1"));
  EXPECT_FALSE(keys.whole_keys());
  EXPECT_EQ(Of(keys, "abcdef"), (Texts{"abc", "(a prefix)"}));
  EXPECT_EQ(Of(keys, "ab"), Texts{});
}

TEST(FilteredKeysTest, AnUnknownExtractorIsNamed) {
  const FilteredKeys keys(Properties("mine", "1", "1"));
  EXPECT_EQ(keys.unknown_extractor(), "mine");
  EXPECT_EQ(Of(keys, "abcdef"), Texts{"abcdef"});
}

}  // namespace
}  // namespace oneline
