// The program that docs/installing.md shows, compiled as it stands there, and
// the commands of docs/operations.md.

#include "tests/testing.h"

namespace oneline {
namespace {

std::string Printed(const std::string& command) {
  const Finished run = RunProgram(command);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.out;
}

TEST(PagesTest, TheProgramWritesATableWithOurFilter) {
  const TemporaryDirectory directory;
  const std::string database = directory.File("db");
  EXPECT_EQ(Printed("tests/pages/installing_program " + database),
            "OK: value\n");
  const std::string tables = Printed("tools/oneline inspect " + database);
  EXPECT_NE(tables.find(" ribbon "), std::string::npos) << tables;
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
TEST(PagesTest, CommandsOfOperationsSucceedOneAfterTheOther) {
  const TemporaryDirectory directory;
  const std::string here = std::filesystem::absolute(".");
  std::string commands = CommandsOf("docs/operations.md");
  const std::pair<std::string, std::string> kReplaced[] = {
      {"make build\n", ""},
      {"$PWD/bazel-bin/tools", here + "/tools"},
      {"$PWD/bazel-bin/", here + "/"},
      {"/tmp/try", directory.File("try")},
      {"--num=2000000", "--num=200000"}};
  for (const auto& [old, by] : kReplaced) {
    ASSERT_NE(commands.find(old), std::string::npos) << old;
    for (size_t at = 0; (at = commands.find(old, at)) != std::string::npos;) {
      commands.replace(at, old.size(), by);
      at += by.size();
    }
  }
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
