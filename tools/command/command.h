// A command of the program `oneline`: its name, its flags and arguments, its
// help, and the function that runs it. Each is defined in a folder of its own;
// command_line.cc runs one.

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace oneline {

// Exit codes, the same for every command.
inline constexpr int kExitFine = 0;
inline constexpr int kExitFound = 1;   // it found a problem in the data
inline constexpr int kExitFailed = 2;  // it failed; one line on stderr says why

struct Command {
  absl::string_view name;

  // What follows the name in the usage line, such as "PATH [FLAGS]": flags by
  // name only where one of them must be given.
  const char* usage;

  // One line for the overview, without a full stop.
  const char* summary;

  // For --help and the manual page: what the command does and prints, a
  // paragraph "Exit codes: 0 ...", and, below a line "Example:", examples that
  // work. Paragraphs are divided by empty lines. Those that are indented are
  // shown as they are, or are lists of terms, "  TERM  text". Ends with a
  // newline.
  std::string description;

  // The flags of tools/command/flags.h that it accepts, without dashes.
  std::vector<absl::string_view> flags;

  // Bounds of the number of arguments that are not flags.
  size_t min_arguments;
  size_t max_arguments;

  // Prints the result on standard output and returns an exit code. An error is
  // printed on standard error, and the exit code is kExitFailed.
  absl::StatusOr<int> (*run)(const std::vector<std::string>& arguments);
};

// `words`: argv without the name of the program. The first is the name of a
// command; its flags and arguments follow in any order, after "--" arguments
// only. Also handles "help", "--help" and "--version", and "help --install
// DIRECTORY", which writes the manual (command_help.h). Returns the exit code
// of the program. An error is one line on standard error. Not thread-safe: sets
// the global flags.
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
