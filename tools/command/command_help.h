// The help of commands, from which manual pages and bash's completion are made
// as well (manual.h).

#ifndef ONELINE_TOOLS_COMMAND_COMMAND_HELP_H_
#define ONELINE_TOOLS_COMMAND_COMMAND_HELP_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/command/command.h"

namespace oneline {

// What is printed of a flag.
struct FlagText {
  std::string name;   // "--memory"
  std::string value;  // "SIZE"; empty for a switch
  std::string help;
  std::string with_default;  // `help`, and the default if there is one
};

// What the flag means to the command: its help may end in "; in advise ...",
// which is for that command alone. REQUIRES: flags.h defines the flag.
FlagText TextOf(std::string_view flag, const Command& command);

// The program itself as a command, whose description lists the commands and the
// options of filters.
Command OverviewOf(const std::vector<const Command*>& commands);

// "oneline inspect PATH [FLAGS]"
std::string UsageOf(const Command& command);

// Usage, description and flags.
std::string HelpOf(const Command& command);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMAND_HELP_H_
