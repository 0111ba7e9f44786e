// Tests of filter_policy/replacement/builtin_wrap.cc: a program that is linked
// to RocksDB statically gets our filters in place of RocksDB's own.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

// Bazel runs tests in a directory in which this is the path of the program.
constexpr char kProgram[] = "tests/libraries/static_program";

class StaticProgramTest : public testing::Test {
 protected:
  // What the program prints with ONELINE_REPLACE_BUILTIN set to `replacement`.
  std::string Printed(const std::string& replacement,
                      const std::string& arguments) const {
    const Finished program =
        RunProgram("ONELINE_REPLACE_BUILTIN='" + replacement + "' " + kProgram +
                   " " + directory_.File("table.sst") + " " + arguments);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(program.err, "");
    return program.out;
  }

 private:
  const TemporaryDirectory directory_;
};

TEST_F(StaticProgramTest, IsLinkedStatically) {
  const Finished program = RunProgram(std::string("ldd ") + kProgram);
  EXPECT_EQ(program.exit_code, 0) << program.err;
  EXPECT_EQ(program.out.find("librocksdb"), std::string::npos) << program.out;
  EXPECT_NE(program.out.find("libsnappy"), std::string::npos) << program.out;
}

TEST_F(StaticProgramTest, CallsAndNamesAreReplacedIfAskedFor) {
  EXPECT_EQ(Printed("1", "bloom 12"), "oneline 12.0 bloomfilter:12:false\n");
  EXPECT_EQ(Printed("1", "ribbon 12 -1"), "oneline 8.4 ribbonfilter:12:-1\n");
  EXPECT_EQ(Printed("oneline:8", "ribbon 14 2"),
            "oneline 8.0 ribbonfilter:14:2\n");
  EXPECT_EQ(Printed("1", "name bloomfilter:12:true"),
            "oneline 12.0 bloomfilter:12:false\n");
  EXPECT_EQ(Printed("1", "name rocksdb.RibbonFilter:12:-1"),
            "oneline 8.4 ribbonfilter:12:-1\n");
  EXPECT_EQ(Printed("", "bloom 12"), "bloomfilter 12.0 bloomfilter:12:false\n");
  EXPECT_EQ(Printed("0", "ribbon 14 -1"),
            "ribbonfilter 9.5 ribbonfilter:14:-1\n");
  EXPECT_EQ(Printed("", "name ribbonfilter:14:-1"),
            "ribbonfilter 9.5 ribbonfilter:14:-1\n");
}

TEST_F(StaticProgramTest, OurNamesAreKnown) {
  const std::string printed = Printed("", "name oneline:11");
  EXPECT_EQ(printed.substr(0, 13), "oneline 11.0 ") << printed;
}

}  // namespace
}  // namespace oneline
