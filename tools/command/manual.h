// Manual pages and bash's completion, made from the help of the commands.

#ifndef ONELINE_TOOLS_COMMAND_MANUAL_H_
#define ONELINE_TOOLS_COMMAND_MANUAL_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/command/command.h"

namespace oneline {

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

#endif  // ONELINE_TOOLS_COMMAND_MANUAL_H_
