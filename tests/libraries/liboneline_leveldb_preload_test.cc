// Tests of liboneline_leveldb_preload.so, preloaded into a program that was
// written for LevelDB's own filters.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <tuple>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr int kKeys = 20000;  // as in leveldb_program.cc
constexpr char kOurs[] = "oneline.1";
constexpr char kBloom[] = "leveldb.BuiltinBloomFilter2";

std::string Library() {
  return std::filesystem::absolute("liboneline_leveldb_preload.so");
}

std::string Replace(const std::string& value) {
  return "ONELINE_REPLACE_BUILTIN='" + value + "' ";
}

// What the program prints.
struct Printed {
  std::string name;
  int present = 0, absent = 0, refused = 0, filter_bytes = 0;
  std::string messages;
};

class LevelDBPreloadTest : public testing::Test {
 protected:
  // Expects that the program finds what it wrote.
  Printed Run(const std::string& environment, const std::string& arguments,
              const std::string& libraries = Library()) {
    const Finished program =
        RunProgram(environment + " LD_PRELOAD='" + libraries +
                   "' tests/libraries/leveldb_program " +
                   directory_.File("db") + " " + arguments);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    Printed printed;
    std::istringstream(program.out) >> printed.name >> printed.present >>
        printed.absent >> printed.refused >> printed.filter_bytes;
    EXPECT_EQ(printed.present, kKeys) << program.out;
    EXPECT_EQ(printed.absent, 0) << program.out;
    printed.messages = program.err;
    return printed;
  }

 private:
  const TemporaryDirectory directory_;
};

// 20 keys: at 10 bits per key 25 bytes, of which LevelDB's format has one more.
// At most 0.3 % of absent keys pass ours, 0.9 % LevelDB's.
TEST_F(LevelDBPreloadTest, ReplacesTheBuiltinFilter) {
  for (const auto& [value, bits, filter_bytes] :
       {std::tuple("1", "10", 25),
        {"1", "16", 40},
        {"1", "c", 25},
        {"1", "0", 9},
        {"1", "1000", 249},
        {"oneline:12", "10", 30},
        {"{id=oneline;bits_per_key=12;bits_by_level=true}", "c", 30}}) {
    SCOPED_TRACE(std::string(value) + " for " + bits);
    const Printed printed = Run(Replace(value), bits);
    EXPECT_EQ(printed.name, kOurs);
    EXPECT_EQ(printed.messages, "");
    EXPECT_EQ(printed.filter_bytes, filter_bytes);
    if (filter_bytes >= 25) {
      EXPECT_GT(printed.refused, 0.996 * kKeys);
    }
  }
}

TEST_F(LevelDBPreloadTest, LeavesTheBuiltinFilterAlone) {
  for (const std::string& environment :
       {std::string(), Replace(""), Replace("0")}) {
    for (const char* bits : {"10", "c"}) {
      const Printed printed = Run(environment, bits);
      EXPECT_EQ(printed.name, kBloom);
      EXPECT_EQ(printed.messages, "");
      EXPECT_GT(printed.refused, 0.98 * kKeys);
      EXPECT_LT(printed.refused, 0.996 * kKeys);
    }
  }
}

TEST_F(LevelDBPreloadTest, WithoutLevelDBsFunctionThereIsAMessageAndNoFilter) {
  const std::string libraries = std::string(std::filesystem::absolute(
                                    "tests/libraries/libno_symbols.so")) +
                                " " + Library();
  const Printed printed = Run("", "10", libraries);
  EXPECT_EQ(printed.name, "none");
  EXPECT_EQ(printed.messages,
            "oneline: leveldb::NewBloomFilterPolicy is in no shared library of "
            "this program: no filter is used\n");
  EXPECT_EQ(Run(Replace("1"), "10", libraries).name, kOurs);
}

// Every key is found, with and without the library: Run expects it.
TEST_F(LevelDBPreloadTest, ComesAndGoes) {
  Run(Replace("1"), "10");
  EXPECT_EQ(Run("", "10 read").refused, 0) << "ours are not LevelDB's";
  Run("", "10");
  EXPECT_EQ(Run(Replace("1"), "10 read").refused, 0);
  EXPECT_GT(Run(Replace("1"), "10").refused, 0.996 * kKeys);
}

}  // namespace
}  // namespace oneline
