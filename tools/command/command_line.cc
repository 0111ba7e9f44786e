// Parses the command line of `oneline`, prints help, and runs the command.

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <optional>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/version.h"
#include "table/environment/edit_distance.h"
#include "tools/command/command.h"
#include "tools/command/command_help.h"
#include "tools/command/flags.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

absl::CommandLineFlag& Flag(absl::string_view name) {
  absl::CommandLineFlag* const flag = absl::FindCommandLineFlag(name);
  assert(flag != nullptr);
  return *flag;
}

bool Takes(const Command& command, absl::string_view flag) {
  return std::find(command.flags.begin(), command.flags.end(), flag) !=
         command.flags.end();
}

// "; do you mean --jobs?" if one of the names is nearly the one that was
// written; otherwise which there are: "; it takes --jobs, --json".
std::string Instead(absl::string_view written, const char* dashes,
                    const std::vector<absl::string_view>& names,
                    const char* these) {
  std::vector<std::string> all;
  for (const absl::string_view name : names) {
    all.push_back(absl::StrCat(dashes, name));
    if (IsMisspelled({written.data(), written.size()},
                     {name.data(), name.size()})) {
      return absl::StrCat("; do you mean ", all.back(), "?");
    }
  }
  if (all.empty()) return "; it takes no flags";
  return absl::StrCat("; ", these, " ", absl::StrJoin(all, ", "));
}

// What a value must be. Taken from Abseil's error, without its beginning, which
// repeats the flag and the value.
std::string ValidValues(const absl::CommandLineFlag& flag,
                        const Command& command, const std::string& value,
                        absl::string_view error) {
  const std::string beginning = absl::StrCat(
      "Illegal value '", value, "' specified for flag '", flag.Name(), "'");
  if (absl::ConsumePrefix(&error, beginning)) absl::ConsumePrefix(&error, "; ");
  if (!error.empty()) return std::string(error);
  if (flag.IsOfType<bool>()) return "must be true or false";
  const bool whole =
      flag.IsOfType<int>() || flag.IsOfType<std::optional<int>>();
  return absl::StrCat("must be a ", whole ? "whole " : "",
                      "number: ", TextOf(flag.Name(), command).help);
}

absl::Status NoSuchFlag(const Command& command, const std::string& name) {
  const bool negated = absl::StartsWith(name, "no") &&
                       Takes(command, name.substr(2)) &&
                       Flag(name.substr(2)).IsOfType<bool>();
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no flag --", name,
      negated ? absl::StrCat(": --", name.substr(2), " is off unless given")
              : Instead(name, "--", command.flags, "it takes")));
}

// Sets the flag that begins at words[*next], and moves `next` past it. Flags
// are written "--name=value" or "--name value", switches "--name".
absl::Status SetFlag(const Command& command,
                     const std::vector<std::string>& words, size_t* next) {
  const std::string& word = words[(*next)++];
  const size_t dashes = word.compare(0, 2, "--") == 0 ? 2 : 1;
  const size_t equals = word.find('=');
  const std::string name = word.substr(
      dashes, equals == std::string::npos ? equals : equals - dashes);
  if (!Takes(command, name)) return NoSuchFlag(command, name);
  absl::CommandLineFlag& flag = Flag(name);
  std::string value;
  if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else if (flag.IsOfType<bool>()) {
    value = "true";
  } else if (*next < words.size()) {
    value = words[(*next)++];
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", name, " needs a value: ", TextOf(name, command).help));
  }
  if (value.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", name,
        "= is empty; it needs a value: ", TextOf(name, command).help));
  }
  std::string error;
  const bool is_parsed = flag.ParseFrom(value, &error);
  const absl::Status bounds = CheckBounds(flag);
  if (is_parsed && bounds.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--", name, "=", value, ": ",
      is_parsed ? bounds.message() : ValidValues(flag, command, value, error)));
}

int Fail(absl::string_view who, absl::string_view why) {
  absl::FPrintF(stderr, "%s: %s\n", who, Printable(why));
  return kExitFailed;
}

bool AsksForHelp(const std::string& word) {
  return word == "--help" || word == "-h";
}

int Run(const Command& command, const std::vector<std::string>& words) {
  const std::string who = absl::StrCat("oneline ", command.name);
  std::vector<std::string> arguments;
  for (size_t next = 0; next < words.size();) {
    const std::string& word = words[next];
    if (AsksForHelp(word)) {
      absl::PrintF("%s", HelpOf(command));
      return kExitFine;
    }
    if (word == "--") {
      arguments.insert(arguments.end(), words.begin() + next + 1, words.end());
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      const absl::Status status = SetFlag(command, words, &next);
      if (!status.ok()) return Fail(who, status.message());
    } else {
      arguments.push_back(word);
      ++next;
    }
  }
  if (arguments.size() < command.min_arguments ||
      arguments.size() > command.max_arguments) {
    std::string usage = UsageOf(command);  // in one line, as errors are
    absl::RemoveExtraAsciiWhitespace(&usage);
    return Fail(who, absl::StrCat(arguments.size() > command.max_arguments
                                      ? absl::StrCat("unexpected argument '",
                                                     arguments.back(), "'")
                                      : "an argument is missing",
                                  "; usage: ", usage));
  }
  if (absl::GetFlag(FLAGS_json) && absl::GetFlag(FLAGS_prometheus)) {
    return Fail(who, "give --json or --prometheus, not both");
  }
  const absl::StatusOr<int> code = command.run(arguments);
  return code.ok() ? *code : Fail(who, code.status().message());
}

int RunCommand(const std::vector<const Command*>& commands,
               const std::string& name, const std::vector<std::string>& words) {
  std::vector<absl::string_view> names;
  for (const Command* command : commands) {
    if (command->name == name) return Run(*command, words);
    names.push_back(command->name);
  }
  return Fail("oneline",
              absl::StrCat("there is no command '", name, "'",
                           Instead(name, "", names, "the commands are")));
}

int RunHelp(const std::vector<const Command*>& commands,
            const std::vector<std::string>& words) {
  if (words.empty()) {
    absl::PrintF("%s", HelpOf(OverviewOf(commands)));
    return kExitFine;
  }
  if (words[0] != "--install") {
    return RunCommand(commands, words[0], {"--help"});
  }
  if (words.size() != 2) {
    return Fail("oneline help", "--install needs a directory: ~/.local/share");
  }
  const absl::Status installed = InstallManual(commands, words[1]);
  return installed.ok() ? kExitFine : Fail("oneline help", installed.message());
}

int RunWords(const std::vector<const Command*>& commands,
             const std::vector<std::string>& words) {
  if (words.empty()) {
    absl::FPrintF(stderr, "%s", HelpOf(OverviewOf(commands)));
    return kExitFailed;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words[0] == "--version") {
    absl::PrintF("oneline %s for RocksDB %s\n", ONELINE_VERSION,
                 RocksDBVersionText());
    return kExitFine;
  }
  return words[0] == "help" || AsksForHelp(words[0])
             ? RunHelp(commands, rest)
             : RunCommand(commands, words[0], rest);
}

}  // namespace

int RunCommandLine(const std::vector<const Command*>& commands,
                   const std::vector<std::string>& words) {
  const int code = RunWords(commands, words);
  // Writing to a full disk may fail only when the buffer is flushed.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return Fail("oneline", "the output could not be written");
  }
  return code;
}

}  // namespace oneline
