// Options of RocksDB that change how filters are cut into partitions,
// estimated, cached or loaded, and that not all versions have. They are given
// as text, so that this compiles with all.

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

constexpr int kNewerKeys = 8000;
constexpr uint64_t kTargetFileSize = 32 << 10;

constexpr struct {
  int since;  // as kRocksDBVersion
  const char* family_options;
  const char* database_options = "";
} kNewerOptions[] = {
    {80600, "block_based_table_factory={format_version=6}"},
    {90600, "block_based_table_factory={decouple_partitioned_filters=false}"},
    {90600, "block_based_table_factory={decouple_partitioned_filters=true}"},
    {100400, "block_based_table_factory={format_version=7}"},
    {100900, "target_file_size_is_upper_bound=true"},
    {110100, "", "open_files_async=true;skip_stats_update_on_db_open=true"},
};

constexpr TableLayout kNewerLayouts[] = {"FullCached", "PartitionedPinned",
                                         "PartitionedKeysAndPrefixes",
                                         "FullBloomKeysAndPrefixes"};

void ExpectFilteredWith(const rocksdb::Options& options, double share,
                        bool is_upper_bound) {
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
  // RocksDB ends a file before its estimate of the file, with the filter,
  // exceeds the target: the filter must not be larger than was estimated.
  for (const rocksdb::LiveFileMetaData& file : files) {
    EXPECT_TRUE(!is_upper_bound || file.size <= kTargetFileSize) << file.name;
  }
}

TEST(NewerOptionsTest, KeysAreFoundAndLookupsFiltered) {
  for (const auto& newer : kNewerOptions) {
    if (newer.since > kRocksDBVersion) continue;
    for (const TableLayout& layout : kNewerLayouts) {
      for (const double bits_per_key : {3.0, 10.0, 40.0}) {
        SCOPED_TRACE(testing::Message()
                     << newer.family_options << newer.database_options << " "
                     << layout << " " << bits_per_key);
        rocksdb::Options options =
            OptionsFor(layout, PolicyFor(layout, bits_per_key));
        options.target_file_size_base = kTargetFileSize;
        rocksdb::ColumnFamilyOptions family;
        rocksdb::DBOptions database;
        ASSERT_TRUE(IsOk(rocksdb::GetColumnFamilyOptionsFromString(
            rocksdb::ConfigOptions(), options, newer.family_options, &family)));
        ASSERT_TRUE(IsOk(rocksdb::GetDBOptionsFromString(
            rocksdb::ConfigOptions(), options, newer.database_options,
            &database)));
        ExpectFilteredWith(rocksdb::Options(database, family),
                           bits_per_key < 10 ? 0.5 : 0.95,
                           newer.since == 100900 && !layout.prefixes);
      }
    }
  }
}

}  // namespace
}  // namespace oneline
