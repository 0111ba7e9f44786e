// A command of the program `oneline`: its name, its help, its flags, and what
// runs it. Each is defined in a folder of its own; command_line.cc runs one.

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/command/flags.h"

namespace oneline {

// Exit codes, the same for every command.
inline constexpr int kExitFine = 0;
inline constexpr int kExitFound = 1;   // it found a problem in the data
inline constexpr int kExitFailed = 2;  // it failed; one line on stderr says why

struct Command {
  const char* name;

  // What follows the name in the usage line, such as "PATH [FLAGS]": flags by
  // name only where one of them must be given. More lines begin with "  or:  ".
  const char* usage;

  // One line for the overview, without a full stop.
  const char* summary;

  // For --help: what the command does and prints, a paragraph "Exit codes: 0
  // ...", and, below a line "Examples:", examples that work, as "    $ oneline
  // ...". Ends with a newline. (help2man makes the manual page of it.)
  const char* description;

  // Adds the flags and arguments. What it returns runs the command, after they
  // were parsed: it prints the result on standard output and returns an exit
  // code. An error is printed on standard error, and is kExitFailed.
  std::function<absl::StatusOr<int>()> (*define)(Flags* flags);
};

// `words`: argv without the name of the program. The first is the name of a
// command; its flags and arguments follow in any order, after "--" arguments
// only. Also handles "help", "--help" and "--version". Returns the exit code of
// the program. An error is one line on standard error.
int RunCommandLine(const std::vector<const Command*>& commands,
                   const std::vector<std::string>& words);

// In the order in which the overview lists them.
extern const Command kSizeCommand;
extern const Command kInspectCommand;
extern const Command kVerifyCommand;
extern const Command kDoctorCommand;
extern const Command kRefilterCommand;
extern const Command kSieveCommand;

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMAND_H_
