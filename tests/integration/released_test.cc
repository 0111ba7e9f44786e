// What releases wrote (tests/golden/VERSION/) is read by this version: RocksDB
// tables have all keys, and their filters answer for absent ones; OPTIONS files
// mean the same (options.txt has the values of all options, defaults too).

#include <rocksdb/utilities/options_util.h>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/golden/released_tables.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

TEST(ReleasedTest, Tables) {
  for (const fs::path& release : Releases()) {
    size_t tables = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(release)) {
      if (file.path().extension() != ".sst") continue;
      SCOPED_TRACE(file.path());
      ++tables;
      ScratchDatabase database(OptionsWith(OurPolicy(5)));
      ASSERT_TRUE(
          IsOk(database->IngestExternalFile({file.path().string()}, {})));
      EXPECT_EQ(database.PolicyNames(),
                std::vector<std::string>{OurPolicy(5)->Name()});
      ExpectFiltered(database, 0, kReleasedKeys);
    }
    EXPECT_GT(tables, 0u) << release;
  }
}

TEST(ReleasedTest, Options) {
  for (const fs::path& release : Releases()) {
    SCOPED_TRACE(release);
    rocksdb::DBOptions options;
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    EXPECT_TRUE(IsOk(rocksdb::LoadOptionsFromFile(rocksdb::ConfigOptions(),
                                                  release / "options.ini",
                                                  &options, &families)));
    std::map<std::string, FilterOptions> found;  // by the name of the family
    for (const rocksdb::ColumnFamilyDescriptor& family : families) {
      const auto* const table =
          family.options.table_factory
              ->GetOptions<rocksdb::BlockBasedTableOptions>();
      ASSERT_NE(table->filter_policy, nullptr) << family.name;
      const auto ours = OptionsOf(*table->filter_policy);
      ASSERT_TRUE(ours.has_value()) << family.name;
      found[family.name] = *ours;
    }
    std::ifstream expected(release / "options.txt");
    size_t lines = 0;
    for (std::string line; std::getline(expected, line); ++lines) {
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
    EXPECT_EQ(lines, found.size());
    EXPECT_GE(lines, 1u);
  }
}

}  // namespace
}  // namespace oneline
