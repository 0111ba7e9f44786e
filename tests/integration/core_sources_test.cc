// The core, table/ and filter_policy/, depends on nothing but the standard
// library, RocksDB or LevelDB, xxHash and the system; and each instruction set
// has its row in the page.

#include <regex>

#include "table/simd/instruction_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace {

using Strings = std::set<std::string>;

// What the pattern's first group matches, in order.
std::vector<std::string> Found(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
       ++i) {
    found.push_back(i->str(1));
  }
  return found;
}

// Of the C++ library, whose headers have no dot; of the C library and
// compilers; and xxHash, which RocksDB has a copy of for plugins. `folder`: the
// top folder of the file that includes it.
bool IsAllowed(const std::string& header, const std::string& folder) {
  static const std::regex core(
      "[a-z_]+|table/.*|(util/)?xxhash\\.h|"
      "(arm_neon|dlfcn|immintrin|malloc|unistd|sys/auxv)\\.h");
  static const std::regex policy("(filter_policy|oneline|rocksdb|leveldb)/.*");
  return std::regex_match(header, core) ||
         (folder == "filter_policy" && std::regex_match(header, policy));
}

TEST(CoreSourcesTest, NothingForeignIsIncluded) {
  Strings folders, included;
  for (const std::string folder : {"table", "filter_policy"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h" && extension != ".inc") {
        continue;
      }
      folders.insert(entry.path().parent_path());
      for (const std::string& header :
           Found(ReadWholeFile(entry.path()),
                 "(?:^|\n)\\s*#\\s*include\\s*[<\"]([^>\"]+)")) {
        EXPECT_TRUE(IsAllowed(header, folder)) << entry.path() << header;
        included.insert(header);
      }
    }
  }
  EXPECT_EQ(included.count("rocksdb/filter_policy.h"), 1u);
  EXPECT_FALSE(IsAllowed("rocksdb/slice.h", "table"));
  EXPECT_FALSE(IsAllowed("openssl/sha.h", "filter_policy"));
  // The page names the folders one by one.
  const std::vector<std::string> found =
      Found(ReadWholeFile("docs/internals/architecture.md"),
            "\n\\| `((?:table|filter_policy)/[a-z_/]+)/` ");
  Strings rows(found.begin(), found.end());
  // One includes the JVM's header, one has no sources.
  EXPECT_EQ(rows.erase("filter_policy/java"), 1u);
  EXPECT_EQ(rows.erase("filter_policy/installation"), 1u);
  EXPECT_EQ(folders, rows);
}

TEST(CoreSourcesTest, EachInstructionSetHasItsRow) {
  const std::string page = ReadWholeFile("docs/options.md");
  for (const std::string name : kInstructionSetNames) {
    EXPECT_NE(page.find("\n| `" + name + "` | "), page.npos) << name;
    // bench/report/figures.awk takes the names of filters apart at them.
    EXPECT_EQ(name.find('_'), name.npos) << name;
  }
}

}  // namespace
}  // namespace oneline
