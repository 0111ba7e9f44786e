// Tests of tools/database/options_file.h.

#include "tools/database/options_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr char kText[] =
    "# This is a RocksDB option file.\n"
    "[Version]\n"
    "  rocksdb_version=7.8.3\n"
    "\n"
    "[CFOptions \"default\"]\n"
    "  comparator=leveldb.BytewiseComparator\n"
    "  table_factory=BlockBasedTable\n"
    "[TableOptions/BlockBasedTable \"default\"]\n"
    "  #filter_policy=bloomfilter:9:false\n"
    "\tfilter_policy = bloomfilter:10:false  # our best\n"
    "  whole_key_filtering=true\n"
    "[CFOptions \"a\\#b\"]\n"
    "  comparator=their.Comparator\n"
    "[TableOptions/BlockBasedTable \"a\\#b\"]\n"
    "  block_size=4096\n";

TEST(OptionsFileTest, Reads) {
  const OptionsFile file{std::string(kText)};
  EXPECT_EQ(file.Get("CFOptions", "default", "comparator"),
            "leveldb.BytewiseComparator");
  EXPECT_EQ(file.Get("CFOptions", "a#b", "comparator"), "their.Comparator");
  EXPECT_EQ(file.Get(kTableSection, "default", "filter_policy"),
            "bloomfilter:10:false");
  EXPECT_EQ(file.Get(kTableSection, "default", "whole_key_filtering"), "true");
  EXPECT_EQ(file.ColumnFamilies(kTableSection),
            (std::vector<std::string>{"default", "a#b"}));
}

// As RocksDB reads headers that somebody wrote by hand.
TEST(OptionsFileTest, ReadsHeadersWithMoreThanTheName) {
  for (const char* const header :
       {"[ CFOptions  \"x\" ]", "[CFOptions\"x\"]", "[CFOptions \"x\" y]",
        " [CFOptions \"x\"] # z"}) {
    const OptionsFile file(std::string(header) + "\nnum_levels=4\n");
    EXPECT_EQ(file.Get("CFOptions", "x", "num_levels"), "4") << header;
    EXPECT_EQ(file.ColumnFamilies("CFOptions"), std::vector<std::string>{"x"});
  }
  for (const char* const header : {"[CFOptions \"x]", "[CFOptions \"x\"",
                                   "[CFOptions]", "[OtherOptions \"x\"]"}) {
    const OptionsFile file(std::string(header) + "\nnum_levels=4\n");
    EXPECT_EQ(file.Get("CFOptions", "x", "num_levels"), std::nullopt) << header;
  }
}

// In RocksDB a backslash that escapes nothing is no part of a name, and what
// does not end with ']' is no header.
TEST(OptionsFileTest, ReadsNamesAndHeadersAsRocksDBDoes) {
  const OptionsFile file(
      "[TableOptions/BlockBasedTable \"a \\\"]\n"
      "  [TableOptions/BlockBasedTable \"b\"]=c\n"
      "  filter_policy=oneline:12\n");
  EXPECT_EQ(file.ColumnFamilies(kTableSection), std::vector<std::string>{"a "});
  EXPECT_EQ(file.Get(kTableSection, "a ", "filter_policy"), "oneline:12");
}

TEST(OptionsFileTest, ALastLineWithoutANewlineDoesNotCount) {
  const OptionsFile file("[CFOptions \"x\"]\nnum_levels=4");
  EXPECT_EQ(file.Get("CFOptions", "x", "num_levels"), std::nullopt);
}

// As RocksDB does, which does not write such files.
TEST(OptionsFileTest, TheLastSectionAndItsFirstLineCount) {
  const std::string header = "[CFOptions \"x\"]\n";
  const OptionsFile file(header + "a=1\nb=1\n" + header + "a=2\na=3\n");
  EXPECT_EQ(file.Get("CFOptions", "x", "a"), "2");
  EXPECT_EQ(file.Get("CFOptions", "x", "b"), std::nullopt);
}

TEST(OptionsFileTest, FindsNoMissingOptions) {
  const OptionsFile file{std::string(kText)};
  EXPECT_EQ(file.Get(kTableSection, "a#b", "filter_policy"), std::nullopt);
  EXPECT_EQ(file.Get(kTableSection, "default", "comparator"), std::nullopt);
  EXPECT_EQ(file.Get("CFOptions", "default", "filter_policy"), std::nullopt);
  EXPECT_EQ(file.Get("CFOptions", "a\\#b", "comparator"), std::nullopt);
  EXPECT_EQ(file.Get("CFOptions", "other", "comparator"), std::nullopt);
  EXPECT_EQ(OptionsFile("").ColumnFamilies("CFOptions").size(), 0u);
}

TEST(OptionsFileTest, LinesMayEndAsOnWindows) {
  const OptionsFile file("[CFOptions \"d\"]\r\n  a=1 \r\n");
  EXPECT_EQ(file.Get("CFOptions", "d", "a"), "1");
}

TEST(OptionsFileTest, LoadsWholeFiles) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("OPTIONS"))
      << kText << '\0' << "\r\n[CFOptions \"last\"]\n";
  const auto loaded = OptionsFile::Load(directory.File("OPTIONS"));
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->ColumnFamilies("CFOptions"),
            (std::vector<std::string>{"default", "a#b", "last"}));
  std::ofstream(directory.File("empty")).close();
  for (const char* name : {"none", "empty"}) {
    EXPECT_EQ(OptionsFile::Load(directory.File(name)).status().code(),
              absl::StatusCode::kNotFound)
        << name;
  }
  ASSERT_EQ(mkfifo(directory.File("fifo").c_str(), 0600), 0);
  for (const std::string& path : {directory.File("fifo"), directory.path()}) {
    EXPECT_EQ(OptionsFile::Load(path).status().message(),
              path + ": is not a regular file");
  }
}

}  // namespace
}  // namespace oneline
