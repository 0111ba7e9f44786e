// The commands of the program, each defined in its folder.

#ifndef ONELINE_TOOLS_COMMAND_COMMANDS_H_
#define ONELINE_TOOLS_COMMAND_COMMANDS_H_

#include "tools/command/command.h"

namespace oneline {

// In the order in which the overview lists them.
extern const Command kSizeCommand;
extern const Command kInspectCommand;
extern const Command kVerifyCommand;
extern const Command kDoctorCommand;
extern const Command kAdviseCommand;
extern const Command kRefilterCommand;
extern const Command kSieveCommand;
extern const Command kHashesCommand;

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_COMMANDS_H_
