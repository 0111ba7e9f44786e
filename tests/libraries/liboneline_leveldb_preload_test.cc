// Tests of liboneline_leveldb_preload.so, preloaded into a program that was
// written for LevelDB's own filters.

#include "tests/testing.h"

namespace oneline {
namespace {

class LevelDBPreloadTest : public testing::Test {
 protected:
  // Expects that leveldb_program finds all keys that it wrote, and has the
  // policy of this name, with filters of so many bytes.
  void Expect(const std::string& replacement, const std::string& arguments,
              const std::string& policy, int filter_bytes) {
    SCOPED_TRACE(replacement + " for " + arguments);
    const Finished program =
        RunProgram("ONELINE_REPLACE_BUILTIN='" + replacement + "' LD_PRELOAD=" +
                   std::string(std::filesystem::absolute(
                       "liboneline_leveldb_preload.so")) +
                   " tests/libraries/leveldb_program " + directory_.File("db") +
                   " " + arguments);
    EXPECT_EQ(program.exit_code, 0);
    EXPECT_EQ(program.err, "");
    EXPECT_EQ(program.out,
              policy + " 20000 0 " + std::to_string(filter_bytes) + "\n");
  }

 private:
  const TemporaryDirectory directory_;
};

constexpr char kOurs[] = "oneline.1";
constexpr char kBloom[] = "leveldb.BuiltinBloomFilter2";

// 20 keys: at 10 bits per key 25 bytes, of which LevelDB's format has one more.
TEST_F(LevelDBPreloadTest, ReplacesTheBuiltinFilter) {
  for (const auto& [value, bits, filter_bytes] :
       {std::tuple("1", "10", 25),
        {"1", "16", 40},
        {"1", "c", 25},
        {"1", "0", 9},
        {"1", "1000", 249},
        {"oneline:12", "10", 30},
        {"{id=oneline;bits_per_key=12;bits_by_level=true}", "c", 30}}) {
    Expect(value, bits, kOurs, filter_bytes);
  }
}

TEST_F(LevelDBPreloadTest, LeavesTheBuiltinFilterAlone) {
  for (const char* value : {"", "0"}) {
    for (const char* bits : {"10", "c"}) Expect(value, bits, kBloom, 26);
  }
}

// Neither policy asks the other's filters.
TEST_F(LevelDBPreloadTest, ComesAndGoes) {
  Expect("1", "10", kOurs, 25);
  Expect("", "10 read", kBloom, 26);
  Expect("", "10", kBloom, 26);
  Expect("1", "10 read", kOurs, 25);
}

}  // namespace
}  // namespace oneline
