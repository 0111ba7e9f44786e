// What `oneline refilter` does with files that are lost, cut or damaged, and
// what it says of them.

#include <sys/stat.h>

#include "tests/tools/refilter/closed_database.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

using RefilterDamageTest = ClosedDatabaseTest;

// At the end of a table: a byte, two handles in 40 bytes, version and magic.
constexpr size_t kFooterBytes = 53;

TEST_F(RefilterDamageTest, WhatIsLostDamagedOrNewer) {
  const auto option = [&](const char* name, const char* value) {
    return [this, name, value] { EditOption(path_, name, value); };
  };
  for (const auto& [change, why] :
       std::vector<std::pair<std::function<void()>, std::string>>{
           {[&] { fs::remove(Tables()[0]); },
            ".sst: is missing, or in another directory: give all"},
           {[&] {
              const std::string table = Tables()[0];
              fs::remove(table);
              fs::create_directory(table);
            },
            ".sst: is not a regular file"},
           {[&] {
              const std::string table = Tables()[0];
              Overwrite(table, fs::file_size(table) - kFooterBytes + 1,
                        std::string(40, '\0'));
            },
            ".sst: RocksDB can't open it: Corruption"},
           {option("rocksdb_version", "99.1.0"), "by RocksDB '99.1.0'"},
           {[&] { fs::remove(FileOf(path_, "OPTIONS-")); },
            "has no OPTIONS file"},
           {[&] {
              std::ofstream(FileOf(path_, "OPTIONS-"), std::ios::app)
                  << "nonsense\n";
            },
            "can't load it"},
           {option("file_checksum_gen_factory", "test.Odd"),
            "file_checksum_gen_factory=test.Odd, which this program does not "
            "have"},
           {[&] { fs::create_directory(path_ + "/blob_dir"); },
            "is a stacked BlobDB"}}) {
    Make(Options());
    change();
    ExpectRefusedRun(why);
  }
}

// Whose last section is without an end, or not there.
TEST_F(RefilterDamageTest, AnOptionsFileThatWasCut) {
  fs::remove_all(path_);
  OpenParanoid(path_, {}, {{"default", Options()}, {"other", Options()}})
      .Close();
  const std::string file = FileOf(path_, "OPTIONS-");
  const std::string text = ReadWholeFile(file);
  const size_t family = text.find("[CFOptions \"other\"]");
  const size_t tables = text.find("[TableOptions", family);
  ASSERT_NE(tables, std::string::npos) << text;
  const size_t last_line = text.rfind("\n  \n");
  for (const size_t end :
       {family, text.find("\n", text.find("comparator=", family)) + 1, tables,
        text.find("\n", tables) + 1, text.rfind("\n", last_line - 1) + 1,
        last_line, last_line + 1}) {
    SCOPED_TRACE(text.substr(0, end));
    std::ofstream(file, std::ios::binary) << text.substr(0, end);
    ExpectRefusal(Refilter(path_, kOursYes), file + ": was cut");
  }
  // Without the spaces, as an editor may leave it.
  std::ofstream(file, std::ios::binary) << text.substr(0, last_line) + "\n\n";
  ExpectDone(path_);
}

TEST_F(RefilterDamageTest, BlobFiles) {
  rocksdb::Options options = Options();
  options.enable_blob_files = true;
  options.enable_blob_garbage_collection = true;
  options.blob_garbage_collection_age_cutoff = 1;  // all of them
  Make(options);
  std::string blobs;
  for (const auto& entry : fs::directory_iterator(path_)) {
    if (entry.path().extension() == ".blob") blobs = entry.path();
  }
  std::string damaged = ReadWholeFile(blobs);
  damaged.replace(damaged.size() / 2, 20, 20, '\xff');
  fs::remove(blobs);
  ExpectRefusedRun(blobs + ": is missing");
  ASSERT_EQ(mkfifo(blobs.c_str(), 0600), 0);  // RocksDB would wait
  ExpectRefusedRun(blobs + ": is not a regular file");
  fs::remove(blobs);
  // None is collected: RocksDB would end all at the damage.
  std::ofstream(blobs, std::ios::binary) << damaged;
  ExpectDone(path_);
  EXPECT_EQ(ReadWholeFile(blobs), damaged);
}

// RocksDB's message of several lines.
TEST_F(RefilterDamageTest, ATableOfAnotherSize) {
  const std::string table = Tables()[0], text = ReadWholeFile(table);
  std::ofstream(table, std::ios::binary | std::ios::app)
      << text.substr(text.size() - kFooterBytes);
  const Finished run = Refilter(path_, kOurs);
  ExpectRefusal(run, table);
  EXPECT_FALSE(Contains(run.err, "\\x0a")) << run.err;
}

TEST_F(RefilterDamageTest, ADamagedTableIsLeftAndSaid) {
  const std::string damaged = Tables()[0];
  FlipByte(damaged, 100);
  const Json result = RunForJson("refilter " + path_ + " " + kOursYes, 1);
  EXPECT_EQ(result["tables_rewritten"], 1);
  ASSERT_EQ(result["left"].size(), 1u);
  EXPECT_EQ(result["left"][0]["file"], damaged);
  EXPECT_EQ(result["left"][0]["column_family"], "default");
  const Finished again = Refilter(path_, kOursYes);
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_TRUE(Contains(again.out, "left: column family \"default\","));
}

// Of another database that has the same keys, so that only the ids differ.
TEST_F(RefilterDamageTest, AnotherTableOfTheSameName) {
  const std::string table = Tables()[0];
  const std::string other = ReadWholeFile(table);
  Make(Options());
  ASSERT_EQ(fs::file_size(table), other.size());
  std::ofstream(table, std::ios::binary) << other;
  ExpectRefusedRun("ismatch");
}

// New tables are larger than files may be.
TEST_F(RefilterDamageTest, AFailureInItsMidst) {
  rocksdb::Options options = Options();
  options.compression = rocksdb::kNoCompression;
  Make(options);
  const std::string first = Tables().back();  // the smallest level
  const Json run =
      RunForJson("refilter " + path_ + " " + kOursYes, 2, "ulimit -f 40; ");
  EXPECT_EQ(run["changed"].dump(), "true");
  EXPECT_EQ(run["left"].size(), 2u);
  EXPECT_TRUE(ContainsAll(
      run["error"].text(),
      {"column family 'default', " + first + ": IO error",
       "0 of 2 tables have their new filters, and a second run goes on when "
       "the cause is gone"}));
  ExpectDone(path_);
  ExpectSame(Options("oneline:10"));
}

}  // namespace
}  // namespace oneline
