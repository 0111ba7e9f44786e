// The programs that pages show, compiled as they stand there.

#include <gtest/gtest.h>

#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

class PagesTest : public testing::Test {
 protected:
  // What the program prints for the database.
  std::string Run(const std::string& program) const {
    const Finished run = RunProgram(program + database_);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }
  void ExpectOurFilters() const {
    const std::string tables = Run("tools/oneline inspect ");
    EXPECT_NE(tables.find(" ribbon "), std::string::npos) << tables;
  }

  const TemporaryDirectory directory_;
  const std::string database_ = directory_.File("db");
};

TEST_F(PagesTest, ThatOfTheReadmeWritesATableWithOurFilter) {
  EXPECT_EQ(Run("tests/libraries/readme_program "), "OK: value\n");
  ExpectOurFilters();
}

// It gives the tables of a database our filters while it has it open.
TEST_F(PagesTest, ThatOfOperationsGivesTablesNewFilters) {
  Run("db_bench --bloom_bits=10 --num=20000 --benchmarks=fillrandom,flush"
      " --db=");
  const std::string program = "tests/libraries/operations_program ";
  EXPECT_EQ(Run(program), "OK: 1 of 1 tables have new filters\n");
  ExpectOurFilters();
  EXPECT_EQ(Run(program), "OK: 0 of 0 tables have new filters\n");
}

}  // namespace
}  // namespace oneline
