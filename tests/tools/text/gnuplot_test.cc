// Tests of tools/text/gnuplot.h. tests/tools/inspect/inspect_test.cc has plots
// that gnuplot draws, and some that can't be drawn.

#include "tools/text/gnuplot.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_directory.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

TEST(GnuplotTest, TextsAreQuoted) {
  EXPECT_EQ(GnuplotText("plain"), "'plain'");
  EXPECT_EQ(GnuplotText("it's"), "'it''s'");
  EXPECT_EQ(GnuplotText(""), "''");
}

TEST(GnuplotTest, SaysWhatGnuplotSays) {
  const TemporaryDirectory directory;
  const absl::Status status =
      WriteSvg("plot 'no such file'", 300, 200, directory.File("plot.svg"));
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(Contains(std::string(status.message()), "no such file"));
  EXPECT_EQ(FilesIn(directory.path()).size(), 0u);
}

}  // namespace
}  // namespace oneline
