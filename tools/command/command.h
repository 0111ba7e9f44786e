// A command of the program `oneline`: what it is called, what it takes, and
// what runs it. Each has a file of its own; oneline.cc has the list.

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// Exit codes, the same for every command.
inline constexpr int kExitFine = 0;
inline constexpr int kExitFound = 1;   // it looked, and something is wrong
inline constexpr int kExitFailed = 2;  // it could not look: one line says why

struct Command {
  std::string_view name;

  // What follows the name, as "PATH [--json]".
  const char* usage;

  // For the overview: one line, without a full stop.
  const char* summary;

  // For --help, after the usage: what it does, what it prints, what its exit
  // codes mean here, and an example that works. Ends with a newline.
  const char* description;

  // The flags of tools/command/flags.h that it takes. Others are refused.
  std::vector<std::string_view> flags;

  // How many arguments there are that are no flags.
  size_t fewest_arguments;
  size_t most_arguments;

  // Prints its result on standard output. Returns an exit code, or what kept
  // the command from its work, which ends with kExitFailed.
  absl::StatusOr<int> (*run)(const std::vector<std::string>& arguments);
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMAND_H_
