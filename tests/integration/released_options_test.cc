// OPTIONS files of releases (tests/golden/VERSION/options.ini) mean the same to
// this version: options.txt has the values of all options, defaults too.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tests/golden/released_tables.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// By the name of the column family.
std::map<std::string, FilterOptions> OptionsIn(const fs::path& file) {
  rocksdb::DBOptions options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  EXPECT_TRUE(IsOk(rocksdb::LoadOptionsFromFile(
      rocksdb::ConfigOptions(), file.string(), &options, &families)));
  std::map<std::string, FilterOptions> found;
  for (const rocksdb::ColumnFamilyDescriptor& family : families) {
    const auto* const table =
        family.options.table_factory
            ->GetOptions<rocksdb::BlockBasedTableOptions>();
    EXPECT_NE(table->filter_policy, nullptr) << family.name;
    if (table->filter_policy == nullptr) continue;
    const auto ours = OptionsOf(*table->filter_policy);
    EXPECT_TRUE(ours.has_value()) << family.name;
    if (ours.has_value()) found[family.name] = *ours;
  }
  return found;
}

TEST(ReleasedOptionsTest, MeanTheSame) {
  for (const fs::path& release : Releases()) {
    SCOPED_TRACE(release);
    const std::map<std::string, FilterOptions> found =
        OptionsIn(release / "options.ini");
    std::ifstream expected(release / "options.txt");
    size_t families = 0;
    for (std::string line; std::getline(expected, line); ++families) {
      std::istringstream words(line);
      std::string family, option;
      words >> family;
      ASSERT_EQ(found.count(family), 1u) << family;
      while (words >> option) {
        const size_t equals = option.find('=');
        const std::string name = option.substr(0, equals);
        ASSERT_NE(FindOption(name), nullptr) << name;
        EXPECT_EQ(GetOption(name, found.at(family)), option.substr(equals + 1))
            << family << ": " << name;
      }
    }
    EXPECT_EQ(families, found.size());
    EXPECT_GE(families, 1u);
  }
}

}  // namespace
}  // namespace oneline
