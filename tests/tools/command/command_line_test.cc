// Tests of tools/command/command_line.cc and flags.cc with a made-up command:
// which values its flags and arguments get, the help, and the errors.

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "filter_policy/options/option_table.h"
#include "tests/testing.h"
#include "tools/command/command.h"

namespace oneline {
namespace {

using Words = std::vector<std::string>;

struct Seen {
  std::string path, name;
  Words list, given;
  bool json = false;
  int jobs = 2;
  uint64_t probes = 100000;
  std::optional<double> rate, memory;
  int runs = 0;
} seen;

std::function<absl::StatusOr<int>()> DefineLook(Flags* flags) {
  flags->Argument("PATH", &seen.path);
  flags->Switch("--json", "print JSON", &seen.json);
  flags->Text("--name=NAME", "a name", &seen.name);
  flags->List("--list=NAMES", "names", &seen.list);
  flags->Number("--jobs=N", "tables at a time", {1, 256}, &seen.jobs);
  flags->Number("--probes=N", "random keys", {0, 1e9}, &seen.probes);
  flags->Number("--fp_rate=RATE", "a rate", {1e-9, 0.5}, &seen.rate);
  flags->Size("--memory=SIZE", "a size", {1024, 1 << 30}, &seen.memory);
  return [flags]() -> absl::StatusOr<int> {
    ++seen.runs;
    seen.given = flags->Given();
    if (seen.name == "wrong") return absl::NotFoundError("db: no such file");
    absl::PrintF("looked\n");
    return seen.name == "found" ? kExitFound : kExitFine;
  };
}

std::function<absl::StatusOr<int>()> DefineMany(Flags* flags) {
  flags->Arguments("PATH", 1, &seen.list);
  return [] { return kExitFine; };
}

const Command kLook = {"look", "PATH [FLAGS]", "looks", "Looks at it.\n",
                       &DefineLook};
const Command kMany = {"look-at-all", "PATH...", "looks at all", "Looks.\n",
                       &DefineMany};

struct Result {
  int code;
  std::string out, err;
};

Result RunWords(const Words& words) {
  seen = Seen();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = RunCommandLine({&kLook, &kMany}, words);
  return {code, testing::internal::GetCapturedStdout(),
          testing::internal::GetCapturedStderr()};
}

TEST(CommandLineTest, FlagsAndArgumentsComeInAnyOrder) {
  for (const Words& words :
       {Words{"look", "db", "--jobs=3", "--json"},
        {"look", "--jobs", "3", "--json", "db"},
        {"look", "--json=true", "db", "--jobs=2", "--jobs=3"}}) {
    const Result result = RunWords(words);
    EXPECT_EQ(result.code, kExitFine) << result.err;
    EXPECT_EQ(result.out, "looked\n");
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(seen.path, "db");
    EXPECT_EQ(seen.jobs, 3);
    EXPECT_TRUE(seen.json);
    EXPECT_EQ(seen.given, (Words{"--json", "--jobs"}));
  }
  // After two dashes there are arguments only.
  EXPECT_EQ(RunWords({"look", "--", "--json"}).code, kExitFine);
  EXPECT_EQ(seen.path, "--json");
  // A database may have the name of a command, and there may be several.
  EXPECT_EQ(RunWords({"look-at-all", "look", "-", "help"}).code, kExitFine);
  EXPECT_EQ(seen.list, (Words{"look", "-", "help"}));
}

TEST(CommandLineTest, ValuesOfFlags) {
  EXPECT_EQ(RunWords({"look", "db", "--probes=1e6", "--fp_rate=1e-9",
                      "--memory=1.5MiB", "--list=a,b c", "--name=a,b"})
                .err,
            "");
  EXPECT_EQ(seen.probes, 1000000u);
  EXPECT_EQ(seen.rate, 1e-9);
  EXPECT_EQ(seen.memory, 3 << 19);
  EXPECT_EQ(seen.list, (Words{"a", "b c"}));
  EXPECT_EQ(seen.name, "a,b");
  EXPECT_EQ(RunWords({"look", "db", "--probes=1G"}).err, "");
  EXPECT_EQ(seen.probes, 1000000000u);
  EXPECT_EQ(seen.jobs, 2);
  EXPECT_FALSE(seen.rate.has_value());
}

TEST(CommandLineTest, ExitCodesAreThoseOfTheCommand) {
  EXPECT_EQ(RunWords({"look", "db", "--name=found"}).code, kExitFound);
  const Result result = RunWords({"look", "db", "--name=wrong"});
  EXPECT_EQ(result.code, kExitFailed);
  EXPECT_EQ(result.err, "oneline look: db: no such file\n");
}

TEST(CommandLineTest, WrongWordsAreRefused) {
  const std::string all =
      "; it takes --json, --name, --list, --jobs, --probes, --fp_rate, "
      "--memory";
  const std::string commands = "; the commands are look, look-at-all";
  const std::string whole = ": must be a whole number from 1 to 256";
  const std::string size =
      ": must be a size as 512MiB, 1.5GB or 4096, from 1.00 KiB to 1.00 GiB";
  const std::string usage = "; usage: oneline look PATH [FLAGS]";
  for (const auto& [words, error] : std::vector<std::pair<Words, std::string>>{
           {{"frobnicate"}, ": there is no command 'frobnicate'" + commands},
           {{"lok"}, ": there is no command 'lok'; do you mean look?"},
           {{"look", "db", "--wat"}, " look: there is no flag --wat" + all},
           {{"look", "db", "--job=3"},
            " look: there is no flag --job; do you mean --jobs?"},
           {{"look", "db", "--mem=3"},
            " look: there is no flag --mem; do you mean --memory?"},
           {{"look", "db", "-jobs", "3"},
            " look: there is no flag -jobs; do you mean --jobs?"},
           {{"look", "db", "--jobs=many"}, " look: --jobs=many" + whole},
           {{"look", "db", "--jobs=257"}, " look: --jobs=257" + whole},
           {{"look", "db", "--jobs=1.5"}, " look: --jobs=1.5" + whole},
           {{"look", "db", "--fp_rate=0.6"},
            " look: --fp_rate=0.6: must be a number from 1e-9 to 0.5"},
           {{"look", "db", "--fp_rate=nan"},
            " look: --fp_rate=nan: must be a number from 1e-9 to 0.5"},
           {{"look", "db", "--memory=1mb?"}, " look: --memory=1mb?" + size},
           // Not the next word's.
           {{"look", "--name=", "db"},
            " look: --name= is empty; it needs a value"},
           {{"look", "db", "--name", ""},
            " look: --name is empty; it needs a value"},
           {{"look", "db", "--jobs"}, " look: --jobs needs a value"},
           {{"look"}, " look: PATH is required" + usage},
           {{"look", "a", "b"}, " look: unexpected argument 'b'" + usage}}) {
    const Result result = RunWords(words);
    EXPECT_EQ(result.code, kExitFailed);
    EXPECT_EQ(result.err, "oneline" + error + "\n");
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(seen.runs, 0);
  }
  EXPECT_EQ(RunWords({"look", "db", "--json=perhaps"}).code, kExitFailed);
}

TEST(CommandLineTest, HelpOfACommand) {
  const std::string help = RunWords({"look", "--help"}).out;
  EXPECT_EQ(
      help,
      "Usage: oneline look PATH [FLAGS]\n\nLooks at it.\n\nOptions:\n\n"
      "  --json                print JSON\n"
      "  --name=NAME           a name\n"
      "  --list=NAMES          names, separated by commas\n"
      "  --jobs=N              tables at a time, 1 to 256; 2 if not given\n"
      "  --probes=N            random keys, 0 to 1e9; 100000 if not given\n"
      "  --fp_rate=RATE        a rate, 1e-9 to 0.5\n"
      "  --memory=SIZE         a size\n");
  for (const Words& words : {Words{"help", "look"},
                             {"look", "-h"},
                             {"look", "a", "b", "--jobs=x", "--help"},
                             {"--help", "look"}}) {
    EXPECT_EQ(RunWords(words).out, help) << absl::StrJoin(words, " ");
    EXPECT_EQ(seen.runs, 0);
  }
}

TEST(CommandLineTest, TheOverviewHasAllCommandsAndOptionsOfFilters) {
  const Result help = RunWords({"help"});
  EXPECT_EQ(help.code, kExitFine);
  EXPECT_EQ(RunWords({"--help"}).out, help.out);
  // Without any words the overview is the error.
  const Result nothing = RunWords({});
  EXPECT_EQ(nothing.code, kExitFailed);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, help.out);

  EXPECT_NE(help.out.find("\n  look      looks\n"
                          "  look-at-all\n            looks at all\n\n"),
            std::string::npos)
      << help.out;
  for (const OptionRow& option : kOptions) {
    const std::string name = std::string("\n  ") + option.name + " ";
    EXPECT_NE(help.out.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace oneline
