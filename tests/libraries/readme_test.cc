// The program that README.md shows, compiled as it stands there: it writes a
// table with our filter.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

TEST(ReadmeTest, TheExampleWritesATableWithOurFilter) {
  const TemporaryDirectory directory;
  const std::string database = directory.File("db");
  const Finished example =
      RunProgram("tests/libraries/readme_program " + database);
  EXPECT_EQ(example.exit_code, 0) << example.err;
  EXPECT_EQ(example.out, "OK: value\n");
  const Finished inspect = RunProgram("tools/oneline inspect " + database);
  EXPECT_EQ(inspect.exit_code, 0) << inspect.err;
  EXPECT_NE(inspect.out.find(" ribbon "), std::string::npos) << inspect.out;
}

}  // namespace
}  // namespace oneline
