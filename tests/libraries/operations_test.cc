// The program that docs/operations.md shows, compiled as it stands there: it
// gives the tables of a database our filters while it has it open.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

TEST(OperationsTest, TheExampleGivesTablesNewFilters) {
  const TemporaryDirectory directory;
  const std::string database = directory.File("db");
  const Finished filled = RunProgram(
      "db_bench --db=" + database +
      " --bloom_bits=10 --num=20000 --benchmarks=fillrandom,flush");
  ASSERT_EQ(filled.exit_code, 0) << filled.err;
  const std::string program = "tests/libraries/operations_program " + database;
  const Finished first = RunProgram(program);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, "OK: 1 of 1 tables have new filters\n");
  const Finished inspect = RunProgram("tools/oneline inspect " + database);
  EXPECT_NE(inspect.out.find(" ribbon "), std::string::npos) << inspect.out;
  EXPECT_EQ(RunProgram(program).out, "OK: 0 of 0 tables have new filters\n");
}

}  // namespace
}  // namespace oneline
