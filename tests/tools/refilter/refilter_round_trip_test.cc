// `oneline refilter` on databases whose options it must have right to open
// them: the same scan before and after, and the filters asked for are there.
// The library's refilter_layouts_test.cc has more shapes and policies.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/table.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

// With these options of a column family and of its tables, as text.
struct Shape {
  const char *name, *family, *table;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.name;
}

constexpr char kPartitions[] =
    "index_type=kTwoLevelIndexSearch;partition_filters=true;"
    "metadata_block_size=256;block_size=512";
constexpr char kPrefixes[] = "prefix_extractor=fixed:7";

constexpr Shape kShapes[] = {
    {"Plain", "", ""},
    {"Partitioned", "", kPartitions},
    {"PartitionedPrefixes", kPrefixes, kPartitions},
    {"PrefixesOnly", kPrefixes, "whole_key_filtering=false"},
    {"HashIndex", kPrefixes, "index_type=kHashSearch"},
    {"FirstKeyIndex", "", "index_type=kBinarySearchWithFirstKey"},
    {"Reverse", "comparator=rocksdb.ReverseBytewiseComparator", ""},
    {"Universal", "compaction_style=kCompactionStyleUniversal", ""},
    {"Blobs", "enable_blob_files=true;min_blob_size=10", ""},
    {"Dictionary",
     "compression=kZSTD;"
     "compression_opts={max_dict_bytes=4096;zstd_max_train_bytes=65536}",
     ""},
    {"AlignedBlocks", "compression=kNoCompression", "block_align=true"},
    {"NoChecksum", "", "checksum=kNoChecksum"},
    {"Crc32c", "", "checksum=kCRC32c"},
    {"Lz4", "compression=kLZ4Compression", ""},
    {"OldFormat", "", "format_version=2"},
};

class RefilterRoundTripTest : public ClosedDatabaseTest,
                              public testing::WithParamInterface<Shape> {
 protected:
  static rocksdb::Options ShapedOptions(const char* policy) {
    const rocksdb::ConfigOptions config;
    rocksdb::BlockBasedTableOptions table;
    EXPECT_TRUE(IsOk(rocksdb::GetBlockBasedTableOptionsFromString(
        config, {}, GetParam().table, &table)));
    const rocksdb::Options options = OptionsWith(PolicyNamed(policy), table);
    rocksdb::ColumnFamilyOptions family;
    EXPECT_TRUE(IsOk(rocksdb::GetColumnFamilyOptionsFromString(
        config, options, GetParam().family, &family)));
    rocksdb::DBOptions database(options);
    database.track_and_verify_wals_in_manifest = true;
    database.file_checksum_gen_factory =
        rocksdb::GetFileChecksumGenCrc32cFactory();
    return rocksdb::Options(database, family);
  }

  // Each table has one in the MANIFEST, and it is right. (Those of aligned
  // blocks are not before RocksDB 9.3, which left out the bytes between them.)
  void ExpectFileChecksums() const {
    const OpenedDatabase db = Open(ShapedOptions("oneline:10"));
    if (std::string(GetParam().name) != "AlignedBlocks") {
      EXPECT_TRUE(IsOk(db.db->VerifyFileChecksums({})));
    }
    std::vector<rocksdb::LiveFileMetaData> files;
    db.db->GetLiveFilesMetaData(&files);
    for (const rocksdb::LiveFileMetaData& file : files) {
      EXPECT_EQ(file.file_checksum_func_name, "FileChecksumCrc32c");
    }
  }
};

INSTANTIATE_TEST_SUITE_P(All, RefilterRoundTripTest, testing::ValuesIn(kShapes),
                         [](const auto& test) {
                           return std::string(test.param.name);
                         });

// Some keys are only in the log.
TEST_P(RefilterRoundTripTest, ThereAndBack) {
  Make(ShapedOptions("bloomfilter:10:false"));
  {
    OpenedDatabase db = Open(ShapedOptions("bloomfilter:10:false"));
    WriteTable(db, 0, 0, 200, "c", /*flush=*/false);
    digest_ = Digest(db);
  }
  const std::string options = OptionsText();
  const bool is_old = std::string(GetParam().name) == "OldFormat";
  for (const auto& [policy, kind] :
       {std::pair("oneline:10", "ribbon"),
        {"{id=oneline;kind=bloom;fp_rate=0.01}", "bloom"},
        {"nullptr", "none"},
        {"bloomfilter:10:false", is_old ? "RocksDB old Bloom" : "bloom"},
        {"oneline:10", "ribbon"}}) {
    SCOPED_TRACE(policy);
    const std::string flags = "--filter_policy='" + std::string(policy) + "'";
    ExpectDone(path_, flags + " --yes --jobs=2");
    // A second run finds nothing to do.
    EXPECT_TRUE(Contains(Refilter(path_, flags).out, ": 0 tables to rewrite"));
    EXPECT_EQ(OptionsText(), options);
    for (const std::string& table : Tables()) {
      EXPECT_EQ(KindInFile(table), kind);
    }
    OutputOf("verify " + path_);
    if (HasFailure()) return;
  }
  ExpectSame(ShapedOptions("oneline:10"));
  ExpectFileChecksums();
}

}  // namespace
}  // namespace oneline
