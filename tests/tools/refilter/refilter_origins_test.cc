// `oneline refilter` on databases that are not made by flushes of plain keys
// into one directory, or whose options it must have right to open them. The
// library's refilter_layouts_test.cc has more shapes and policies.

#include <rocksdb/comparator.h>
#include <rocksdb/file_checksum.h>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

using RefilterOriginsTest = ClosedDatabaseTest;

TEST_F(RefilterOriginsTest, TablesInOtherDirectories) {
  rocksdb::Options options = Options();
  const std::string far = directory_.File("far");
  options.db_paths = {{path_, 1000}, {far, 1 << 30}};
  std::filesystem::create_directory(far);
  Make(options);
  const std::string paths = kOurs + (" --db_paths=" + path_ + "," + far);
  ASSERT_FALSE(std::filesystem::is_empty(far));
  ExpectRefusedRun("several directories",
                   paths + " --keep_old=" + directory_.File("kept"));
  ExpectRefusedRun("is in directory 2 of the program's db_paths");
  for (const std::string& wrong : {far + "," + path_, path_}) {
    ExpectRefusedRun(": give all of the program's db_paths",
                     kOurs + (" --db_paths=" + wrong));
  }
  ExpectDone(path_, "--yes " + paths);
  for (const auto& entry : std::filesystem::directory_iterator(far)) {
    EXPECT_EQ(KindInFile(entry.path()), "ribbon");
  }
  EXPECT_FALSE(std::filesystem::is_empty(far));
  EXPECT_EQ(Tables().size(), 1u);  // in the first
  rocksdb::Options ours = Options("oneline:10");
  ours.db_paths = options.db_paths;
  ExpectSame(ours);
}

// RocksDB deletes tables in its directories that it does not know.
TEST_F(RefilterOriginsTest, TablesOfOthersAreNotDeleted) {
  const std::string other = directory_.File("other");
  { OpenParanoid(other, Options(), {{"default", Options()}}); }
  const std::string paths = kOurs + (" --db_paths=" + path_ + "," + other);
  ExpectRefusedRun("is another database", paths);
  // Or its second directory.
  std::filesystem::remove_all(other);
  std::filesystem::create_directory(other);
  for (const std::string name :
       {"000123.sst", "000123.ldb", "000123.blob", "000123.sst.trash"}) {
    const std::string file = other + "/" + name;
    std::ofstream(file) << "a table";
    ExpectRefusedRun(name + ": is no file of this database", paths);
    std::filesystem::remove(file);
  }
  ExpectDone(path_, "--yes " + paths);
}

std::string Timestamp(uint64_t time) {
  return {reinterpret_cast<const char*>(&time), sizeof(time)};
}

// In the tables, too, or only in memory, which RocksDB can since 9.6: then only
// the older one of two versions is flushed.
TEST_F(RefilterOriginsTest, Timestamps) {
  for (const bool in_tables : {true, false}) {
    if (!in_tables && !ONELINE_HAS_MEMORY_TIMESTAMPS) continue;
    const auto options_with = [&](const char* policy) {
      rocksdb::Options options = Options(policy);
      // In no header before RocksDB 8.
      EXPECT_TRUE(IsOk(rocksdb::Comparator::CreateFromString(
          rocksdb::ConfigOptions(), "leveldb.BytewiseComparator.u64ts",
          &options.comparator)));
#if ONELINE_HAS_MEMORY_TIMESTAMPS
      options.persist_user_defined_timestamps = in_tables;
      options.allow_concurrent_memtable_write = in_tables;
#endif
      return options;
    };
    std::filesystem::remove_all(path_);
    {
      OpenedDatabase db = Open(options_with("bloomfilter:10"));
      for (int i = 0; i < kKeys; i += 2) {
        for (uint64_t time = in_tables ? 1 : 3; time <= 3; time += 2) {
          ASSERT_TRUE(IsOk(db.db->Put({}, db.handles[0], KeyAt(i),
                                      Timestamp(time), std::to_string(time))));
        }
      }
      if (!in_tables) {
        ASSERT_TRUE(
            IsOk(db.db->IncreaseFullHistoryTsLow(db.handles[0], Timestamp(4))));
      }
      ASSERT_TRUE(IsOk(db.db->Flush({}, db.handles[0])));
    }
    ExpectDone(path_);
    EXPECT_EQ(KindInFile(Tables()[0]), "ribbon");
    OutputOf("verify " + path_);
    OpenedDatabase db = Open(options_with("oneline:10"));
    for (int i = 0; i < kKeys && !HasFailure(); ++i) {
      for (uint64_t time = in_tables ? 2 : 4; time <= 4; time += 2) {
        const std::string now = Timestamp(time);
        const rocksdb::Slice slice = now;
        rocksdb::ReadOptions read;
        read.timestamp = &slice;
        std::string value;
        db.db->Get(read, db.handles[0], KeyAt(i), &value)
            .PermitUncheckedError();
        EXPECT_EQ(value, i % 2 == 0 ? std::to_string(time - 1) : "");
      }
    }
    EXPECT_GT(db.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL),
              uint64_t{kKeys * 9 / 20});
  }
}

// RocksDB opens it only if all of its tables may be open.
TEST_F(RefilterOriginsTest, Fifo) {
  const auto options_with = [](const char* policy) {
    rocksdb::Options options = Options(policy);
    options.compaction_style = rocksdb::kCompactionStyleFIFO;
    return options;
  };
  std::filesystem::remove_all(path_);
  {
    OpenedDatabase db = Open(options_with("bloomfilter:10:false"));
    WriteTable(db, 0, 0, kKeys, "b");
    digest_ = Digest(db);
  }
  ExpectDone(path_);
  ExpectSame(options_with("oneline:10"));
}

// With options by which RocksDB would compact level 0 at once.
TEST_F(RefilterOriginsTest, NothingElseIsCompacted) {
  {
    OpenedDatabase db = Open(Options());
    WriteTable(db, 0, 0, kKeys, "c");
    digest_ = Digest(db);
  }
  EditOption(path_, "disable_auto_compactions", "false");
  EditOption(path_, "level0_file_num_compaction_trigger", "1");
  const std::string text = OptionsText();
  ExpectDone(path_, kOursYes + std::string(" --rate=100kB"));
  EXPECT_EQ(OptionsText(), text);
  OpenedDatabase db =
      OpenParanoid(path_, Options(), {{"default", Options("oneline:10")}});
  rocksdb::ColumnFamilyMetaData tree;
  db.db->GetColumnFamilyMetaData(db.handles[0], &tree);
  EXPECT_EQ(tree.levels[0].files.size(), 2u);
  EXPECT_EQ(tree.levels[2].files.size(), 1u);
  EXPECT_EQ(Digest(db), digest_);
}

// Options of a column family and of its tables, as text.
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
};

INSTANTIATE_TEST_SUITE_P(All, RefilterRoundTripTest, testing::ValuesIn(kShapes),
                         [](const auto& test) {
                           return std::string(test.param.name);
                         });

// The same scan before and after, and the filters asked for are there. Some
// keys are only in the log.
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
  // Each table has a checksum in the MANIFEST, and it is right. (Those of
  // aligned blocks are not before RocksDB 9.3, which left out the bytes between
  // them.)
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

}  // namespace
}  // namespace oneline
