// Parses the command line of `oneline`, prints help, and runs the command.

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_LINE_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "tools/command/command.h"

namespace oneline {

// `words`: argv without the name of the program. The first is the name of a
// command; its flags and arguments follow in any order, after "--" arguments
// only. Also handles "help", "--help" and "--version", and "help --install
// DIRECTORY", which writes the manual (command_help.h). Returns the exit code
// of the program. An error is one line on standard error. Not thread-safe: sets
// the global flags.
int RunCommandLine(const std::vector<const Command*>& commands,
                   const std::vector<std::string>& words);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMAND_LINE_H_
