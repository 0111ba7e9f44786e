// Tests of the command `oneline verify`, run as a program on intact databases.
// verify_damage_test.cc has damaged ones.

#include <rocksdb/snapshot.h>
#include <rocksdb/utilities/checkpoint.h>

#include <chrono>
#include <deque>

#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/run_oneline.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

class VerifyLayoutTest : public testing::TestWithParam<TableLayout> {};

INSTANTIATE_TEST_SUITE_P(All, VerifyLayoutTest,
                         testing::ValuesIn(LayoutsOnDisk()), LayoutName);

TEST_P(VerifyLayoutTest, IntactTablesPass) {
  const TableLayout& layout = GetParam();
  for (const PolicyPtr& policy :
       {PolicyFor(layout),
        PolicyNamed(layout.partitioned ? "bloomfilter:10:false"
                                       : "ribbonfilter:10:-1")}) {
    ScratchDatabase database(OptionsFor(layout, policy));
    // Deletes some keys, which are in another table or in none.
    for (int i = 1; i < 2000; i += 2) {
      ASSERT_TRUE(database->Delete(rocksdb::WriteOptions(), KeyAt(i)).ok());
    }
    database.WriteTable(0, 4000);
    database.WriteTable(4000, 6000);
    uint64_t blocks = 0;
    for (const std::string& file : database.TableFiles()) {
      blocks += BlocksOf(file).size();
    }
    const uint64_t partitions = layout.partitioned ? blocks : 0;
    const std::string out = OutputOf("verify " + database.path());
    EXPECT_EQ(out, "2 tables intact: " + std::to_string(blocks) +
                       " filter blocks, " + std::to_string(partitions) +
                       " of them partitions; 4,000 keys" +
                       (layout.prefixes ? ", 4,000 prefixes\n" : "\n"));
  }
}

// Keys of fewer than 7 bytes have no prefix.
TEST(VerifyTest, VersionsOfAKeyAreOneKeyAndAPrefixIsCountedOnce) {
  const TableLayout layout = "KeysAndPrefixes";
  ScratchDatabase database(OptionsFor(layout, PolicyFor(layout)));
  std::deque<rocksdb::ManagedSnapshot> snapshots;
  for (int version = 0; version < 3; ++version) {
    for (const char* key : {"", "prefix0", "prefix01", "prefix1", "prefix10",
                            "short", "the last", "the last key"}) {
      ASSERT_TRUE(database->Put({}, key, "value").ok());
    }
    snapshots.emplace_back(database.get());
  }
  ASSERT_TRUE(database->Delete({}, "short").ok());
  ASSERT_TRUE(database->Delete({}, "t").ok());
  ASSERT_TRUE(database->Flush({}).ok());
  ASSERT_EQ(database.Tables()[0]->num_entries, 26u);
  EXPECT_EQ(OutputOf("verify " + database.path()),
            "1 table intact: 1 filter blocks, 0 of them partitions; 9 keys, 3 "
            "prefixes\n");
}

TEST(VerifyTest, TheRateHoldsOverAllJobs) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 3; ++i) database.WriteTable(1000 * i, 1000 * i + 1000);
  uint64_t bytes = 0;
  for (const std::string& file : database.TableFiles()) {
    bytes += std::filesystem::file_size(file);
  }
  const auto begin = std::chrono::steady_clock::now();
  OutputOf("verify --jobs=3 --rate=" + std::to_string(2 * bytes) + " " +
           database.path());
  // Half a second, but for what passes at once.
  EXPECT_GT(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(300));
}

TEST(VerifyTest, JsonHasTheSameAndTheRateDoesNotMatter) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 3; ++i) database.WriteTable(1000 * i, 1000 * i + 1000);
  database.WriteFamily("none", OptionsWith(nullptr), 500);
  const std::string file = database.TableFiles().at(1);
  database.Close();
  const std::string intact = "verify --rate=1GiB --jobs=2 " + database.path();
  EXPECT_EQ(OutputOf(intact),
            "1 table without a filter\n3 tables intact: 3 filter blocks, 0 of "
            "them partitions; 1,500 keys\n");
  std::filesystem::resize_file(file, 1000);
  const Json damaged = RunForJson(intact, 1);
  EXPECT_EQ(damaged["intact"], 2);
  EXPECT_EQ(damaged["damaged"], 1);
  EXPECT_EQ(damaged["filter_blocks"], 2);
  EXPECT_EQ(damaged["keys"], 1000);
  EXPECT_EQ(damaged["without_filter"], 1);
  EXPECT_EQ(damaged["problems"].size(), 1u);
  EXPECT_EQ(damaged["problems"][0]["file"], file);
  EXPECT_EQ(damaged["problems"][0]["what"], "damaged");
  EXPECT_TRUE(Contains(damaged["problems"][0]["why"].text(), "SST file"));
  ExpectRefusal(RunOneline("verify --rate=5 " + database.path()),
                "--rate=5: must be a size");
}

// Tables whose number, range or size may differ from what one expects are what
// the MANIFEST says.
TEST(VerifyTest, TablesFromElsewhereAreNoDamage) {
  const TemporaryDirectory directory;
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 3; ++i) database.WriteTable(1000 * i, 1000 * i + 500);
  // Ranges that are deleted are in the table's range.
  ASSERT_TRUE(IsOk(database->DeleteRange({}, database->DefaultColumnFamily(),
                                         KeyAt(10), KeyAt(5000))));
  database.WriteTable(100, 200);
  // Tables of this database that were exported and imported again.
  rocksdb::Checkpoint* made = nullptr;
  ASSERT_TRUE(rocksdb::Checkpoint::Create(database.get(), &made).ok());
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  rocksdb::ExportImportFilesMetaData* exported = nullptr;
  ASSERT_TRUE(IsOk(checkpoint->ExportColumnFamily(
      database->DefaultColumnFamily(), directory.File("exported"), &exported)));
  const std::unique_ptr<rocksdb::ExportImportFilesMetaData> metadata(exported);
  for (const char* name : {"imported", "again"}) {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    rocksdb::ImportColumnFamilyOptions copy;
    ASSERT_TRUE(IsOk(database->CreateColumnFamilyWithImport(
        OptionsWith(OurPolicy(10)), name, copy, *metadata, &family)));
    ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
  }
  WriteTableFile(OptionsWith(OurPolicy(10)), directory.File("sst"), 2000);
  ASSERT_TRUE(database->IngestExternalFile({directory.File("sst")}, {}).ok());
  database.Close();
  const std::string out = OutputOf("verify " + database.path());
  EXPECT_TRUE(Contains(out, "13 tables intact: "));
}

TEST(VerifyTest, AnUnknownExtractorIsSaid) {
  // RocksDB cannot create an extractor from this name.
  class Odd final : public rocksdb::SliceTransform {
   public:
    const char* Name() const override { return "odd extractor"; }
    rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
      return {key.data(), 3};
    }
    bool InDomain(const rocksdb::Slice&) const override { return true; }
  };
  for (const bool whole_keys : {true, false}) {
    rocksdb::BlockBasedTableOptions table;
    table.whole_key_filtering = whole_keys;
    rocksdb::Options options = OptionsWith(OurPolicy(10), table);
    options.prefix_extractor = std::make_shared<Odd>();
    ScratchDatabase database(options, 1000);
    const std::string out = OutputOf("verify " + database.path());
    EXPECT_TRUE(Contains(out, "'odd extractor'"));
    EXPECT_TRUE(Contains(out, whole_keys
                                  ? "1 table whose prefixes were not checked\n"
                                  : "1 table not checked\n"));
    EXPECT_TRUE(Contains(out, whole_keys ? "; 500 keys" : "; 0 keys"));
  }
}

TEST(VerifyTest, OtherFormatsAreSaid) {
  const rocksdb::Options foreign = OptionsWith(ForeignPolicy("foreign"));
  rocksdb::Options plain;
  plain.create_if_missing = true;
  plain.table_factory.reset(rocksdb::NewPlainTableFactory());
  plain.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(2));
  plain.allow_mmap_reads = true;
  plain.allow_concurrent_memtable_write = true;
  for (const auto& [options, why] :
       {std::pair(foreign, "the filter was written by the policy 'foreign'"),
        {plain, "is a PlainTable"}}) {
    ScratchDatabase database(options, 100);
    EXPECT_TRUE(ContainsAll(
        OutputOf("verify " + database.path()),
        {std::string("not checked: ") + why, "1 table not checked\n"}));
    const Finished one = RunOneline("verify " + database.TableFiles()[0]);
    EXPECT_EQ(one.exit_code, 2);
    EXPECT_TRUE(Contains(one.err, why));
  }
}

}  // namespace
}  // namespace oneline
