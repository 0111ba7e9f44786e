// Tests of the documents: every command "    $ oneline size ..." that they show
// prints what is shown below it, and the version is the same wherever it is
// written.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "oneline/version.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

constexpr char kPrompt[] = "    $ oneline size ";

bool BeginsWith(const std::string& line, const std::string& beginning) {
  return line.compare(0, beginning.size(), beginning) == 0;
}

// Indented as pages show it, without the lines at the end that are empty.
std::string AsShown(const std::string& output) {
  std::string shown;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    shown += (line.empty() ? "" : "    " + line) + "\n";
  }
  return shown.substr(0, shown.find_last_not_of('\n') + 1);
}

// Returns how many commands there are.
int ExpectOutputsAsShown(const std::string& path) {
  std::ifstream page(path);
  int commands = 0;
  std::string line;
  std::getline(page, line);
  while (page) {
    if (!BeginsWith(line, kPrompt)) {
      std::getline(page, line);
      continue;
    }
    ++commands;
    const std::string command = line.substr(sizeof("    $ ") - 1);
    std::string shown;
    while (std::getline(page, line) &&
           (line.empty() || BeginsWith(line, "    ")) &&
           !BeginsWith(line, kPrompt)) {
      shown += line + "\n";
    }
    shown = shown.substr(0, shown.find_last_not_of('\n') + 1);
    const Finished program = RunProgram("tools/" + command);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(shown, AsShown(program.out)) << path << ": " << command;
  }
  return commands;
}

TEST(DocsTest, CommandsPrintWhatIsShown) {
  EXPECT_GE(ExpectOutputsAsShown("docs/operations.md"), 1);
  EXPECT_GE(ExpectOutputsAsShown("docs/tools.md"), 1);
}

TEST(DocsTest, VersionIsTheSameEverywhere) {
  const std::string version = ONELINE_VERSION;
  const std::string changes = ReadWholeFile("CHANGELOG.md");
  EXPECT_EQ(changes.find("\n## ") + 1, changes.find("## " + version));
  EXPECT_EQ(
      ReadWholeFile("third_party/debian/changelog").find("oneline (" + version),
      0u);
}

}  // namespace
}  // namespace oneline
