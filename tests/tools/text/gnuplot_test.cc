// Tests of tools/text/gnuplot.h, with the real gnuplot.
// tests/tools/inspect/inspect_test.cc has plots that can't be drawn.

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

TEST(GnuplotTest, DrawsAndCleansUp) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("a plot's.svg");
  const absl::Status status =
      WriteSvg("set title 'a title'\nplot x", 300, 200, path);
  ASSERT_TRUE(status.ok()) << status;
  const std::string picture = ReadWholeFile(path);
  EXPECT_TRUE(Contains(picture, "a title"));
  EXPECT_TRUE(Contains(picture, "width=\"300\"")) << picture.substr(0, 500);
  EXPECT_TRUE(Contains(picture, "</svg>"));
  EXPECT_EQ(FilesIn(directory.path()).size(), 1u);
}

TEST(GnuplotTest, SaysWhatGnuplotSays) {
  const TemporaryDirectory directory;
  const absl::Status status =
      WriteSvg("plot 'no such file'", 300, 200, directory.File("plot.svg"));
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(Contains(std::string(status.message()), "no such file"))
      << status;
  EXPECT_EQ(FilesIn(directory.path()).size(), 0u);
}

}  // namespace
}  // namespace oneline
