// The program `oneline`: inspects, checks and sizes the filters of RocksDB's
// tables. `oneline help` lists its commands.

#include <string>
#include <vector>

#include "tools/command/command_line.h"
#include "tools/command/commands.h"

int main(int argc, char** argv) {
  return oneline::RunCommandLine(
      {&oneline::kSizeCommand, &oneline::kInspectCommand,
       &oneline::kVerifyCommand, &oneline::kDoctorCommand,
       &oneline::kAdviseCommand, &oneline::kSieveCommand,
       &oneline::kHashesCommand},
      std::vector<std::string>(argv + 1, argv + argc));
}
