// The command line of `oneline`: which command, its flags, its arguments.

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_LINE_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "tools/command/command.h"

namespace oneline {

// Runs the command that `words` (argv without the program's name) asks for:
// its name, then its flags and arguments in any order; after "--" there are
// arguments only. "help", "--help" and "--version" are answered here. Returns
// the exit code of the program; errors are one line on standard error.
int RunCommandLine(const std::vector<const Command*>& commands,
                   const std::vector<std::string>& words);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMAND_LINE_H_
