// What `oneline refilter` refuses before it changes anything, and what it says.

#include <leveldb/db.h>
#include <rocksdb/comparator.h>
#include <rocksdb/utilities/table_properties_collectors.h>

#include "oneline/level_filters.h"
#include "tests/tools/refilter/closed_database.h"
#include "tools/refilter/guards.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

constexpr char kInProgram[] = "oneline::Refilter in the database's program";

using RefilterRefusalTest = ClosedDatabaseTest;

TEST_F(RefilterRefusalTest, WithoutYesNothingChanges) {
  const auto files = FilesIn(path_);
  const std::string log = ReadWholeFile(path_ + "/LOG");
  std::ofstream(path_ + "/000099.sst.trash") << "RocksDB deletes it";
  const Finished plan = Refilter(path_, kOurs);
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_TRUE(ContainsAll(plan.out,
                          {"2 tables to rewrite", "With --yes it is, unless"}));
  EXPECT_EQ(plan.err, "");
  EXPECT_TRUE(fs::remove(path_ + "/000099.sst.trash"));
  EXPECT_EQ(FilesIn(path_), files);
  EXPECT_EQ(ReadWholeFile(path_ + "/LOG"), log);
}

// The OPTIONS file still has the old policy. The second run writes nothing.
TEST_F(RefilterRefusalTest, JsonHasPlanAndResult) {
  const std::string options = OptionsText();
  const std::string command = "refilter " + path_ + " " + kOurs;
  const Json plan = RunForJson(command);
  EXPECT_EQ(plan["tables_found"], 2);
  EXPECT_EQ(plan["tables_rewritten"], 0);
  const Json done = RunForJson(command + " --yes");
  EXPECT_EQ(done["changed"].dump(), "true");
  EXPECT_EQ(done["error"].dump(), "null");
  EXPECT_TRUE(ContainsAll(
      done["remarks"][0].text(),
      {"filter_policy={id=oneline", "filter_policy=bloomfilter:10"}));
  EXPECT_EQ(OptionsText(), options);
  EXPECT_EQ(done["tables"], 2);
  EXPECT_EQ(done["tables_rewritten"], 2);
  EXPECT_EQ(done["left"].size(), 0u);
  EXPECT_EQ(done["filter_bytes_before"], plan["filter_bytes_before"]);
  EXPECT_NEAR(
      plan["filter_bytes_after"].number() / done["filter_bytes_after"].number(),
      1, 0.03);
  const auto files = FilesIn(path_);
  const Json again = RunForJson(command + " --yes");
  EXPECT_EQ(again["tables_found"], 0);
  EXPECT_EQ(again["filter_bytes_before"], done["filter_bytes_after"]);
  EXPECT_EQ(FilesIn(path_), files);
  EXPECT_EQ(RunForJson(command + " --all")["tables_found"], 2);
  ExpectSame(Options("oneline:10"));
}

TEST_F(RefilterRefusalTest, ADatabaseThatIsOpen) {
  OpenedDatabase db = Open(Options());
  const std::string why =
      "process " + std::to_string(getpid()) + " has the database open";
  ExpectRefusal(Refilter(path_, kOurs), why);
  ExpectRefusal(Refilter(path_, kOursYes), why);
  // It has its lock still.
  ASSERT_TRUE(db.db->Put({}, "key", "value").ok());
}

// Which is another error than a database that is open.
TEST_F(RefilterRefusalTest, WhatCanNotBeWritten) {
  const std::string other = directory_.File("other");
  fs::create_directory(other);
  for (const std::string& path : {path_, other, path_ + "/LOCK"}) {
    const fs::perms before = fs::status(path).permissions();
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
    ExpectRefusedRun(path + ": can't be written: Permission denied",
                     kOurs + (" --db_paths=" + path_ + "," + other), AsUser());
    fs::permissions(path, before);
  }
}

TEST_F(RefilterRefusalTest, FilesOfAnotherUser) {
  if (chown((path_ + "/CURRENT").c_str(), 12345, 12345) != 0) {
    GTEST_SKIP() << "only root gives files away";
  }
  ExpectRefusedRun("belongs to user 12345");
  ExpectRefusedRun("sudo -u '#12345'");
}

class OddComparator final : public rocksdb::Comparator {
 public:
  const char* Name() const override { return "test.Odd"; }
  int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

TEST_F(RefilterRefusalTest, WhatOnlyTheProgramHas) {
  for (const std::string option :
       {"merge_operator", "compaction_filter", "compaction_filter_factory",
        "prefix_extractor", "sst_partitioner_factory"}) {
    Make(Options());
    EditOption(path_, option, "test.Odd");
    ExpectRefusedRun("column family 'default': " + option + "=test.Odd");
    ExpectRefusedRun(kInProgram);
  }
  const OddComparator comparator;
  rocksdb::Options options = Options();
  options.comparator = &comparator;
  Make(options);
  ExpectRefusedRun("column family 'default': comparator=test.Odd");
}

TEST_F(RefilterRefusalTest, PropertiesThatOnlyTheProgramCollects) {
  rocksdb::Options options = Options();
  options.table_properties_collector_factories.push_back(
      rocksdb::NewCompactOnDeletionCollectorFactory(100, 50));
  Make(options);
  const std::string why = "has properties of the collectors [CompactOnDeletion";
  ExpectRefusedRun(why);
  // Opening the database can write tables of a family that was not chosen.
  {
    OpenedDatabase db = OpenParanoid(
        path_, options, {{"default", options}, {"other", Options()}});
  }
  ExpectRefusedRun(why, std::string(kOurs) + " --column_family=other");
}

TEST_F(RefilterRefusalTest, TablesThatAreNotBlockBased) {
  rocksdb::Options options = Options();
  options.table_factory.reset(rocksdb::NewPlainTableFactory());
  options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(4));
  options.allow_mmap_reads = true;
  fs::remove_all(path_);
  Open(options).Close();
  ExpectRefusedRun("table_factory=PlainTable");
}

// The new OPTIONS file would get the text of the one that was looked at.
TEST_F(RefilterRefusalTest, OpenedSinceTheLook) {
  const auto unchanged = [this](const std::string& options) {
    return CheckUnchanged(path_, options).ok();
  };
  const std::string before = FileOf(path_, "OPTIONS-");
  EXPECT_TRUE(unchanged(before));
  OpenedDatabase db = Open(Options());
  EXPECT_FALSE(unchanged(before));
  db.Close();
  EXPECT_FALSE(unchanged(before));
  EXPECT_TRUE(unchanged(FileOf(path_, "OPTIONS-")));
}

// They may be those of the original of a copy, which has no CURRENT there; and
// from our directory a relative one is another than from the program's.
TEST_F(RefilterRefusalTest, LogsOutsideTheDatabase) {
  rocksdb::Options options = Options();
  options.wal_dir = directory_.File("logs");
  fs::create_directory(options.wal_dir);
  Open(options).Close();
  ExpectRefusedRun("has wal_dir=" + options.wal_dir);
  EditOption(path_, "wal_dir", "db");
  ExpectRefusedRun("has wal_dir=db, which is relative");
}

TEST_F(RefilterRefusalTest, LevelDBAndTables) {
  for (const std::string& file : {Tables()[0], path_ + "/CURRENT"}) {
    ExpectRefusal(RunOneline("refilter " + file),
                  "is a file, not the directory of a database");
  }
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* db = nullptr;
  ASSERT_TRUE(leveldb::DB::Open(options, directory_.File("leveldb"), &db).ok());
  delete db;
  ExpectRefusal(RunOneline("refilter " + directory_.File("leveldb")),
                "is a database of LevelDB, not of RocksDB");
  ExpectRefusal(RunOneline("refilter " + directory_.path()), "CURRENT");
}

// Policies that RocksDB takes for none, or for which it throws an exception.
TEST_F(RefilterRefusalTest, PoliciesThatAreNoneByMistake) {
  for (const std::string policy :
       {"bloomfilter:-5", "bloomfilter:0.4", "rocksdb.BuiltinBloomFilter"}) {
    ExpectRefusedRun(
        "'" + policy + "' writes no filters; for none give nullptr",
        "--filter_policy=" + policy);
  }
  ExpectRefusedRun("a number in it is too large",
                   "--filter_policy=ribbonfilter:10:2147483648");
  ExpectRefusedRun("neither this library nor RocksDB",
                   "--filter_policy=nosuch:1");
  ExpectRefusedRun("bits_per_key=101", "--filter_policy=oneline:101");
}

// Without --filter_policy it would take all filters away.
TEST_F(RefilterRefusalTest, OptionsThatAskForNoFilters) {
  Make(OptionsWith(nullptr));
  ExpectRefusedRun("asks for no filters", "--jobs=1");
  ExpectDone(path_, "--yes --filter_policy=nullptr");
}

// OPTIONS files do not have the bits by level of RocksDB's kinds.
TEST_F(RefilterRefusalTest, BitsByLevelThatNoFileHas) {
  const std::string bloom = "{id=oneline;kind=rocksdb_bloom";
  const std::string ribbon = "{id=oneline;kind=rocksdb_ribbon";
  const std::pair<PolicyPtr, std::string> policies[] = {
      {PolicyNamed(bloom + "}"), bloom},
      {NewLevelBloomFilterPolicy(10), bloom},
      {PolicyNamed(ribbon + "}"), ribbon},
      {NewLevelRibbonFilterPolicy(10), ribbon}};
  for (const auto& [policy, text] : policies) {
    Make(OptionsWith(policy));
    ExpectRefusedRun("give --filter_policy, such as " + text + ";", "--jobs=1");
    ExpectDone(path_, "'--filter_policy=" + text + "}'");
    ExpectDone(path_, "--filter_policy=bloomfilter:10:false --all --yes");
    ExpectDone(path_, "--yes");
  }
}

// Only the family that was named, whose name may contain commas.
TEST_F(RefilterRefusalTest, ColumnFamiliesAreChosen) {
  const auto families = [](const rocksdb::Options& options) {
    return Families{{"default", options}, {"a,b", options}};
  };
  fs::remove_all(path_);
  {
    OpenedDatabase db = OpenParanoid(path_, {}, families(Options()));
    WriteTable(db, 0, 0, kKeys, "a");
    WriteTable(db, 1, 0, kKeys, "b");
    digest_ = Digest(db);
  }
  ExpectRefusedRun("there is no column family 'nosuch'",
                   "--column_family=default,nosuch");
  const std::string command = "refilter " + path_ + " " + kOursYes;
  const Json named = RunForJson(command + " --column_family=a,b");
  ASSERT_EQ(named["column_families"].size(), 1u);
  EXPECT_EQ(named["column_families"][0]["name"], "a,b");
  EXPECT_EQ(named["tables_rewritten"], 1);
  // Several in one run.
  const Json rest = RunForJson(command);
  EXPECT_EQ(rest["column_families"].size(), 2u);
  EXPECT_EQ(rest["tables"], 2);
  EXPECT_EQ(rest["tables_rewritten"], 1);
  OpenedDatabase db = OpenParanoid(path_, {}, families(Options("oneline:10")));
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(Digest(db), digest_);
  for (const size_t family : {0, 1}) ExpectFiltered(db, family);
}

}  // namespace
}  // namespace oneline
