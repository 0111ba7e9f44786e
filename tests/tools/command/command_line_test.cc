// Tests of tools/command/command_line.h and command_help.h with made-up
// commands: which one runs, with which flags and arguments; the help, and the
// errors.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "filter_policy/options/option_table.h"
#include "tools/command/command.h"
#include "tools/command/command_help.h"
#include "tools/command/flags.h"

namespace oneline {
namespace {

std::vector<std::string> arguments_seen;
int runs = 0;

absl::StatusOr<int> Look(const std::vector<std::string>& arguments) {
  ++runs;
  arguments_seen = arguments;
  absl::PrintF("looked\n");
  return kExitFine;
}
absl::StatusOr<int> FindSomething(const std::vector<std::string>&) {
  return kExitFound;
}
absl::StatusOr<int> GoWrong(const std::vector<std::string>&) {
  return absl::NotFoundError("db: no such file");
}

const Command kLook = {"look",
                       "[PATH] [FLAGS]",
                       "looks",
                       "Looks at it.\n",
                       {"jobs", "json", "memory", "fp_rate"},
                       0,
                       1,
                       &Look};
const Command kFind = {
    "find",        "PATH\n            [NONE]", "finds", "Finds.\n", {}, 1, 1,
    &FindSomething};
const Command kWrong = {"wrong", "", "goes wrong", "Goes wrong.\n", {},
                        0,       0,  &GoWrong};

struct Result {
  int code;
  std::string out;
  std::string err;
};

Result RunWords(const std::vector<std::string>& words) {
  runs = 0;
  arguments_seen.clear();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = RunCommandLine({&kLook, &kFind, &kWrong}, words);
  return {code, testing::internal::GetCapturedStdout(),
          testing::internal::GetCapturedStderr()};
}

class CommandLineTest : public testing::Test {
 private:
  const absl::FlagSaver flags_;  // each test begins with the defaults
};

TEST_F(CommandLineTest, FlagsAndArgumentsComeInAnyOrder) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"look", "db", "--jobs=3", "--json"},
        {"look", "--jobs", "3", "--json", "db"},
        {"look", "--json", "db", "-jobs", "3"},
        {"look", "--json=true", "db", "-jobs=3"}}) {
    absl::SetFlag(&FLAGS_jobs, JobCount{1});
    absl::SetFlag(&FLAGS_json, false);
    const Result result = RunWords(words);
    EXPECT_EQ(result.code, kExitFine);
    EXPECT_EQ(result.out, "looked\n");
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(arguments_seen, std::vector<std::string>{"db"});
    EXPECT_EQ(absl::GetFlag(FLAGS_jobs).jobs, 3);
    EXPECT_TRUE(absl::GetFlag(FLAGS_json));
  }
  // After two dashes there are arguments only.
  EXPECT_EQ(RunWords({"look", "--", "--json"}).code, kExitFine);
  EXPECT_EQ(arguments_seen, std::vector<std::string>{"--json"});
  EXPECT_EQ(RunWords({"look", "-"}).code, kExitFine);
  EXPECT_EQ(arguments_seen, std::vector<std::string>{"-"});
}

TEST_F(CommandLineTest, ExitCodesAreThoseOfTheCommand) {
  EXPECT_EQ(RunWords({"find", "db"}).code, kExitFound);
  const Result result = RunWords({"wrong"});
  EXPECT_EQ(result.code, kExitFailed);
  EXPECT_EQ(result.err, "oneline wrong: db: no such file\n");
}

// Flags of other commands, and Abseil's own, are unknown too.
TEST_F(CommandLineTest, WrongWordsAreRefused) {
  const std::string no_command = ": there is no command '";
  const std::string commands = "'; the commands are look, find, wrong";
  const std::string no_flag = " look: there is no flag ";
  const std::string takes = "; it takes --jobs, --json, --memory, --fp_rate";
  const std::string jobs = "number of tables to process in parallel, 1 to 256";
  for (const auto& [words, error] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"frobnicate"}, no_command + "frobnicate" + commands},
           {{"help", "frobnicate"}, no_command + "frobnicate" + commands},
           {{""}, no_command + commands},
           {{"look", "--wat"}, no_flag + "--wat" + takes},
           {{"look", "--bits_per_key=3"}, no_flag + "--bits_per_key" + takes},
           {{"look", "--flagfile=f"}, no_flag + "--flagfile" + takes},
           {{"look", "--nojobs"}, no_flag + "--nojobs" + takes},
           {{"look", "--nojson"},
            no_flag + "--nojson: --json is off unless given"},
           {{"look", "--job=3"}, no_flag + "--job; do you mean --jobs?"},
           {{"look", "--fprate=3"},
            no_flag + "--fprate; do you mean --fp_rate?"},
           {{"lok"}, no_command + "lok'; do you mean look?"},
           {{"help", "lok"}, no_command + "lok'; do you mean look?"},
           {{"help", "--install"},
            " help: --install needs a directory: ~/.local/share"},
           {{"help", "--install", "/dev/null"},
            " help: /dev/null/bash-completion/completions/oneline: can't be "
            "written"},
           {{"look", "-x"}, no_flag + "--x" + takes},
           {{"find", "--json", "db"},
            " find: there is no flag --json; it takes no flags"},
           {{"look", "--jobs=many"},
            " look: --jobs=many: must be a number from 1 to 256"},
           {{"look", "--jobs="},
            " look: --jobs= is empty; it needs a value: " + jobs},
           {{"look", "db", "--jobs"}, " look: --jobs needs a value: " + jobs},
           {{"look", "--json=perhaps"},
            " look: --json=perhaps: must be true or false"},
           {{"look", "--fp_rate=x"},
            " look: --fp_rate=x: must be a number: the fraction of absent "
            "keys that a filter matches, 1e-9 to 0.5"},
           {{"find"},
            " find: an argument is missing; usage: oneline find PATH [NONE]"},
           {{"find", "a", "b"},
            " find: unexpected argument 'b'; usage: oneline find PATH "
            "[NONE]"}}) {
    const Result result = RunWords(words);
    EXPECT_EQ(result.code, kExitFailed);
    EXPECT_EQ(result.err, "oneline" + error + "\n");
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(runs, 0);
  }
}

TEST_F(CommandLineTest, HelpOfACommand) {
  const std::string help = RunWords({"look", "--help"}).out;
  EXPECT_EQ(
      help,
      "usage: oneline look [PATH] [FLAGS]\n\nLooks at it.\n\nFlags:\n\n"
      "  --jobs=N              number of tables to process in parallel, 1 to "
      "256; 1 if\n                        not given\n"
      "  --json                print JSON instead of text\n"
      "  --memory=SIZE         memory of all filters, such as 512MiB\n"
      "  --fp_rate=RATE        the fraction of absent keys that a filter "
      "matches, 1e-9\n                        to 0.5\n");
  EXPECT_EQ(runs, 0);
  // The same in any place of the command line.
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"help", "look"},
        {"look", "-h"},
        {"look", "a", "b", "--help"},
        {"--help", "look"}}) {
    const Result result = RunWords(words);
    EXPECT_EQ(result.code, kExitFine);
    EXPECT_EQ(result.out, help);
    EXPECT_EQ(runs, 0);
  }
  EXPECT_EQ(RunWords({"find", "--help"}).out,
            "usage: oneline find PATH\n            [NONE]\n\nFinds.\n");
}

TEST_F(CommandLineTest, Overview) {
  const Result asked = RunWords({"help"});
  EXPECT_EQ(asked.code, kExitFine);
  EXPECT_EQ(asked.err, "");
  EXPECT_EQ(asked.out, HelpOf(OverviewOf({&kLook, &kFind, &kWrong})));
  EXPECT_EQ(RunWords({"--help"}).out, asked.out);
  // Without any words the overview is the error.
  const Result nothing = RunWords({});
  EXPECT_EQ(nothing.code, kExitFailed);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, asked.out);
}

TEST(CommandHelpTest, TheOverviewHasEveryCommandAndFitsATerminal) {
  Command everywhere = kFind;
  everywhere.name = "look-everywhere";
  const std::string help = HelpOf(OverviewOf({&kLook, &everywhere}));
  EXPECT_EQ(help.rfind("usage: oneline COMMAND [FLAGS] [ARGUMENTS]\n\n", 0),
            0u);
  EXPECT_NE(help.find("\n  look      looks\n"
                      "  look-everywhere\n            finds\n\n"),
            std::string::npos)
      << help;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(CommandHelpTest, TheOverviewHasEveryFilterOption) {
  std::istringstream overview(HelpOf(OverviewOf({})));
  std::string words;  // with single spaces
  for (std::string word; overview >> word;) words += word + " ";
  for (const OptionRow& option : kOptions) {
    std::string expected = std::string(option.name) + " " + option.bounds;
    const std::string default_text = option.default_text;
    if (!default_text.empty()) expected += " (default: " + default_text + ")";
    expected += std::string(": ") + option.help + " ";
    EXPECT_NE(words.find(expected), std::string::npos) << expected;
  }
}

TEST(CommandHelpTest, AFlagCanMeanSomethingElseToOneCommand) {
  Command sieve = kLook;
  sieve.name = "sieve";
  EXPECT_EQ(TextOf("memory", sieve).help,
            "memory of the database, at least 8MiB; 256MiB if not given");
}

}  // namespace
}  // namespace oneline
