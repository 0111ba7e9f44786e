// The help of commands, as text, as manual pages and as bash's completion.

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_HELP_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_HELP_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/command/command.h"

namespace oneline {

// What is printed of a flag.
struct FlagText {
  std::string name;   // "--memory"
  std::string value;  // "SIZE"; empty for a switch
  std::string help;
  std::string with_default;  // `help`, and the default if there is one
};

// What the flag means to the command: its help may end in "; in sieve ...",
// which is for that command alone. REQUIRES: flags.h defines the flag.
FlagText TextOf(absl::string_view flag, const Command& command);

// The program itself as a command, whose description lists the commands and the
// options of filters.
Command OverviewOf(const std::vector<const Command*>& commands);

// "oneline inspect PATH [FLAGS]"
std::string UsageOf(const Command& command);

// Usage, description and flags.
std::string HelpOf(const Command& command);

// The page of a command, oneline-inspect(1), as the source that man formats. It
// names those of the other commands.
std::string ManualPage(const Command& command,
                       const std::vector<const Command*>& commands);

// A script for bash that completes commands, flags and names of files.
std::string BashCompletion(const std::vector<const Command*>& commands);

// Writes a page of each command, and one of the program, to
// DIRECTORY/man/man1/, and the script to
// DIRECTORY/bash-completion/completions/: where man and bash look below
// /usr/share and ~/.local/share. Replaces what is there. Unavailable if a file
// cannot be written.
absl::Status InstallManual(const std::vector<const Command*>& commands,
                           const std::string& directory);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMAND_HELP_H_
