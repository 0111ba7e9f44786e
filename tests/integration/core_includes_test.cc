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

// The headers that a file includes and must not.
std::set<std::string> Foreign(const std::string& source,
                              const std::string& folder) {
  static const std::regex include("(?:^|\n)\\s*#\\s*include\\s*[<\"]([^>\"]+)");
  std::set<std::string> foreign;
  for (std::sregex_iterator i(source.begin(), source.end(), include), end;
       i != end; ++i) {
    if (!IsAllowed(i->str(1), folder)) foreign.insert(i->str(1));
  }
  return foreign;
}

TEST(CoreIncludesTest, NothingForeignIsIncluded) {
  using Headers = std::set<std::string>;
  std::set<std::string> folders;
  for (const std::string folder : {"table", "filter_policy"}) {
    size_t files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h" && extension != ".inc") {
        continue;
      }
      ++files;
      folders.insert(entry.path().parent_path());
      EXPECT_EQ(Foreign(ReadWholeFile(entry.path()), folder), Headers{})
          << entry.path();
    }
    EXPECT_GT(files, 20u) << folder;
  }
  // The folders below, which the BUILD file names one by one.
  for (const char* folder :
       {"table/block", "table/bloom", "table/environment", "table/hash",
        "table/ribbon", "table/ribbon_line", "table/ribbon_solver",
        "table/short_block", "table/simd", "filter_policy/include/oneline",
        "filter_policy/leveldb", "filter_policy/options",
        "filter_policy/plugin", "filter_policy/rocksdb"}) {
    EXPECT_EQ(folders.count(folder), 1u) << folder;
  }
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
