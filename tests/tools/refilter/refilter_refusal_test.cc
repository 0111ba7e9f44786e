// What `oneline refilter` refuses before it writes, and what it says.

#include <gtest/gtest.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"
#include "tests/tools/table_bytes.h"
#include "tools/manifest/coding.h"
#include "tools/manifest/log_records.h"

namespace oneline {
namespace {

using RefilterRefusalTest = ClosedDatabaseTest;

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
  ASSERT_EQ(done["done"]["batches"].size(), 1u);
  EXPECT_EQ(done["done"]["batches"][0]["tables"], 2);
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

TEST_F(RefilterRefusalTest, FilesOfAnotherUser) {
  if (chown((path_ + "/CURRENT").c_str(), 12345, 12345) != 0) {
    GTEST_SKIP() << "only root gives files away";
  }
  ExpectRefusedRun("belongs to user 12345");
}

// Its copy in another directory may be the one that counts.
TEST_F(RefilterRefusalTest, ATableInTwoDirectories) {
  const std::string other = directory_.File("other");
  std::filesystem::create_directory(other);
  std::filesystem::copy(
      Tables()[0],
      other + "/" + std::filesystem::path(Tables()[0]).filename().string());
  ExpectRefusedRun("there is another file of this name", "--db_paths=" + other);
}

// A copy of the table of another directory, which is not named.
TEST_F(RefilterRefusalTest, ATableInTheWrongDirectory) {
  rocksdb::Options options = Options();
  const std::string far = directory_.File("far");
  options.db_paths = {{path_, 1000}, {far, 1 << 30}};
  std::filesystem::create_directory(far);
  Make(options);
  for (const auto& entry : std::filesystem::directory_iterator(far)) {
    std::filesystem::copy(entry.path(),
                          path_ + "/" + entry.path().filename().string());
  }
  ExpectRefusedRun("in the same directory as tables in " + path_);
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

}  // namespace
}  // namespace oneline
