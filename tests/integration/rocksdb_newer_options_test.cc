// Options of RocksDB that change how filters are cut into partitions,
// estimated, cached or loaded, and that not all versions have. They are given
// as text, so that this compiles with all.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/metadata.h>

#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

constexpr int kNewerKeys = 8000;
constexpr uint64_t kTargetFileSize = 32 << 10;

struct NewerOption {
  const char* name;
  int since;  // as kRocksDBVersion
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
    if (option.since <= kRocksDBVersion) known.push_back(option);
  }
  return known;
}

constexpr TableLayout kNewerLayouts[] = {
    MakeLayout("FullCached", {&TableLayout::cached}),
    MakeLayout("PartitionedPinned",
               {&TableLayout::partitioned, &TableLayout::cached,
                &TableLayout::pinned}),
    MakeLayout("PartitionedKeysAndPrefixes",
               {&TableLayout::partitioned, &TableLayout::prefixes}),
    MakeLayout("FullBloomKeysAndPrefixes",
               {&TableLayout::bloom, &TableLayout::prefixes}),
};

rocksdb::Options OptionsWithNewer(const NewerOption& newer,
                                  const TableLayout& layout, double bits) {
  rocksdb::Options options = OptionsFor(layout, PolicyFor(layout, bits));
  options.target_file_size_base = kTargetFileSize;
  rocksdb::ColumnFamilyOptions family;
  rocksdb::DBOptions database;
  EXPECT_TRUE(IsOk(rocksdb::GetColumnFamilyOptionsFromString(
      rocksdb::ConfigOptions(), options, newer.family_options, &family)));
  EXPECT_TRUE(IsOk(rocksdb::GetDBOptionsFromString(
      rocksdb::ConfigOptions(), options, newer.database_options, &database)));
  return rocksdb::Options(database, family);
}

class NewerOptionsTest : public testing::TestWithParam<
                             std::tuple<NewerOption, TableLayout, double>> {};

// RocksDB has none of them before 8.6.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NewerOptionsTest);
INSTANTIATE_TEST_SUITE_P(All, NewerOptionsTest,
                         testing::Combine(testing::ValuesIn(KnownOptions()),
                                          testing::ValuesIn(kNewerLayouts),
                                          testing::Values(3.0, 10.0, 40.0)));

TEST_P(NewerOptionsTest, KeysAreFoundAndLookupsFiltered) {
  const auto& [newer, layout, bits_per_key] = GetParam();
  const double share = bits_per_key < 10 ? 0.5 : 0.95;
  const rocksdb::Options options =
      OptionsWithNewer(newer, layout, bits_per_key);
  ScratchDatabase database(options, kNewerKeys / 2);
  database.WriteTable(kNewerKeys / 4, kNewerKeys);
  database.CompactAll();
  EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{"oneline"});
  ExpectFiltered(database, 0, kNewerKeys, share);
  database.Reopen(options);
  ExpectFiltered(database, 0, kNewerKeys, share);
  std::vector<rocksdb::LiveFileMetaData> files;
  database->GetLiveFilesMetaData(&files);
  EXPECT_GT(files.size(), 1u);
  if (std::string(newer.name) != "UpperBoundOfFiles" || layout.prefixes) return;
  // RocksDB ends a file before its estimate of the file, with the filter,
  // exceeds the target: the filter must not be larger than was estimated.
  for (const rocksdb::LiveFileMetaData& file : files) {
    EXPECT_LE(file.size, kTargetFileSize) << file.name;
  }
}

}  // namespace
}  // namespace oneline
