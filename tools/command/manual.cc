// Manual pages and the completion for bash.

#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "oneline/version.h"
#include "tools/command/command_help.h"

namespace oneline {
namespace {

// Text as it is, in the language of manual pages.
std::string Roff(absl::string_view text) {
  const std::string escaped = absl::StrReplaceAll(text, {{"\\", "\\e"},
                                                         {"-", "\\-"},
                                                         {"'", "\\(aq"},
                                                         {"`", "\\(ga"},
                                                         {"^", "\\(ha"},
                                                         {"~", "\\(ti"}});
  // A line that begins with a dot would be a request.
  return absl::StrCat(absl::StartsWith(escaped, ".") ? "\\&" : "", escaped);
}

std::string Lines(const std::vector<absl::string_view>& lines) {
  return absl::StrJoin(lines, "", [](std::string* out, absl::string_view line) {
    absl::StrAppend(out, Roff(absl::StripAsciiWhitespace(line)), "\n");
  });
}

size_t IndentOf(absl::string_view line) {
  return line.size() - absl::StripLeadingAsciiWhitespace(line).size();
}

// Lines between two empty lines, of which the first begins a term, "  TERM
// text" or "  TERM" with its text below, further to the right.
std::string Terms(const std::vector<absl::string_view>& lines) {
  std::string roff;
  for (const absl::string_view line : lines) {
    absl::string_view text = absl::StripLeadingAsciiWhitespace(line);
    if (IndentOf(line) == IndentOf(lines[0])) {
      const absl::string_view term = text.substr(0, text.find("  "));
      absl::StrAppend(&roff, ".TP\n\\fB", Roff(term), "\\fR\n");
      text.remove_prefix(term.size());
    }
    text = absl::StripAsciiWhitespace(text);
    if (!text.empty()) absl::StrAppend(&roff, Roff(text), "\n");
  }
  return roff;
}

// What stands between two empty lines of a description.
std::string Block(absl::string_view block) {
  const std::vector<absl::string_view> lines = absl::StrSplit(block, '\n');
  if (IndentOf(lines[0]) == 0) return absl::StrCat(".PP\n", Lines(lines));
  const bool has_terms =
      absl::StrContains(absl::StripLeadingAsciiWhitespace(lines[0]), "  ") ||
      (lines.size() > 1 && IndentOf(lines[1]) > IndentOf(lines[0]));
  if (has_terms) return Terms(lines);
  return absl::StrCat(".PP\n.RS 4\n.nf\n", Lines(lines), ".fi\n.RE\n");
}

std::string PageName(const Command& command) {
  return absl::StrCat("oneline", command.name.empty() ? "" : "-", command.name);
}

std::string FlagList(const Command& command) {
  std::string roff;
  for (const absl::string_view flag : command.flags) {
    const FlagText text = TextOf(flag, command);
    absl::StrAppend(
        &roff, ".TP\n\\fB", Roff(text.name), "\\fR",
        text.value.empty() ? "" : absl::StrCat("=\\fI", text.value, "\\fR"),
        "\n", Roff(text.with_default), "\n");
  }
  return roff;
}

std::string SeeAlso(const Command& command,
                    const std::vector<const Command*>& commands) {
  std::vector<std::string> pages;
  if (!command.name.empty()) pages.push_back("oneline");
  for (const Command* other : commands) {
    if (other->name != command.name) pages.push_back(PageName(*other));
  }
  return absl::StrCat(
      ".PP\n", absl::StrJoin(
                   pages, ",\n", [](std::string* out, const std::string& page) {
                     absl::StrAppend(out, "\\fB", Roff(page), "\\fR(1)");
                   }));
}

absl::Status WriteText(const std::filesystem::path& path,
                       const std::string& text) {
  std::error_code ignored;  // then the file cannot be written, either
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream file(path);
  file << text;
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(path.string(), ": can't be written"));
}

}  // namespace

std::string ManualPage(const Command& command,
                       const std::vector<const Command*>& commands) {
  std::string description, exit_codes, examples;
  std::string* part = &description;
  for (const absl::string_view block : absl::StrSplit(
           absl::StripAsciiWhitespace(command.description), "\n\n")) {
    absl::string_view text = block;
    if (absl::ConsumePrefix(&text, "Exit codes: ")) {
      exit_codes = Block(text);
    } else if (text == "Example:" || text == "Examples:") {
      part = &examples;
    } else {
      absl::StrAppend(part, Block(text));
    }
  }
  const std::string name = PageName(command);
  std::string page = absl::StrCat(".TH ", absl::AsciiStrToUpper(name),
                                  " 1 \"\" \"oneline " ONELINE_VERSION
                                  "\" \"User Commands\"\n.nh\n.ad l\n");
  for (const auto& [title, roff] :
       {std::pair<const char*, std::string>{
            "NAME", absl::StrCat(Roff(name), " \\- ", Roff(command.summary))},
        {"SYNOPSIS", Block(UsageOf(command))},
        {"DESCRIPTION", description},
        {"OPTIONS", FlagList(command)},
        {"EXIT STATUS", exit_codes},
        {"EXAMPLES", examples},
        {"SEE ALSO", SeeAlso(command, commands)}}) {
    if (roff.empty()) continue;
    absl::StrAppend(&page, ".SH ", title, "\n", roff,
                    absl::EndsWith(roff, "\n") ? "" : "\n");
  }
  return page;
}

std::string BashCompletion(const std::vector<const Command*>& commands) {
  std::string names, cases;
  for (const Command* command : commands) {
    absl::StrAppend(&names, command->name, " ");
    absl::StrAppend(&cases, "    *:", command->name, ") words='");
    for (const absl::string_view flag : command->flags) {
      const FlagText text = TextOf(flag, *command);
      absl::StrAppend(&cases, text.name, text.value.empty() ? " " : "= ");
    }
    absl::StrAppend(&cases, "--help' ;;\n");
  }
  // Bash divides "--svg=FILE" into three words.
  return absl::StrReplaceAll(R"(# Completes the commands and flags of oneline.
_oneline() {
  local word=${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  case $COMP_CWORD:${COMP_WORDS[1]} in
    1:* | 2:help) words='NAMEShelp --help --version' ;;
CASES  esac
  if [[ $word == -* || $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == help ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ ${COMPREPLY-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  else
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "${word#=}"))
  fi
}
complete -o filenames -F _oneline oneline
)",
                             {{"NAMES", names}, {"CASES", cases}});
}

absl::Status InstallManual(const std::vector<const Command*>& commands,
                           const std::string& directory) {
  const Command overview = OverviewOf(commands);
  std::vector<const Command*> all = commands;
  all.push_back(&overview);
  const std::filesystem::path to = directory;
  absl::Status status = WriteText(to / "bash-completion/completions/oneline",
                                  BashCompletion(commands));
  for (const Command* command : all) {
    if (!status.ok()) break;
    status = WriteText(to / "man/man1" / (PageName(*command) + ".1"),
                       ManualPage(*command, commands));
  }
  return status;
}

}  // namespace oneline
