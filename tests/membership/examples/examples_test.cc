// Runs the programs of membership/examples/: membership/README.md shows exactly
// what they print.

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

// The page has the command and below it, indented, its output. It names the
// folder `seen` where the test uses one of its own.
void ExpectShown(const std::string& command, const std::string& run_as) {
  const Finished run = RunProgram(run_as);
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

void ExpectShown(const std::string& command) { ExpectShown(command, command); }

TEST(ExamplesTest, PrintWhatThePageShows) {
  ExpectShown("membership/examples/size_for_rate");
  ExpectShown("membership/examples/hashers");
  ExpectShown("membership/examples/removal");
  ExpectShown("membership/examples/fill 1e6 0.00390625");
}

TEST(ExamplesTest, CrawlNeedsNoFolder) {
  const Finished run = RunProgram("membership/examples/crawl");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\n5 URLs seen, 0 still to be visited\n"),
            std::string::npos)
      << run.out;
}

// The second run visits the pages that the first one has left.
TEST(ExamplesTest, CrawlGoesOnInTheNextRun) {
  const TemporaryDirectory directory;
  const std::string crawl = "membership/examples/crawl ";
  const std::string seen = directory.File("seen");
  ExpectShown(crawl + "seen 2", crawl + seen + " 2");
  ExpectShown(crawl + "seen 5", crawl + seen + " 5");
}

}  // namespace
}  // namespace oneline
