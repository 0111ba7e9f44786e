// Parses the command line of `oneline`, prints help, and runs the command.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/version.h"
#include "table/environment/edit_distance.h"
#include "tools/command/command.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

using Commands = std::vector<const Command*>;
using Words = std::vector<std::string>;

// A command with its flags, ready to parse.
struct Parser {
  explicit Parser(const Command& defined) : command(defined) {
    app.set_help_flag();  // help is printed here
    run = command.define(&flags);
  }

  const Command& command;
  CLI::App app;
  Flags flags{&app};
  std::function<absl::StatusOr<int>()> run;
};

std::vector<const CLI::Option*> FlagsOf(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return option->nonpositional(); });
}

// In one line, as errors are.
std::string ShortUsageOf(const Command& command) {
  std::string usage =
      absl::StrCat("; usage: oneline ", command.name, " ", command.usage);
  absl::RemoveExtraAsciiWhitespace(&usage);
  return usage;
}

std::string HelpOf(const Parser& parser) {
  const Command& command = parser.command;
  std::string help =
      absl::StrCat("Usage: oneline ", command.name, " ", command.usage, "\n\n",
                   command.description, "\nOptions:\n\n");
  for (const CLI::Option* flag : FlagsOf(parser.app)) {
    const std::string value = flag->get_type_name();
    absl::StrAppend(&help,
                    TermAndText(absl::StrCat(flag->get_name(),
                                             value.empty() ? "" : "=", value),
                                flag->get_description()));
  }
  return help;
}

std::string Overview(const Commands& commands) {
  std::string text =
      "Usage: oneline COMMAND [FLAGS] [ARGUMENTS]\n\n"
      "Inspects, checks and sizes the filters of RocksDB's tables, and removes "
      "lines\nthat were seen before from a stream.\n\n";
  for (const Command* command : commands) {
    absl::StrAppend(
        &text, TermAndText(command->name, command->summary, /*indent=*/12));
  }
  absl::StrAppend(&text, R"(
'oneline COMMAND --help' explains a command and its flags.

Exit codes: 0 success, 1 a problem was found in the data, 2 the command failed.

Filter options, for OPTIONS files:
filter_policy={id=oneline;NAME=VALUE;...}

)");
  for (const OptionRow& option : kOptions) {
    const std::string by_default =
        *option.default_text == '\0'
            ? ""
            : absl::StrCat(" (default: ", option.default_text, ")");
    absl::StrAppend(
        &text, TermAndText(option.name, absl::StrCat(option.bounds, by_default,
                                                     ": ", option.help)));
  }
  return text;
}

int Fail(absl::string_view who, absl::string_view why) {
  absl::FPrintF(stderr, "%s: %s\n", who, Printable(why));
  return kExitFailed;
}

// "; do you mean --jobs?" if one of the names is nearly the one that was
// written; otherwise which there are: "; it takes --jobs, --json".
std::string Instead(const std::string& written, const Words& names,
                    const char* these) {
  for (const bool is_cut : {true, false}) {  // a beginning is the better hint
    for (const std::string& name : names) {
      if (is_cut ? written.size() > 3 && absl::StartsWith(name, written)
                 : IsMisspelled(written, name)) {
        return absl::StrCat("; do you mean ", name, "?");
      }
    }
  }
  return absl::StrCat("; ", these, " ", absl::StrJoin(names, ", "));
}

std::string WhyUnexpected(const Parser& parser, const std::string& word) {
  if (!absl::StartsWith(word, "-")) {
    return absl::StrCat("unexpected argument '", word, "'",
                        ShortUsageOf(parser.command));
  }
  const std::string name = word.substr(0, word.find('='));
  Words names;
  for (const CLI::Option* flag : FlagsOf(parser.app)) {
    names.push_back(flag->get_name());
  }
  return absl::StrCat("there is no flag ", name,
                      Instead(name, names, "it takes"));
}

// InvalidArgument, in one line, if the words are not what the command takes.
absl::Status Parse(const Words& words, Parser* parser) {
  std::string why;
  try {
    for (const std::string& word : words) {
      if (word == "--") break;
      // CLI11 would take the next word as the value.
      if (absl::StartsWith(word, "--") && word.find('=') + 1 == word.size()) {
        throw CLI::ValidationError(word + " is empty; it needs a value");
      }
    }
    parser->app.parse(Words(words.rbegin(), words.rend()));
    return absl::OkStatus();
  } catch (const CLI::ExtrasError&) {
    why = WhyUnexpected(*parser, parser->app.remaining().front());
  } catch (const CLI::RequiredError& error) {
    why = absl::StrCat(error.what(), ShortUsageOf(parser->command));
  } catch (const CLI::ArgumentMismatch& error) {  // "--jobs: 1 required ..."
    const absl::string_view what = error.what();
    why = absl::StrCat(what.substr(0, what.find(':')), " needs a value");
  } catch (const CLI::ConversionError& error) {
    why = absl::StrCat(error.what(), ": must be true or false");
  } catch (const CLI::ParseError& error) {
    why = error.what();
  }
  return absl::InvalidArgumentError(why);
}

bool IsHelp(const std::string& word) {
  return word == "--help" || word == "-h";
}

int Run(const Command& command, const Words& words) {
  Parser parser(command);
  const auto end = std::find(words.begin(), words.end(), "--");
  if (std::any_of(words.begin(), end, IsHelp)) {
    absl::PrintF("%s", HelpOf(parser));
    return kExitFine;
  }
  // Commands pass RocksDB's options by value.
  const rocksdb::Status build = CheckExactVersion();
  if (!build.ok()) {
    absl::FPrintF(stderr, "%s\n", build.getState());
    return kExitFailed;
  }
  const absl::Status parsed = Parse(words, &parser);
  const absl::StatusOr<int> code = parsed.ok() ? parser.run() : parsed;
  return code.ok() ? *code
                   : Fail(absl::StrCat("oneline ", command.name),
                          code.status().message());
}

int RunCommand(const Commands& commands, const Words& words) {
  Words names;
  for (const Command* command : commands) {
    if (command->name == words[0]) {
      return Run(*command, Words(words.begin() + 1, words.end()));
    }
    names.push_back(command->name);
  }
  return Fail("oneline",
              absl::StrCat("there is no command '", words[0], "'",
                           Instead(words[0], names, "the commands are")));
}

int RunWords(const Commands& commands, const Words& words) {
  if (words.empty()) {
    absl::FPrintF(stderr, "%s", Overview(commands));
    return kExitFailed;
  }
  if (words[0] == "--version") {
    absl::PrintF("oneline %s for RocksDB %s\n", ONELINE_VERSION,
                 RocksDBVersionText());
    return kExitFine;
  }
  if (words[0] != "help" && !IsHelp(words[0])) {
    return RunCommand(commands, words);
  }
  if (words.size() > 1) return RunCommand(commands, {words[1], "--help"});
  absl::PrintF("%s", Overview(commands));
  return kExitFine;
}

}  // namespace

int RunCommandLine(const Commands& commands, const Words& words) {
  const int code = RunWords(commands, words);
  // Writing to a full disk may fail only when the buffer is flushed.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return Fail("oneline", "the output could not be written");
  }
  return code;
}

}  // namespace oneline
