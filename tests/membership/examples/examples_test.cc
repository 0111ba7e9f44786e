// Runs the programs of membership/examples/: membership/README.md shows exactly
// what they print.

#include "tests/testing.h"

namespace oneline {
namespace {

// The page has the command and below it, indented, its output.
TEST(ExamplesTest, PrintWhatThePageShows) {
  for (const std::string command :
       {"membership/examples/size_for_rate", "membership/examples/hashers",
        "membership/examples/removal",
        "membership/examples/fill 1e6 0.00390625"}) {
    const Finished run = RunProgram(command);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::string shown = "    $ bazel-bin/" + command + "\n";
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
      shown += "    " + line + "\n";
    }
    EXPECT_NE(ReadWholeFile("membership/README.md").find(shown),
              std::string::npos)
        << "membership/README.md does not show:\n"
        << shown;
  }
}

}  // namespace
}  // namespace oneline
