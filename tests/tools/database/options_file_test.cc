#include "tools/database/options_file.h"

#include "tests/testing.h"

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

TEST(OptionsFileTest, ReadsTheOptionsOfAFamily) {
  const OptionsFile file{std::string(kText)};
  struct Case {
    const char *section, *family, *name;
    std::optional<std::string> value;
  };
  for (const Case& c : std::vector<Case>{
           {"CFOptions", "default", "comparator", "leveldb.BytewiseComparator"},
           {"CFOptions", "a#b", "comparator", "their.Comparator"},
           {kTableSection, "default", "filter_policy", "bloomfilter:10:false"},
           {kTableSection, "default", "whole_key_filtering", "true"},
           {kTableSection, "a#b", "filter_policy", std::nullopt},
           {kTableSection, "default", "comparator", std::nullopt},
           {"CFOptions", "default", "filter_policy", std::nullopt},
           {"CFOptions", "a\\#b", "comparator", std::nullopt},
           {"CFOptions", "other", "comparator", std::nullopt}}) {
    EXPECT_EQ(file.Get(c.section, c.family, c.name), c.value)
        << c.section << " " << c.family << " " << c.name;
  }
  EXPECT_EQ(file.FilterPolicy("default"), "bloomfilter:10:false");
  EXPECT_EQ(file.FilterPolicy("a#b"), kNoObject);
  EXPECT_EQ(OptionsFile("[CFOptions \"x\"]\nprefix_extractor=\n")
                .Object("CFOptions", "x", "prefix_extractor"),
            kNoObject);
  // A name may have several lines.
  EXPECT_EQ(OptionsFile("[CFOptions \"a\\nb\\rc\"]\na=4\n")
                .Get("CFOptions", "a\nb\rc", "a"),
            "4");
}

// As RocksDB reads what somebody wrote by hand: a last line without a newline
// does not count, nor does what a section's name says before its last one; of
// its lines the first counts; a backslash that escapes nothing is no part of a
// name, and what does not end with ']' is no header.
TEST(OptionsFileTest, ReadsOtherTextsAsRocksDBDoes) {
  const std::string x = "[CFOptions \"x\"]\n";
  for (const auto& [text, a] :
       std::vector<std::pair<std::string, std::optional<std::string>>>{
           {x + "a=4\n", "4"},
           {"[ CFOptions  \"x\" ]\na=4\n", "4"},
           {"[CFOptions\"x\"]\na=4\n", "4"},
           {"[CFOptions \"x\" y]\na=4\n", "4"},
           {" [CFOptions \"x\"] # z\na=4\n", "4"},
           {"[CFOptions \"x\"]\r\n  a=4 \r\n", "4"},
           {"[CFOptions \"x\\\"]\n  [CFOptions \"b\"]=c\n  a=4\n", "4"},
           {x + "a=1\n" + x + "a=2\na=3\n", "2"},
           {x + "a=1\n" + x + "b=2\n", std::nullopt},
           {x + "a=4", std::nullopt},
           {"[CFOptions \"x]\na=4\n", std::nullopt},
           {"[CFOptions \"x\"\na=4\n", std::nullopt},
           {"[CFOptions]\na=4\n", std::nullopt},
           {"[OtherOptions \"x\"]\na=4\n", std::nullopt}}) {
    EXPECT_EQ(OptionsFile(text).Get("CFOptions", "x", "a"), a) << text;
  }
}

TEST(OptionsFileTest, LoadsWholeFiles) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("OPTIONS-7"))
      << kText << '\0' << "\r\n[CFOptions \"last\"]\na=4\n";
  const auto loaded = OptionsFile::Load(directory.File("OPTIONS-7"));
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->Get("CFOptions", "last", "a"), "4");
  std::ofstream(directory.File("OPTIONS-000012")).close();
  std::ofstream(directory.File("OPTIONS-13.dbtmp")).close();
  for (const auto& [name, why] :
       {std::pair("none", "can't be read: No such file or directory"),
        {"OPTIONS-000012", "is empty"},
        {"", "is empty"}}) {
    const std::string path = directory.File(name);
    EXPECT_EQ(OptionsFile::Load(path).status().message(), path + ": " + why);
  }
  EXPECT_EQ(NumberedFiles(directory.path(), "OPTIONS-"),
            (std::map<uint64_t, std::string>{
                {7, directory.File("OPTIONS-7")},
                {12, directory.File("OPTIONS-000012")}}));
}

}  // namespace
}  // namespace oneline
