// Tests of the manual pages and of bash's completion of the built program.

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_directory.h"
#include "tests/tools/command_names.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

TEST(ManualOfTheProgramTest, HasAPageOfEachCommand) {
  const TemporaryDirectory directory;
  const Finished program = RunOneline("help --install " + directory.path());
  EXPECT_EQ(program.exit_code, 0) << program.err;
  EXPECT_EQ(program.out + program.err, "");
  const std::string pages = directory.File("man/man1/oneline");
  EXPECT_TRUE(Contains(ReadWholeFile(pages + ".1"), ".SH EXIT STATUS"));
  for (const std::string& command : CommandNames()) {
    const std::string page = ReadWholeFile(pages + "-" + command + ".1");
    EXPECT_EQ(page.rfind(".TH ONELINE\\-", 0), std::string::npos);
    for (const char* section :
         {"NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES"}) {
      EXPECT_TRUE(Contains(page, std::string("\n.SH ") + section + "\n"));
    }
  }
}

// What bash offers when the last word is to be completed.
std::string Offered(const std::string& words, int last) {
  const TemporaryDirectory directory;
  RunOneline("help --install " + directory.path());
  return RunProgram("bash -c 'cd " + directory.path() +
                    " && . bash-completion/completions/oneline && "
                    "COMP_WORDS=(oneline " +
                    words + ") COMP_CWORD=" + std::to_string(last) +
                    "; _oneline; echo $(printf \"%s\\n\" \"${COMPREPLY[@]}\" | "
                    "LC_ALL=C sort)'")
      .out;
}

TEST(ManualOfTheProgramTest, BashCompletes) {
  EXPECT_EQ(Offered("ins", 1), "inspect\n");
  EXPECT_EQ(Offered("--v", 1), "--version\n");
  EXPECT_EQ(Offered("help ver", 2), "verify\n");
  EXPECT_EQ(Offered("verify --j", 2), "--jobs= --json\n");
  EXPECT_EQ(Offered("verify db --ra", 3), "--rate=\n");
  EXPECT_EQ(Offered("verify --wat", 2), "\n");
  EXPECT_EQ(Offered("verify ba", 2), "bash-completion\n");
  EXPECT_EQ(Offered("inspect --svg = m", 4), "man\n");
  EXPECT_EQ(Offered("inspect --svg =", 3), "bash-completion man\n");
  for (const std::string& command : CommandNames()) {
    EXPECT_TRUE(Contains(Offered("''", 1), " " + command));
    EXPECT_TRUE(Contains(Offered(command + " --", 2), "--help"));
  }
}

}  // namespace
}  // namespace oneline
