// The commands that the built program has.

#ifndef ONELINE_TESTS_TOOLS_COMMAND_NAMES_H_
#define ONELINE_TESTS_TOOLS_COMMAND_NAMES_H_

#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/run_oneline.h"

namespace oneline {

// Those that `oneline help` lists: the first lines that are indented.
inline std::vector<std::string> CommandNames() {
  std::istringstream overview(RunOneline("help").out);
  std::vector<std::string> names;
  for (std::string line; std::getline(overview, line);) {
    if (line.compare(0, 3, "   ") == 0) continue;  // a long line goes on
    if (line.compare(0, 2, "  ") == 0) {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    } else if (!names.empty()) {
      break;
    }
  }
  return names;
}

// Those that read the database, or databases, of an argument. (`refilter`
// writes it.)
inline std::vector<std::string> DatabaseCommandNames() {
  std::vector<std::string> names;
  for (const std::string& name : CommandNames()) {
    const std::string usage = "usage: oneline " + name + " PATH";
    if (name != "refilter" &&
        RunOneline(name + " --help").out.rfind(usage, 0) == 0) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_COMMAND_NAMES_H_
