// Tests of the built program `oneline`: errors in writing its output, and the
// examples in each command's --help.

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

std::string Program() { return std::filesystem::absolute("tools/oneline"); }

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// From the overview: "  size      what filters ...". Filter options follow
// the commands.
std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const std::string& line : Lines(RunProgram(Program() + " help").out)) {
    if (line.compare(0, 2, "  ") == 0) {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    } else if (!names.empty()) {
      break;
    }
  }
  return names;
}

const char* const kSmallAndLargeOutputs[] = {
    "help", "--version", "size --help", "size --keys=1e9 --bits_per_key=10",
    "size --keys=1e9 --bits_per_key=10 --levels=4 --json"};

TEST(OnelineTest, AFullDiskIsAnError) {
  for (const std::string words : kSmallAndLargeOutputs) {
    const TemporaryDirectory directory;
    const std::string err = directory.File("err");
    // In an inner shell, since RunProgram adds redirections of its own.
    const Finished program = RunProgram("sh -c '" + Program() + " " + words +
                                        " >/dev/full 2>" + err + "'");
    EXPECT_EQ(program.exit_code, 2) << words;
    EXPECT_EQ(ReadWholeFile(err), "oneline: the output could not be written\n");
  }
}

// "| head" ends it without an error message, as it does other programs.
TEST(OnelineTest, AClosedPipeEndsIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  ASSERT_EQ(dup2(ends[1], 9), 9);
  for (const std::string words : kSmallAndLargeOutputs) {
    const Finished program =
        RunProgram("sh -c '" + Program() + " " + words + " >&9'");
    EXPECT_EQ(program.exit_code, 128 + SIGPIPE) << words;
    EXPECT_EQ(program.err, "");
  }
  close(ends[1]);
  close(9);
}

// Without memory it ends with an error, and is not aborted by an exception.
// (127: it could not even be started. 139: RocksDB's block cache uses memory
// that it did not get.)
TEST(OnelineTest, TooLittleMemoryIsAnError) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need all addresses";
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 9; ++i) database.WriteTable(i, 20000);
  database.Close();
  for (const int kilobytes : {20000, 40000, 60000, 80000, 100000, 200000}) {
    for (const std::string words :
         {"verify --jobs=64 ", "inspect --jobs=64 ", "doctor --jobs=64 "}) {
      const Finished program =
          RunProgram("{ ulimit -v " + std::to_string(kilobytes) + "; " +
                     Program() + " " + words + database.path() + "; }");
      EXPECT_TRUE(program.exit_code == 0 || program.exit_code == 2 ||
                  program.exit_code == 127 || program.exit_code == 139)
          << kilobytes << " " << words << program.exit_code << program.err;
      EXPECT_EQ(program.err.find("terminate"), std::string::npos)
          << program.err;
      EXPECT_EQ(program.err.find("aborted"), std::string::npos) << program.err;
    }
  }
}

TEST(OnelineTest, SaysItsVersion) {
  const Finished program = RunProgram(Program() + " --version");
  EXPECT_EQ(program.exit_code, 0);
  EXPECT_EQ(program.out.find("oneline, filter format "), 0u);
  EXPECT_EQ(Lines(program.out).size(), 1u);
}

TEST(OnelineTest, AWrongCommandNamesTheRightOnes) {
  const Finished program = RunProgram(Program() + " sice --keys=3");
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_EQ(program.out, "");
  EXPECT_EQ(program.err.find(
                "oneline: there is no command 'sice'; the commands are "),
            0u);
  EXPECT_EQ(Lines(program.err).size(), 1u);
  for (const std::string& name : CommandNames()) {
    EXPECT_NE(program.err.find(name), std::string::npos) << name;
  }
}

// An example is a line that begins with "    oneline ". It runs in a directory
// in which "db" is a database with our filters.
TEST(OnelineTest, TheExamplesOfHelpWork) {
  const TemporaryDirectory directory;
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 20000);
  database.Close();
  std::filesystem::create_directory_symlink(database.path(),
                                            directory.File("db"));
  std::filesystem::create_symlink(Program(), directory.File("oneline"));
  std::ofstream(directory.File("urls")) << "http://example.org/\n";
  const std::vector<std::string> names = CommandNames();
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    const Finished help = RunProgram(Program() + " " + name + " --help");
    EXPECT_EQ(help.exit_code, 0);
    int examples = 0;
    for (const std::string& line : Lines(help.out)) {
      if (line.compare(0, 12, "    oneline ") != 0) continue;
      ++examples;
      const Finished program = RunProgram("cd " + directory.path() +
                                          " && PATH=.:$PATH " + line.substr(4));
      EXPECT_EQ(program.exit_code, 0) << line << "\n" << program.err;
      EXPECT_NE(program.out, "") << line;
    }
    EXPECT_GT(examples, 0) << name;
  }
}

}  // namespace
}  // namespace oneline
