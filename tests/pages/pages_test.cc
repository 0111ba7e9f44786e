// The programs that pages show, compiled as they stand there, and the commands
// of docs/operations.md.

#include "tests/testing.h"

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
  EXPECT_EQ(Run("tests/pages/installing_program "), "OK: value\n");
  ExpectOurFilters();
}

// It gives the tables of a database our filters while it has it open.
TEST_F(PagesTest, ThatOfOperationsGivesTablesNewFilters) {
  Run("db_bench --bloom_bits=10 --num=20000 --benchmarks=fillrandom,flush"
      " --db=");
  const std::string program = "tests/pages/operations_program ";
  EXPECT_EQ(Run(program), "OK: 1 of 1 tables have new filters\n");
  ExpectOurFilters();
  EXPECT_EQ(Run(program), "OK: 0 of 0 tables have new filters\n");
}

// The page's indented blocks that begin with a command, in their order.
std::string CommandsOf(const std::string& page) {
  std::string commands;
  std::ifstream lines(page);
  bool in_block = false;
  size_t indent = 0;  // of a block of commands
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find_first_not_of(' ');
    const bool begins = !in_block;
    in_block = at != line.npos && at >= 4;
    if (!in_block || begins) indent = 0;
    for (const char* command : {"make build", "oneline ", "LD_PRELOAD="}) {
      if (in_block && begins && line.find(command) == at) indent = at;
    }
    if (indent != 0) commands += line.substr(indent) + "\n";
  }
  return commands;
}

// With the programs of this build, another directory and fewer keys.
TEST_F(PagesTest, CommandsOfOperationsSucceedOneAfterTheOther) {
  const std::string here = std::filesystem::absolute(".");
  std::string commands = CommandsOf("docs/operations.md");
  const std::pair<std::string, std::string> kReplaced[] = {
      {"make build\n", ""},
      {"$PWD/bazel-bin/tools", here + "/tools"},
      {"$PWD/bazel-bin/", here + "/"},
      {"/tmp/try", directory_.File("try")},
      {"--num=2000000", "--num=200000"}};
  for (const auto& [old, by] : kReplaced) {
    ASSERT_NE(commands.find(old), std::string::npos) << old;
    for (size_t at = 0; (at = commands.find(old, at)) != std::string::npos;) {
      commands.replace(at, old.size(), by);
      at += by.size();
    }
  }
  std::ofstream(directory_.File("commands")) << commands;
  const Finished run = RunProgram("sh -e " + directory_.File("commands"));
  EXPECT_EQ(run.exit_code, 0) << commands << run.out << run.err;
  for (const char* printed :
       {"tables rewritten",
        "bloom.filter.full.positive COUNT : ", "filter_policy={id=oneline;"}) {
    EXPECT_NE(run.out.find(printed), std::string::npos) << printed << run.out;
  }
  EXPECT_NE(ReadWholeFile(directory_.File("try/doctor.json")), "");
  EXPECT_TRUE(std::filesystem::exists(directory_.File("try/db.before")));
}

}  // namespace
}  // namespace oneline
