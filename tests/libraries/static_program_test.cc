// Tests of filter_policy/replacement/builtin_wrap.cc: a program that is linked
// to RocksDB statically gets our filters in place of RocksDB's own.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

TEST(StaticProgramTest, CallsAndNamesAreReplacedIfAskedFor) {
  const TemporaryDirectory directory;
  const std::string program = "tests/libraries/static_program ";
  const std::string linked = RunProgram("ldd " + program).out;
  EXPECT_EQ(linked.find("librocksdb"), linked.npos) << linked;
  const struct {
    std::string value, asked, printed;
  } kCases[] = {
      {"1", "bloom 12", "oneline 12.0 bloomfilter:12:false\n"},
      {"1", "ribbon 12 -1", "oneline 8.4 ribbonfilter:12:-1\n"},
      {"oneline:8", "ribbon 14 2", "oneline 8.0 ribbonfilter:14:2\n"},
      {"1", "name bloomfilter:12:true", "oneline 12.0 bloomfilter:12:false\n"},
      {"1", "name rocksdb.RibbonFilter:12:-1",
       "oneline 8.4 ribbonfilter:12:-1\n"},
      {"", "bloom 12", "bloomfilter 12.0 bloomfilter:12:false\n"},
      {"0", "ribbon 14 -1", "ribbonfilter 9.5 ribbonfilter:14:-1\n"},
      {"", "name ribbonfilter:14:-1", "ribbonfilter 9.5 ribbonfilter:14:-1\n"},
      {"", "name oneline:11", "oneline 11.0 "},
  };
  for (const auto& [value, asked, printed] : kCases) {
    const Finished run =
        RunProgram("ONELINE_REPLACE_BUILTIN='" + value + "' " + program +
                   directory.File("table.sst") + " " + asked);
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(run.out.substr(0, printed.size()), printed) << value << asked;
  }
}

}  // namespace
}  // namespace oneline
