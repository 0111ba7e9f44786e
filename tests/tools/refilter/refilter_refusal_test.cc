// What `oneline refilter` refuses before it writes, what it says, and databases
// that are not made of one run of puts.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/comparator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/refilter/refilter_database.h"
#include "tests/tools/run_oneline.h"
#include "tests/tools/table_bytes.h"
#include "tools/manifest/coding.h"
#include "tools/manifest/log_records.h"

namespace oneline {
namespace {

constexpr int kKeys = 2000;

Finished Refilter(const std::string& path, const std::string& flags) {
  return RunOneline("refilter " + path + " " + flags);
}

rocksdb::Options Options(const char* policy = "bloomfilter:10:false") {
  return OptionsWith(PolicyNamed(policy));
}

// A closed database of two tables.
class RefilterRefusalTest : public testing::Test {
 protected:
  RefilterRefusalTest() : path_(directory_.File("db")) { Make(Options()); }

  void Make(const rocksdb::Options& options) {
    std::filesystem::remove_all(path_);
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    WriteTable(db, 0, 0, kKeys, "a");
    if (options.db_paths.empty()) {
      CompactTo(db, 0, 2);
    } else {
      rocksdb::CompactRangeOptions last_path;
      last_path.change_level = true;
      last_path.target_level = 2;
      last_path.target_path_id = 1;
      const rocksdb::Status status =
          db.db->CompactRange(last_path, nullptr, nullptr);
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
    WriteTable(db, 0, 0, kKeys, "b");
    digest_ = Digest(db);
  }

  std::vector<std::string> Tables() const {
    std::vector<std::string> tables;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".sst") tables.push_back(entry.path());
    }
    return tables;
  }

  std::string ManifestPath() const {
    std::string name = ReadWholeFile(path_ + "/CURRENT");
    name.pop_back();
    return path_ + "/" + name;
  }

  // Neither the plan nor a run changes anything; both say why.
  void ExpectRefusedRun(const std::string& why, const std::string& flags = "") {
    const auto files = FilesIn(path_);
    const Finished plan =
        Refilter(path_, "--filter_policy=oneline:10 " + flags);
    EXPECT_NE(plan.exit_code, 0) << plan.out;
    std::string said = plan.out + plan.err;
    for (char& c : said) c = c == '\n' ? ' ' : c;
    EXPECT_TRUE(Contains(said, why)) << plan.out << plan.err;
    const Finished run =
        Refilter(path_, "--yes --filter_policy=oneline:10 " + flags);
    ExpectRefusal(run, why);
    EXPECT_EQ(FilesIn(path_), files);
  }

  void ExpectSame(const rocksdb::Options& options) {
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(Digest(db), digest_);
    EXPECT_GT(UsefulAnswers(db, 0, kKeys), uint64_t{kKeys * 9 / 20});
  }

  const TemporaryDirectory directory_;
  const std::string path_;
  uint64_t digest_ = 0;
};

TEST_F(RefilterRefusalTest, WithoutYesNothingChanges) {
  const auto files = FilesIn(path_);
  const Finished plan = Refilter(path_, "--filter_policy=oneline:10");
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_TRUE(Contains(plan.out, "2 tables to rewrite")) << plan.out;
  EXPECT_TRUE(Contains(plan.out, "the line filter_policy=") ||
              Contains(plan.out, "filter_policy={id=oneline"))
      << plan.out;
  EXPECT_TRUE(Contains(plan.out, "With --yes it is.")) << plan.out;
  EXPECT_EQ(FilesIn(path_), files);
}

TEST_F(RefilterRefusalTest, JsonHasPlanAndResult) {
  const Finished plan = Refilter(path_, "--filter_policy=oneline:10 --json");
  const auto planned = nlohmann::json::parse(plan.out);
  EXPECT_EQ(planned["tables"], 2);
  EXPECT_TRUE(planned["done"].is_null());
  ASSERT_EQ(planned["column_families"][0]["levels"].size(), 2u);
  const Finished run =
      Refilter(path_, "--filter_policy=oneline:10 --json --yes");
  const auto done = nlohmann::json::parse(run.out);
  EXPECT_EQ(done["done"]["tables"], 2);
  EXPECT_EQ(done["done"]["batches"], 1);
  ExpectSame(Options("oneline:10"));
  // The plan foretold the memory of the filters.
  const auto again = nlohmann::json::parse(
      Refilter(path_, "--filter_policy=oneline:10 --json").out);
  EXPECT_EQ(again["tables_kept"], 2);
  for (size_t level = 0; level < 2; ++level) {
    const auto& then = planned["column_families"][0]["levels"][level]["then"];
    const auto& now = again["column_families"][0]["levels"][level]["now"];
    EXPECT_NEAR(now["memory"], then["memory"], 128);
    EXPECT_NEAR(now["wasted_reads"], then["wasted_reads"], 0.01);
  }
}

TEST_F(RefilterRefusalTest, AnOpenDatabase) {
  OpenedDatabase db = OpenParanoid(path_, Options(), {{"default", Options()}});
  ExpectRefusedRun("a process has the database open");
}

TEST_F(RefilterRefusalTest, MemoryGivesEachLevelItsBits) {
  const Finished run = Refilter(path_, "--memory=3000 --yes");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  uint64_t bytes = 0;
  for (const std::string& table : Tables()) {
    for (const Trailer& trailer : TrailersInFile(table)) {
      bytes += static_cast<uint64_t>(trailer.asked_bits_per_key *
                                     trailer.num_keys / 8);
    }
  }
  EXPECT_GT(bytes, 2500u);
  EXPECT_LE(bytes, 3000u);
}

// OPTIONS still have the old policy.
TEST_F(RefilterRefusalTest, SaysWhichLineToChange) {
  const Finished run = Refilter(path_, "--filter_policy=oneline:14 --json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("the line filter_policy={id=oneline;bits_per_key=14}"),
            std::string::npos)
      << run.out;
}

TEST_F(RefilterRefusalTest, AWrongSizeInTheManifest) {
  std::filesystem::resize_file(Tables()[0],
                               std::filesystem::file_size(Tables()[0]) - 1);
  ExpectRefusedRun("bytes, but the MANIFEST says");
}

TEST_F(RefilterRefusalTest, AMissingTable) {
  std::filesystem::remove(Tables()[0]);
  ExpectRefusedRun(".sst");
}

// Of another database that has the same keys, so that only the ids differ.
TEST_F(RefilterRefusalTest, AnotherTableOfTheSameName) {
  const std::string table = Tables()[0];
  const std::string other = ReadWholeFile(table);
  Make(Options());
  ASSERT_EQ(std::filesystem::file_size(table), other.size());
  std::ofstream(table, std::ios::binary) << other;
  ExpectRefusedRun("has another unique id than the MANIFEST says");
}

TEST_F(RefilterRefusalTest, ADamagedTail) {
  const std::string table = Tables()[0];
  FlipByte(table, OffsetIn(table, "session.identity"));
  ExpectRefusedRun(table);
}

TEST_F(RefilterRefusalTest, ADamagedManifest) {
  FlipByte(ManifestPath(), 20);
  ExpectRefusedRun("MANIFEST");
}

TEST_F(RefilterRefusalTest, AnUnknownTag) {
  std::string file = ReadWholeFile(ManifestPath());
  AppendLogRecord(Varint(8300) + Varint(1) + "x", &file);
  std::ofstream(ManifestPath(), std::ios::binary) << file;
  ExpectRefusedRun("the tag 8300");
}

TEST_F(RefilterRefusalTest, ATornRecordIsNone) {
  std::string file = ReadWholeFile(ManifestPath());
  std::string record;
  AppendLogRecord("what a dying process wrote", &record);
  std::ofstream(ManifestPath(), std::ios::binary)
      << file << record.substr(0, record.size() - 3);
  EXPECT_EQ(Refilter(path_, "--filter_policy=oneline:10 --yes").exit_code, 0);
  ExpectSame(Options("oneline:10"));
}

TEST_F(RefilterRefusalTest, AnotherVersionOfRocksDB) {
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.path().filename().string().rfind("OPTIONS-", 0) != 0) continue;
    std::string text = ReadWholeFile(entry.path());
    const std::string name = "rocksdb_version=";
    const size_t at = text.find(name) + name.size();
    text.replace(at, text.find('\n', at) - at, "12.1.0");
    std::ofstream(entry.path()) << text;
  }
  ExpectRefusedRun("by RocksDB '12.1.0'");
}

TEST_F(RefilterRefusalTest, TablesThatAreNotBlockBased) {
  rocksdb::Options options = Options();
  options.table_factory.reset(rocksdb::NewPlainTableFactory());
  options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(4));
  options.allow_mmap_reads = true;
  std::filesystem::remove_all(path_);
  {
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    WriteTable(db, 0, 0, 100, "a");
  }
  ExpectRefusedRun("not block-based");
}

class OddPrefix final : public rocksdb::SliceTransform {
 public:
  const char* Name() const override { return "test.OddPrefix"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    return {key.data(), 3};
  }
  bool InDomain(const rocksdb::Slice& key) const override {
    return key.size() >= 3;
  }
};

TEST_F(RefilterRefusalTest, AnUnknownPrefixExtractor) {
  rocksdb::Options options = Options();
  options.prefix_extractor = std::make_shared<OddPrefix>();
  Make(options);
  ExpectRefusedRun("test.OddPrefix");
}

TEST_F(RefilterRefusalTest, WordsThatMakeNoSense) {
  ExpectRefusal(Refilter(path_, "--yes --filter_policy=nosuch:1"),
                "neither this library nor RocksDB");
  ExpectRefusal(Refilter(path_, "--yes --column_family=nosuch"),
                "has no column family 'nosuch'");
  ExpectRefusal(
      Refilter(path_, "--yes --filter_policy=ribbonfilter:10 --memory=1MiB"),
      "--memory chooses bits of our filters");
  ExpectRefusal(Refilter(directory_.path(), "--yes"), "CURRENT");
}

// A file ingested with a sequence number, written into it or not.
TEST_F(RefilterRefusalTest, IngestedTables) {
  for (const bool write_sequence : {false, true}) {
    Make(Options());
    const std::string file = directory_.File("ingested.sst");
    {
      OpenedDatabase db =
          OpenParanoid(path_, Options(), {{"default", Options()}});
      rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), Options());
      ASSERT_TRUE(writer.Open(file).ok());
      for (int i = 100; i < 300; i += 2) {
        ASSERT_TRUE(writer.Put(KeyAt(i), "ingested").ok());
      }
      ASSERT_TRUE(writer.Finish().ok());
      rocksdb::IngestExternalFileOptions how;
      how.write_global_seqno = write_sequence;
      ASSERT_TRUE(db.db->IngestExternalFile({file}, how).ok());
      digest_ = Digest(db);
    }
    const Finished run = Refilter(path_, "--filter_policy=oneline:10 --yes");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(RunOneline("verify " + path_).exit_code, 0);
    ExpectSame(Options("oneline:10"));
  }
}

TEST_F(RefilterRefusalTest, TablesInOtherDirectories) {
  rocksdb::Options options = Options();
  options.db_paths = {{path_, 1000}, {directory_.File("far"), 1 << 30}};
  std::filesystem::create_directory(directory_.File("far"));
  Make(options);
  const std::string paths = "--db_paths=" + directory_.File("far");
  ASSERT_FALSE(std::filesystem::is_empty(directory_.File("far")));
  const auto files = FilesIn(path_);
  ExpectRefusal(Refilter(path_, "--yes --filter_policy=oneline:10 " + paths +
                                    " --keep_old=" + directory_.File("kept")),
                "another directory");
  EXPECT_EQ(FilesIn(path_), files);
  const Finished run =
      Refilter(path_, "--filter_policy=oneline:10 --yes " + paths);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  rocksdb::Options ours = Options("oneline:10");
  ours.db_paths = options.db_paths;
  ExpectSame(ours);
}

// User keys with eight bytes of time at the end, the newest first.
class TimeComparator final : public rocksdb::Comparator {
 public:
  using rocksdb::Comparator::CompareWithoutTimestamp;
  TimeComparator() : Comparator(8) {}
  const char* Name() const override { return "test.Time"; }
  int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
    const int keys = CompareWithoutTimestamp(a, true, b, true);
    if (keys != 0) return keys;
    return CompareTimestamp(TimeOf(b), TimeOf(a));
  }
  int CompareTimestamp(const rocksdb::Slice& a,
                       const rocksdb::Slice& b) const override {
    return a.compare(b);
  }
  int CompareWithoutTimestamp(const rocksdb::Slice& a, bool a_has,
                              const rocksdb::Slice& b,
                              bool b_has) const override {
    return rocksdb::Slice(a.data(), a.size() - (a_has ? 8 : 0))
        .compare(rocksdb::Slice(b.data(), b.size() - (b_has ? 8 : 0)));
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  static rocksdb::Slice TimeOf(const rocksdb::Slice& key) {
    return {key.data() + key.size() - 8, 8};
  }
};

TEST_F(RefilterRefusalTest, Timestamps) {
  static const TimeComparator comparator;
  for (const bool partitioned : {false, true}) {
    rocksdb::BlockBasedTableOptions table;
    if (partitioned) {
      table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 256;
    }
    rocksdb::Options options =
        OptionsWith(PolicyNamed("bloomfilter:10"), table);
    options.comparator = &comparator;
    std::filesystem::remove_all(path_);
    const auto time = [](char t) { return std::string(8, t); };
    const auto get = [&](OpenedDatabase& db, int i, char t) {
      const std::string now = time(t);
      const rocksdb::Slice slice = now;
      rocksdb::ReadOptions read;
      read.timestamp = &slice;
      std::string value;
      const rocksdb::Status status =
          db.db->Get(read, db.handles[0], KeyAt(i), &value);
      EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
      return value;
    };
    {
      OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
      for (int i = 0; i < kKeys; i += 2) {
        for (const char t : {'a', 'c'}) {
          ASSERT_TRUE(
              db.db
                  ->Put({}, db.handles[0], KeyAt(i), time(t), std::string(1, t))
                  .ok());
        }
      }
      ASSERT_TRUE(db.db->Flush({}, db.handles[0]).ok());
    }
    const Finished run = Refilter(path_, "--filter_policy=oneline:10 --yes");
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(KindInFile(Tables()[0]), "ribbon");
    table.filter_policy = PolicyNamed("oneline:10");
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    for (int i = 0; i < kKeys && !HasFailure(); ++i) {
      EXPECT_EQ(get(db, i, 'b'), i % 2 == 0 ? "a" : "");
      EXPECT_EQ(get(db, i, 'd'), i % 2 == 0 ? "c" : "");
    }
    EXPECT_GT(db.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL),
              uint64_t{kKeys / 2});
  }
}

// A process that keeps its block cache must not find old blocks there.
TEST_F(RefilterRefusalTest, AKeptBlockCacheHasNoOldBlocks) {
  rocksdb::BlockBasedTableOptions table;
  table.cache_index_and_filter_blocks = true;
  table.block_cache = rocksdb::NewLRUCache(64 << 20);
  const auto open = [&](const char* policy) {
    const rocksdb::Options options = OptionsWith(PolicyNamed(policy), table);
    return OpenParanoid(path_, options, {{"default", options}});
  };
  {
    OpenedDatabase db = open("bloomfilter:10");
    EXPECT_GT(UsefulAnswers(db, 0, kKeys), uint64_t{kKeys * 9 / 20});
  }
  ASSERT_EQ(Refilter(path_, "--filter_policy=oneline:10 --yes").exit_code, 0);
  OpenedDatabase db = open("oneline:10");
  EXPECT_GT(UsefulAnswers(db, 0, kKeys), uint64_t{kKeys * 9 / 20});
  EXPECT_EQ(Digest(db), digest_);
  // Each table's filter was read.
  EXPECT_GE(db.statistics->getTickerCount(rocksdb::BLOCK_CACHE_FILTER_MISS),
            2u);
}

// What was linked before still is the old database.
TEST_F(RefilterRefusalTest, CheckpointsStayAsTheyWere) {
  const std::string checkpoint = directory_.File("checkpoint");
  {
    OpenedDatabase db =
        OpenParanoid(path_, Options(), {{"default", Options()}});
    rocksdb::Checkpoint* maker = nullptr;
    ASSERT_TRUE(rocksdb::Checkpoint::Create(db.db.get(), &maker).ok());
    const std::unique_ptr<rocksdb::Checkpoint> owner(maker);
    ASSERT_TRUE(maker->CreateCheckpoint(checkpoint).ok());
  }
  const auto files = FilesIn(checkpoint);
  ASSERT_EQ(Refilter(path_, "--filter_policy=oneline:10 --yes").exit_code, 0);
  EXPECT_EQ(FilesIn(checkpoint), files);
  ExpectSame(Options("oneline:10"));
  OpenedDatabase old =
      OpenParanoid(checkpoint, Options(), {{"default", Options()}});
  EXPECT_EQ(Digest(old), digest_);
}

}  // namespace
}  // namespace oneline
