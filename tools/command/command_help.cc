#include "tools/command/command_help.h"

#include <tuple>
#include <utility>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "filter_policy/options/option_table.h"
#include "tools/text/paragraph.h"

namespace oneline {
namespace {

// What each row of the table of options says.
std::string FilterOptionList() {
  std::string list =
      "Filter options, for OPTIONS files:\n"
      "filter_policy={id=oneline;NAME=VALUE;...}\n\n";
  for (const OptionRow& option : kOptions) {
    const bool has_default = *option.default_text != '\0';
    absl::StrAppend(
        &list, TermAndText(
                   option.name,
                   absl::StrCat(option.bounds, has_default ? " (default: " : "",
                                option.default_text, has_default ? "): " : ": ",
                                option.help)));
  }
  return list;
}

std::string DescriptionOf(const std::vector<const Command*>& commands) {
  std::string text =
      "Inspects, checks and sizes the filters of RocksDB's tables, and removes "
      "lines\nthat were seen before from a stream.\n\n";
  for (const Command* command : commands) {
    absl::StrAppend(
        &text, TermAndText(command->name, command->summary, /*indent=*/12));
  }
  absl::StrAppend(&text, R"(
'oneline COMMAND --help' explains a command and its flags. 'oneline help
--install DIRECTORY' writes the manual pages and the completion for bash to
subdirectories of DIRECTORY, such as ~/.local/share.

Exit codes: 0 success, 1 a problem was found in the data, 2 the command failed.

)",
                  FilterOptionList());
  return text;
}

}  // namespace

FlagText TextOf(absl::string_view flag, const Command& command) {
  const absl::CommandLineFlag& found = *absl::FindCommandLineFlag(flag);
  FlagText text;
  text.name = absl::StrCat("--", found.Name());
  text.help = found.Help();
  if (!found.IsOfType<bool>()) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(text.help, absl::MaxSplits(": ", 1));
    std::tie(text.value, text.help) = parts;
  }
  const std::string here = absl::StrCat("; in ", command.name, " ");
  const size_t at = text.help.find(here);
  text.help = at == std::string::npos
                  ? text.help.substr(0, text.help.find("; in "))
                  : text.help.substr(at + here.size());
  text.with_default = text.help;
  if (found.IsOfType<bool>()) return text;
  const std::string value = found.DefaultValue();
  if (!value.empty()) {
    absl::StrAppend(&text.with_default, "; ", value, " if not given");
  }
  return text;
}

Command OverviewOf(const std::vector<const Command*>& commands) {
  return {"",
          "COMMAND [FLAGS] [ARGUMENTS]",
          "inspects, checks and sizes the filters of RocksDB's tables",
          DescriptionOf(commands),
          {},
          0,
          0,
          nullptr};
}

std::string UsageOf(const Command& command) {
  return absl::StrCat("oneline", command.name.empty() ? "" : " ", command.name,
                      " ", command.usage);
}

std::string HelpOf(const Command& command) {
  std::string help =
      absl::StrCat("usage: ", UsageOf(command), "\n\n", command.description,
                   command.flags.empty() ? "" : "\nFlags:\n\n");
  for (const absl::string_view flag : command.flags) {
    const FlagText text = TextOf(flag, command);
    absl::StrAppend(
        &help,
        TermAndText(
            absl::StrCat(text.name, text.value.empty() ? "" : "=", text.value),
            text.with_default));
  }
  return help;
}

}  // namespace oneline
