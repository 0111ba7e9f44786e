// What docs/operations.md shows, as it stands there: the program, which gives
// the tables of a database our filters while it has it open, and the commands.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

TEST(OperationsTest, TheExampleGivesTablesNewFilters) {
  const TemporaryDirectory directory;
  const std::string database = directory.File("db");
  const Finished filled =
      RunProgram("db_bench --db=" + database +
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

void Replace(const std::string& old, const std::string& by, std::string* text) {
  ASSERT_NE(text->find(old), std::string::npos) << old;
  for (size_t at = 0; (at = text->find(old, at)) != text->npos;
       at += by.size()) {
    text->replace(at, old.size(), by);
  }
}

// With the programs of this build, another directory and fewer keys.
TEST(OperationsTest, TheCommandsSucceedOneAfterTheOther) {
  const TemporaryDirectory directory;
  const std::string here = std::filesystem::absolute(".");
  std::string commands = CommandsOf("docs/operations.md");
  Replace("make build\n", "", &commands);
  Replace("$PWD/bazel-bin/tools", here + "/tools", &commands);
  Replace("$PWD/bazel-bin/", here + "/", &commands);
  Replace("/tmp/try", directory.File("try"), &commands);
  Replace("--num=2000000", "--num=200000", &commands);
  std::ofstream(directory.File("commands")) << commands;
  const Finished run = RunProgram("sh -e " + directory.File("commands"));
  EXPECT_EQ(run.exit_code, 0) << commands << run.out << run.err;
  for (const char* printed :
       {"tables rewritten",
        "bloom.filter.full.positive COUNT : ", "filter_policy={id=oneline;"}) {
    EXPECT_NE(run.out.find(printed), std::string::npos) << printed << run.out;
  }
  EXPECT_NE(ReadWholeFile(directory.File("try/doctor.json")), "");
  EXPECT_TRUE(std::filesystem::exists(directory.File("try/db.before")));
}

}  // namespace
}  // namespace oneline
