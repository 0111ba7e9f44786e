#include "tools/command/command_line.h"

#include <rocksdb/version.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <optional>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "oneline/version.h"
#include "table/block/filter_block.h"
#include "tools/command/option_list.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

absl::CommandLineFlag& Flag(std::string_view name) {
  absl::CommandLineFlag* const flag = absl::FindCommandLineFlag(Absl(name));
  assert(flag != nullptr);
  return *flag;
}

bool Takes(const Command& command, std::string_view flag) {
  return std::find(command.flags.begin(), command.flags.end(), flag) !=
         command.flags.end();
}

std::string FlagsOf(const Command& command) {
  if (command.flags.empty()) return "it takes no flags";
  return absl::StrCat(
      "it takes ", absl::StrJoin(command.flags, ", ",
                                 [](std::string* out, std::string_view name) {
                                   absl::StrAppend(out, "--", Absl(name));
                                 }));
}

// What a flag means to the command: "...; in advise ..." says where it means
// something else.
std::string HelpOf(const absl::CommandLineFlag& flag, const Command& command) {
  const std::string help = flag.Help();
  const std::string here = absl::StrCat("; in ", Absl(command.name), " ");
  const size_t at = help.find(here);
  return at == std::string::npos ? help.substr(0, help.find("; in "))
                                 : help.substr(at + here.size());
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
                      "number: ", HelpOf(flag, command));
}

// Sets the flag that begins at words[*next], and moves `next` past it. Flags
// are written "--name=value" or "--name value", switches "--name" or
// "--noname".
absl::Status SetFlag(const Command& command,
                     const std::vector<std::string>& words, size_t* next) {
  const std::string& word = words[(*next)++];
  const size_t dashes = word.compare(0, 2, "--") == 0 ? 2 : 1;
  const size_t equals = word.find('=');
  std::string name = word.substr(
      dashes, equals == std::string::npos ? equals : equals - dashes);
  const bool negated =
      name.compare(0, 2, "no") == 0 && equals == std::string::npos &&
      Takes(command, name.substr(2)) && Flag(name.substr(2)).IsOfType<bool>();
  if (negated) name = name.substr(2);
  if (!Takes(command, name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no flag --", name, "; ", FlagsOf(command)));
  }
  absl::CommandLineFlag& flag = Flag(name);
  std::string value;
  if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else if (flag.IsOfType<bool>()) {
    value = negated ? "false" : "true";
  } else if (*next < words.size()) {
    value = words[(*next)++];
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " needs a value: ", HelpOf(flag, command)));
  }
  if (value.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", name, "= is empty; it needs a value: ", HelpOf(flag, command)));
  }
  std::string error;
  if (flag.ParseFrom(value, &error)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--", name, "=", value, ": ", ValidValues(flag, command, value, error)));
}

void PrintHelp(const Command& command) {
  absl::PrintF("usage: oneline %s %s\n\n%s", Absl(command.name), command.usage,
               command.description);
  if (command.flags.empty()) return;
  absl::PrintF("\nFlags:\n");
  for (const std::string_view name : command.flags) {
    const absl::CommandLineFlag& flag = Flag(name);
    const std::string value = flag.DefaultValue();
    const bool has_default = !value.empty() && !flag.IsOfType<bool>();
    absl::PrintF("  --%-16s %s%s\n", Absl(name), HelpOf(flag, command),
                 has_default ? absl::StrCat("; ", value, " if not given") : "");
  }
}

void PrintOverview(const std::vector<const Command*>& commands, FILE* out) {
  absl::FPrintF(out, "%s", R"(usage: oneline COMMAND [FLAGS] [ARGUMENTS]

Inspects, checks and sizes the filters of RocksDB's tables, and removes lines
that were seen before from a stream.

)");
  for (const Command* command : commands) {
    absl::FPrintF(out, "  %-9s %s\n", Absl(command->name), command->summary);
  }
  absl::FPrintF(out, "%s%s", R"(
'oneline COMMAND --help' explains a command and its flags.
Exit codes: 0 success, 1 a problem was found in the data, 2 the command failed.

)",
                OptionList());
}

int Fail(std::string_view who, std::string_view why) {
  absl::FPrintF(stderr, "%s: %s\n", Absl(who), Printable(why));
  return kExitFailed;
}

bool AsksForHelp(const std::string& word) {
  return word == "--help" || word == "-h";
}

int Run(const Command& command, const std::vector<std::string>& words) {
  const std::string who = absl::StrCat("oneline ", Absl(command.name));
  std::vector<std::string> arguments;
  for (size_t next = 0; next < words.size();) {
    const std::string& word = words[next];
    if (AsksForHelp(word)) {
      PrintHelp(command);
      return kExitFine;
    }
    if (word == "--") {
      arguments.insert(arguments.end(), words.begin() + next + 1, words.end());
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      const absl::Status status = SetFlag(command, words, &next);
      if (!status.ok()) {
        return Fail(who, {status.message().data(), status.message().size()});
      }
    } else {
      arguments.push_back(word);
      ++next;
    }
  }
  if (arguments.size() < command.min_arguments ||
      arguments.size() > command.max_arguments) {
    std::string usage(command.usage);  // in one line, as errors are
    absl::RemoveExtraAsciiWhitespace(&usage);
    return Fail(who, absl::StrCat(arguments.size() > command.max_arguments
                                      ? absl::StrCat("unexpected argument '",
                                                     arguments.back(), "'")
                                      : "an argument is missing",
                                  "; usage: ", who, " ", usage));
  }
  const absl::StatusOr<int> code = command.run(arguments);
  if (!code.ok()) {
    return Fail(
        who, {code.status().message().data(), code.status().message().size()});
  }
  return *code;
}

int RunWords(const std::vector<const Command*>& commands,
             const std::vector<std::string>& words) {
  if (words.empty()) {
    PrintOverview(commands, stderr);
    return kExitFailed;
  }
  std::string name = words[0];
  std::vector<std::string> rest(words.begin() + 1, words.end());
  if (AsksForHelp(name)) name = "help";
  if (name == "--version") {
    absl::PrintF("oneline %s, filter format %d, for RocksDB %d.%d.%d\n",
                 ONELINE_VERSION, kFormatVersion, ROCKSDB_MAJOR, ROCKSDB_MINOR,
                 ROCKSDB_PATCH);
    return kExitFine;
  }
  if (name == "help") {
    if (rest.empty()) {
      PrintOverview(commands, stdout);
      return kExitFine;
    }
    name = rest[0];
    rest = {"--help"};
  }
  for (const Command* command : commands) {
    if (command->name == name) return Run(*command, rest);
  }
  return Fail(
      "oneline",
      absl::StrCat(
          "there is no command '", name, "'; the commands are ",
          absl::StrJoin(commands, ", ", [](std::string* out, const Command* c) {
            absl::StrAppend(out, Absl(c->name));
          })));
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
