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

TEST(FilteredKeysTest, KeysAndPrefixesAreThoseOfTheProperties) {
  const Texts whole = {"abcdef"};
  const Texts both = {"abcdef", "abc", "(a prefix)"};
  const Texts prefix = {"abc", "(a prefix)"};
  struct Case {
    rocksdb::TableProperties properties;
    Texts long_key, short_key;  // "abcdef", "ab"
    const char* unknown = "";
  };
  for (const Case& c : std::vector<Case>{
           {{}, whole, {"ab"}},
           {Properties("nullptr", "1", "0"), whole, {"ab"}},
           {Properties("", "1", "1"), whole, {"ab"}},
           {Properties("rocksdb.FixedPrefix.3", "1", "0"), whole, {"ab"}},
           {Properties("rocksdb.FixedPrefix.3", "1", "1"), both, {"ab"}},
           {Properties("rocksdb.CappedPrefix.3", "1", "1"),
            both,
            {"ab", "ab", "(a prefix)"}},
           {Properties("rocksdb.FixedPrefix.3", "0", "1"), prefix, {}},
           {Properties("mine", "1", "1"), whole, {"ab"}, "mine"}}) {
    SCOPED_TRACE(c.properties.prefix_extractor_name);
    const FilteredKeys keys(c.properties);
    EXPECT_EQ(Of(keys, "abcdef"), c.long_key);
    EXPECT_EQ(Of(keys, "ab"), c.short_key);
    EXPECT_EQ(keys.whole_keys(), c.long_key != prefix);
    EXPECT_EQ(keys.unknown_extractor(), c.unknown);
  }
}

}  // namespace
}  // namespace oneline
