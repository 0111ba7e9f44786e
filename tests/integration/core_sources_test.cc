// The core, table/ and filter_policy/, depends on nothing but the standard
// library, RocksDB or LevelDB, xxHash and the system; and each instruction set
// has its words in the pages.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "table/simd/instruction_sets.h"
#include "tests/run_program.h"

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

// Of the C library and of compilers. (Headers of the C++ library have no dot.)
const Strings& SystemHeaders() {
  static const auto* const headers =
      new Strings{"arm_neon.h", "dlfcn.h", "immintrin.h", "malloc.h",
                  "unistd.h", "sys/auxv.h", "xxhash.h",
                  // RocksDB's copy, of a plugin.
                  "util/xxhash.h"};
  return *headers;
}

// `folder`: the top folder of the file that includes it.
bool IsAllowed(const std::string& header, const std::string& folder) {
  const bool standard = header.find_first_of("./") == header.npos;
  if (standard || SystemHeaders().count(header) != 0) return true;
  const std::string from = header.substr(0, header.find('/'));
  if (from == "table") return true;
  return folder == "filter_policy" &&
         (from == "filter_policy" || from == "oneline" || from == "rocksdb" ||
          from == "leveldb");
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

TEST(CoreSourcesTest, EachInstructionSetHasItsWords) {
  const std::string page = ReadWholeFile("docs/options.md");
  const std::string figures = ReadWholeFile("bench/report/figures.awk");
  for (const std::string name : kInstructionSetNames) {
    EXPECT_NE(page.find("\n| `" + name + "` | "), page.npos) << name;
    if (name == "portable") continue;
    // It takes the names of filters apart at them.
    EXPECT_EQ(name.find('_'), name.npos) << name;
    EXPECT_NE(figures.find("word[\"" + name + "\"] = "), figures.npos) << name;
  }
}

}  // namespace
}  // namespace oneline
