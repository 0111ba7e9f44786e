// Tests that the core, table/ and filter_policy/, depends on nothing but the
// standard library, RocksDB or LevelDB, xxHash and the system: it is compiled
// into other people's databases.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/run_program.h"

namespace oneline {
namespace {

// Of the C library and of compilers. (Headers of the C++ library have no dot.)
const std::set<std::string>& SystemHeaders() {
  static const auto* const headers = new std::set<std::string>{
      "arm_neon.h", "dlfcn.h", "immintrin.h", "malloc.h", "unistd.h",
      "sys/auxv.h", "xxhash.h",
      // RocksDB's copy, of a plugin.
      "util/xxhash.h"};
  return *headers;
}

// Where an included header lives: for "table/hash/key_hash.h" it is "table".
std::string TopFolder(const std::string& header) {
  const size_t slash = header.find('/');
  return slash == header.npos ? "" : header.substr(0, slash);
}

// `folder`: the top folder of the file that includes it.
bool IsAllowed(const std::string& header, const std::string& folder) {
  const bool standard = header.find_first_of("./") == header.npos;
  if (standard || SystemHeaders().count(header) != 0) return true;
  const std::string from = TopFolder(header);
  if (from == "table") return true;
  return folder == "filter_policy" &&
         (from == "filter_policy" || from == "oneline" || from == "rocksdb" ||
          from == "leveldb");
}

// What the pattern's group matches.
std::set<std::string> Found(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
       ++i) {
    found.insert(i->str(1));
  }
  return found;
}

// The headers that a file includes.
std::set<std::string> Included(const std::string& source) {
  return Found(source, "(?:^|\n)\\s*#\\s*include\\s*[<\"]([^>\"]+)");
}

// Those that it must not include.
std::set<std::string> Foreign(const std::string& source,
                              const std::string& folder) {
  std::set<std::string> foreign;
  for (const std::string& header : Included(source)) {
    if (!IsAllowed(header, folder)) foreign.insert(header);
  }
  return foreign;
}

TEST(CoreIncludesTest, NothingForeignIsIncluded) {
  using Headers = std::set<std::string>;
  std::set<std::string> folders, included;
  for (const std::string folder : {"table", "filter_policy"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h" && extension != ".inc") {
        continue;
      }
      folders.insert(entry.path().parent_path());
      const std::string source = ReadWholeFile(entry.path());
      EXPECT_EQ(Foreign(source, folder), Headers{}) << entry.path();
      included.merge(Included(source));
    }
  }
  included.erase("table/block_based/filter_policy_internal.h");  // RocksDB's
  // The BUILD file and the page name the folders one by one.
  for (const std::string& header : included) {
    const std::string from = TopFolder(header);
    if (from != "table" && from != "filter_policy") continue;
    EXPECT_EQ(folders.count(std::filesystem::path(header).parent_path()), 1u)
        << header << ": its folder is not in CORE_SOURCES";
  }
  std::set<std::string> rows =
      Found(ReadWholeFile("docs/internals/architecture.md"),
            "\n\\| `((?:table|filter_policy)/[a-z_/]+)/` ");
  // One includes the JVM's header, one has no sources.
  EXPECT_EQ(rows.erase("filter_policy/java"), 1u);
  EXPECT_EQ(rows.erase("filter_policy/installation"), 1u);
  EXPECT_EQ(folders, rows);
}

// The test above can fail.
TEST(CoreIncludesTest, ForeignHeadersAreFound) {
  using Headers = std::set<std::string>;
  const std::string source =
      "#include <string>\n#include <xxhash.h>\n#include <rocksdb/slice.h>\n"
      "#include \"absl/status/status.h\"\n#include \"table/hash/key_hash.h\"\n"
      "#  include <openssl/sha.h>  // hashes\n#include \"tools/text/plot.h\"\n";
  EXPECT_EQ(
      Foreign(source, "filter_policy"),
      (Headers{"absl/status/status.h", "openssl/sha.h", "tools/text/plot.h"}));
  EXPECT_EQ(Foreign(source, "table"),
            (Headers{"absl/status/status.h", "openssl/sha.h", "rocksdb/slice.h",
                     "tools/text/plot.h"}));
}

}  // namespace
}  // namespace oneline
