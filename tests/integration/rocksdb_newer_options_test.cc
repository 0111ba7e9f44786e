// Options of RocksDB that change how filters are cut into partitions,
// estimated, cached or loaded, and that not all versions have. They are given
// as text, so that this compiles with all.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/metadata.h>
#include <rocksdb/version.h>

#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

constexpr int kKeys = 8000;
constexpr uint64_t kTargetFileSize = 32 << 10;

struct NewerOption {
  const char* name;
  int since;  // as ONELINE_ROCKSDB_VERSION
  const char* family_options;
  const char* database_options = "";
};

std::ostream& operator<<(std::ostream& out, const NewerOption& option) {
  return out << option.name;
}

constexpr NewerOption kNewerOptions[] = {
    {"FormatVersion6", 80600, "block_based_table_factory={format_version=6}"},
    {"PartitionsCutWithTheIndex", 90600,
     "block_based_table_factory={decouple_partitioned_filters=false}"},
    {"PartitionsCutByThemselves", 90600,
     "block_based_table_factory={decouple_partitioned_filters=true}"},
    {"FormatVersion7", 100400, "block_based_table_factory={format_version=7}"},
    {"UpperBoundOfFiles", 100900, "target_file_size_is_upper_bound=true"},
    {"OpenedLater", 110100, "",
     "open_files_async=true;skip_stats_update_on_db_open=true"},
};

// Those that this RocksDB has.
std::vector<NewerOption> KnownOptions() {
  std::vector<NewerOption> known;
  for (const NewerOption& option : kNewerOptions) {
    if (option.since <= ONELINE_ROCKSDB_VERSION) known.push_back(option);
  }
  return known;
}

rocksdb::Options OptionsWithNewer(const NewerOption& newer,
                                  const TableLayout& layout, double bits) {
  rocksdb::Options options = OptionsFor(layout, PolicyFor(layout, bits));
  options.target_file_size_base = kTargetFileSize;
  rocksdb::ColumnFamilyOptions family;
  rocksdb::DBOptions database;
  rocksdb::Status status = rocksdb::GetColumnFamilyOptionsFromString(
      rocksdb::ConfigOptions(), options, newer.family_options, &family);
  EXPECT_TRUE(status.ok()) << status.ToString();
  status = rocksdb::GetDBOptionsFromString(rocksdb::ConfigOptions(), options,
                                           newer.database_options, &database);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return rocksdb::Options(database, family);
}

const TableLayout& LayoutNamed(const std::string& name) {
  for (const TableLayout& layout : kTableLayouts) {
    if (layout.name == name) return layout;
  }
  ADD_FAILURE() << "no layout " << name;
  return kTableLayouts[0];
}

class NewerOptionsTest : public testing::TestWithParam<
                             std::tuple<NewerOption, const char*, double>> {};

// RocksDB has none of them before 8.6.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NewerOptionsTest);
INSTANTIATE_TEST_SUITE_P(
    All, NewerOptionsTest,
    testing::Combine(testing::ValuesIn(KnownOptions()),
                     testing::Values("FullCached", "PartitionedPinned",
                                     "PartitionedKeysAndPrefixes",
                                     "FullBloomKeysAndPrefixes"),
                     testing::Values(10.0, 40.0)),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) +
             std::get<1>(test.param) +
             std::to_string(static_cast<int>(std::get<2>(test.param)));
    });

TEST_P(NewerOptionsTest, KeysAreFoundAndLookupsFiltered) {
  const auto& [newer, layout, bits_per_key] = GetParam();
  const rocksdb::Options options =
      OptionsWithNewer(newer, LayoutNamed(layout), bits_per_key);
  ScratchDatabase database(options, kKeys / 2);
  database.WriteTable(kKeys / 4, kKeys);
  database.CompactAll();
  EXPECT_GT(database.TableFiles().size(), 1u);
  EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{"oneline"});
  ExpectAllFound(database, 0, kKeys);
  ExpectFiltered(database, 0, kKeys);
  database.Reopen(options);
  ExpectFiltered(database, 0, kKeys);
  ExpectAllFound(database, 0, kKeys);
}

// RocksDB ends a file before its estimate of the file, with the filter, exceeds
// the target: the filter must not be larger than was estimated.
TEST(UpperBoundOfFilesTest, NoFileExceedsIt) {
  const NewerOption option = {"UpperBoundOfFiles", 100900,
                              "target_file_size_is_upper_bound=true"};
  if (ONELINE_ROCKSDB_VERSION < option.since) {
    GTEST_SKIP() << "this RocksDB does not have the option";
  }
  for (const char* layout : {"Full", "FullBloom", "Partitioned"}) {
    for (double bits_per_key : {3.0, 10.0, 40.0}) {
      ScratchDatabase database(
          OptionsWithNewer(option, LayoutNamed(layout), bits_per_key), kKeys);
      database.CompactAll();
      std::vector<rocksdb::LiveFileMetaData> files;
      database->GetLiveFilesMetaData(&files);
      EXPECT_GT(files.size(), 4u);
      for (const rocksdb::LiveFileMetaData& file : files) {
        EXPECT_LE(file.size, kTargetFileSize)
            << layout << ", " << bits_per_key << " bits: " << file.name;
      }
    }
  }
}

}  // namespace
}  // namespace oneline
